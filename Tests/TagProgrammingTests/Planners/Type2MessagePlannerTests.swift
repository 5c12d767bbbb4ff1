import TagMemory
import Testing

@testable import TagProgramming

/// NFC Forum Type 2 Tag 1.1, 2.3, 6.1 and 6.4.
@Suite("The steps of a message onto a Type 2 tag")
struct Type2MessagePlannerTests {
  private static let url = "d10102550461"
  private static let longer = "d10106550461 62636465"
  /// With the message on an NTAG213, behind the lock control TLV.
  private static let written = Pages.with(
    Pages.ntag213, [5: "340306d1 01025504 61fe0000"])

  private static let rows = [
    PlanRow(
      "as delivered: from its end to its length, which switches it on, behind the lock control TLV",
      { () throws(JobFailure) in try plan(Pages.ntag213, url) },
      gives: """
        write p7 61fe0000 content
        write p6 01025504 content
        write p5 340306d1 switchOn
        read p4 0103a00c340306d10102550461fe0000
        """),
    PlanRow(
      "the message that is there needs nothing",
      { () throws(JobFailure) in try plan(written, url) }, gives: ""),
    PlanRow(
      "one that differs in one page changes at once",
      { () throws(JobFailure) in try plan(written, "d10102550462") },
      gives: """
        write p7 62fe0000 switchOn
        read p4 0103a00c340306d10102550462fe0000
        """),
    PlanRow(
      "an old message is switched off first",
      { () throws(JobFailure) in try plan(written, longer) },
      gives: """
        write p5 340300fe switchOff
        write p8 65fe0000 content
        write p7 61626364 content
        write p6 01065504 content
        write p5 34030ad1 switchOn
        read p4 0103a00c34030ad1010655046162636465fe0000
        """),
    PlanRow(
      "a blank tag becomes an NDEF tag last",
      { () throws(JobFailure) in try plan(Pages.ultralight, url) },
      gives: """
        write p6 fe000000 content
        write p5 02550461 content
        write p4 0306d101 switchOn
        write p3 e1100600 capabilityContainer
        read p3 e11006000306d10102550461fe000000
        """),
    PlanRow(
      "a blank tag that was left in the middle is finished",
      { () throws(JobFailure) in
        try plan(Pages.with(Pages.ultralight, [5: "02550461 fe000000"]), url)
      },
      gives: """
        write p4 0306d101 switchOn
        write p3 e1100600 capabilityContainer
        read p3 e11006000306d10102550461fe000000
        """),
    PlanRow(
      "an NDEF tag without any TLV gets an empty message before the new one",
      { () throws(JobFailure) in
        try plan(Pages.with(Pages.ultralight, [3: "e1100600"]), url)
      },
      gives: """
        write p4 0300fe00 switchOff
        write p6 fe000000 content
        write p5 02550461 content
        write p4 0306d101 switchOn
        read p4 0306d10102550461fe000000
        """),
    PlanRow(
      "somebody's data on a blank tag are left alone",
      { () throws(JobFailure) in
        try plan(Pages.with(Pages.ultralight, [9: "01020304"]), url)
      }, isRefused: .refused),
    PlanRow(
      "page 3 can never become what it has to be: no bit of it can be cleared",
      { () throws(JobFailure) in
        try plan(Pages.with(Pages.ultralight, [3: "12345678"]), url)
      }, isRefused: .refused),
    PlanRow(
      "a capability container that says read-only",
      { () throws(JobFailure) in
        try plan(Pages.with(Pages.ntag213, [3: "e110120f"]), url)
      }, isRefused: .refused),
    PlanRow(
      "a page in the message's way that is locked for good",
      { () throws(JobFailure) in
        // Lock bit of page 6.
        try plan(Pages.with(Pages.ntag213, [2: "04484000"]), url)
      }, isRefused: .refused),
    PlanRow(
      "144 bytes take 137 behind the lock control TLV, type and length, not 138",
      { () throws(JobFailure) in
        try plan(Pages.ntag213, String(repeating: "00", count: 138))
      }, isRefused: .badInput),
  ]

  private static func plan(_ state: Type2State, _ message: String) throws(JobFailure)
    -> TagProgram
  {
    try Type2MessagePlanner(
      state: state, meaning: state, uid: Pages.uid, message: hex(message), overwrite: false,
      force: false
    ).plan()
  }

  @Test("by the table", arguments: rows) func table(_ row: PlanRow) { row.check() }
}
