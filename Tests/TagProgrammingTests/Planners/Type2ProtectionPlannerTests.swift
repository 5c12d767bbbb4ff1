import TagMemory
import Testing

@testable import TagProgramming

/// NTAG213/215/216, 8.5.7 and 8.8: CFG0 in page 41 ends with AUTH0, CFG1 in page 42 starts with
/// PROT (80) and CFGLCK (40), PWD is page 43, PACK page 44. Those of an Ultralight AES are at the
/// same places, and its key in pages 48 to 51.
@Suite("The steps of a password onto a Type 2 tag")
struct Type2ProtectionPlannerTests {
  private static let protection = Protection(password: hex("a55ac33c"), pack: hex("0102"))
  private static let reading = Protection(
    password: hex("a55ac33c"), pack: hex("0102"), readToo: true)

  private static let rows = [
    PlanRow(
      "set: the password proves itself before anything asks for it, and then something does",
      { () throws(JobFailure) in try plan(Pages.ntag213, .set(protection)) },
      gives: """
        write p43 a55ac33c secret
        write p44 01020000 secret
        password a55ac33c 0102
        write p41 04000002 configuration
        read p41 04000002
        refuses p39 00000000
        """),
    PlanRow(
      "set, for reading too: PROT before AUTH0",
      { () throws(JobFailure) in try plan(Pages.ntag213, .set(reading)) },
      gives: """
        write p43 a55ac33c secret
        write p44 01020000 secret
        password a55ac33c 0102
        write p42 80050000 configuration
        read p42 80050000
        write p41 04000002 configuration
        read p41 04000002
        refuses p39 00000000
        """),
    PlanRow(
      "changed: nothing asks for one while it changes",
      { () throws(JobFailure) in try plan(protected("11223344", "0000"), .set(protection)) },
      gives: """
        write p41 040000ff configuration
        read p41 040000ff
        write p43 a55ac33c secret
        write p44 01020000 secret
        password a55ac33c 0102
        write p41 04000002 configuration
        read p41 04000002
        refuses p39 00000000
        """),
    PlanRow(
      "the one that is there needs nothing",
      { () throws(JobFailure) in try plan(protected("a55ac33c", "0102"), .set(protection)) },
      gives: ""),
    PlanRow(
      "taken away: nothing asks for it before it goes back to that of delivery",
      { () throws(JobFailure) in try plan(protected("a55ac33c", "0102"), .takeAway) },
      gives: """
        write p41 040000ff configuration
        read p41 040000ff
        write p43 ffffffff secret
        write p44 00000000 secret
        password ffffffff 0000
        """),
    PlanRow(
      "a configuration that is frozen",
      { () throws(JobFailure) in
        try plan(Pages.with(Pages.ntag213, [42: "40050000"]), .set(protection))
      }, isRefused: .refused),
    PlanRow(
      "a key: nothing asks for it before it has proven itself",
      { () throws(JobFailure) in try plan(Pages.ultralightAES, .set(Protection(key: key))) },
      gives: """
        write p48 0f0e0d0c secret
        write p49 0b0a0908 secret
        write p50 07060504 secret
        write p51 03020100 secret
        password 000102030405060708090a0b0c0d0e0f
        write p42 0c050000 configuration
        read p42 0c050000
        write p41 00000002 configuration
        read p41 00000002
        refuses p39 00000000
        """),
    PlanRow(
      "a key changed, for reading too: nothing asks for one while it changes",
      { () throws(JobFailure) in
        try plan(keyed(other), .set(Protection(key: key, readToo: true)))
      },
      gives: """
        write p41 0000003c configuration
        read p41 0000003c
        write p48 0f0e0d0c secret
        write p49 0b0a0908 secret
        write p50 07060504 secret
        write p51 03020100 secret
        password 000102030405060708090a0b0c0d0e0f
        write p42 8c050000 configuration
        read p42 8c050000
        write p41 00000002 configuration
        read p41 00000002
        refuses p39 00000000
        """),
    PlanRow(
      "the key that is there needs nothing",
      { () throws(JobFailure) in try plan(keyed(key), .set(Protection(key: key))) }, gives: ""),
    PlanRow(
      "a key taken away gives back what the chip is delivered with",
      { () throws(JobFailure) in try plan(keyed(key), .takeAway) },
      gives: """
        write p41 0000003c configuration
        read p41 0000003c
        write p48 00000000 secret
        write p49 00000000 secret
        write p50 00000000 secret
        write p51 00000000 secret
        password 00000000000000000000000000000000
        write p42 8c050000 configuration
        read p42 8c050000
        """),
    PlanRow(
      "a key that is locked",
      { () throws(JobFailure) in
        try plan(
          Pages.with(Pages.ultralightAES, [45: "40000000"]), .set(Protection(key: key)))
      }, isRefused: .refused),
    PlanRow(
      "a tag that demands secure messaging",
      { () throws(JobFailure) in
        try plan(
          Pages.with(Pages.ultralightAES, [41: "0200003c"]), .set(Protection(key: key)))
      }, isRefused: .refused),
    PlanRow(
      "a chip without a password",
      { () throws(JobFailure) in try plan(Pages.ultralight, .set(protection)) },
      isRefused: .badInput),
  ]

  private static func protected(_ password: String, _ pack: String) -> Type2State {
    Pages.knowing(Pages.with(Pages.ntag213, [41: "04000002"]), password, pack: pack)
  }

  private static let (key, other) = (Array(UInt8(0)...15), Array(UInt8(0xA0)...0xAF))

  private static func keyed(_ key: [UInt8]) -> Type2State {
    var state = Pages.with(Pages.ultralightAES, [41: "00000002", 42: "0c050000"])
    state.credential = Protection(key: key)
    return state
  }

  private static func plan(_ state: Type2State, _ change: PasswordChange) throws(JobFailure)
    -> TagProgram
  {
    try Type2ProtectionPlanner(
      state: state, meaning: state, change: change, isThorough: false
    ).plan()
  }

  @Test("by the table", arguments: rows) func table(_ row: PlanRow) { row.check() }
}
