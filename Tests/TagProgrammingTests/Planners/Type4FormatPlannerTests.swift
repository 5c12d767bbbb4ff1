import Bytes
import Readers
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Plans for Type 4 tags: formats")
struct Type4FormatPlannerTests: Type4PlannerSuite {
  @Test("a blank card gets application and files in AN11004's order")
  func formatsBlank() throws {
    let made = try DESFireFormatPlanner(state: blank(), format: Type4Format()).plan()
    #expect(
      frames(made.program) == [
        "application 000000 0 the DES key of delivery",
        "ca0100000fa110e1d2760000850101",
        "application 000001 0 the AES key of delivery",
        "cd0103e10000e00f0000",
        "3d010000000f0000000f20003a00340406e10408000000",
        "cd0204e100e0ee000800",
      ])
    #expect(made.container.message.byteCount == 0x800)
  }

  @Test("applications of others stay, and a number that is taken is not used")
  func foreignApplications() throws {
    let made = try DESFireFormatPlanner(
      state: blank(applications: [1, 2]), format: Type4Format()
    ).plan()
    #expect(frames(made.program)[1].hasPrefix("ca030000"))
  }

  @Test(
    "too little memory is said before anything is written; less than usual gives a smaller file")
  func memory() throws {
    #expect(
      failure { try DESFireFormatPlanner(state: blank(free: 100), format: Type4Format()).plan() }?
        .cause == .type4(.notEnoughMemory(free: 100, needed: 288)))
    let made = try DESFireFormatPlanner(state: blank(free: 1000), format: Type4Format()).plan()
    #expect(made.container.message.byteCount == 768)
    var state = blank()
    state.desFire?.masterKey = nil
    #expect(
      failure { try DESFireFormatPlanner(state: state, format: Type4Format()).plan() }?.cause
        == .type4(.masterKeyUnknown))
    #expect(
      failure {
        try DESFireFormatPlanner(state: self.state(.ntag424), format: Type4Format()).plan()
      }?.cause == .type4(.cannotFormat(.ntag424)))
  }

  @Test("a format that was cut short goes on where it stopped")
  func resumes() throws {
    var state = formatted(key: .delivered(.aes))
    state.application = Type4State.Application(naming: .current)
    state.application?.refusal = StatusWord(0x6A, 0x82)
    state.desFire?.freeMemory = 2100
    state.desFire?.application?.files = [:]
    let all = try DESFireFormatPlanner(state: state, format: Type4Format()).plan()
    #expect(frames(all.program).count == 4)
    state.desFire?.application?.files[1] = DESFireFileSettings([0, 0, 0, 0xE0, 15, 0, 0])
    let later = try DESFireFormatPlanner(state: state, format: Type4Format()).plan()
    #expect(frames(later.program).count == 3)
    state.desFire?.application?.files[2] = DESFireFileSettings([0, 0, 0xE0, 0xEE, 0, 4, 0])
    let container = try DESFireFormatPlanner(state: state, format: Type4Format()).plan()
    #expect(frames(container.program).last == "3d010000000f0000000f20003a00340406e10404000000")
    state.desFire?.application?.files[7] = DESFireFileSettings([0, 0, 0xE0, 0xEE, 0, 4, 0])
    #expect(
      failure { try DESFireFormatPlanner(state: state, format: Type4Format()).plan() }?.cause
        == .type4(.foreignFile(7)))
  }

  @Test("nothing is said of a key that nobody gave, and it neither locks nor is replaced")
  func unknownKey() throws {
    var state = formatted(key: nil)
    state.application = application(Type4MessagePlannerTests.container())
    var format = Type4Format()
    func codes() throws -> [String] {
      try Type4JobPlanner(state: state, job: .formatType4(format)).format(format)
        .after.findings.map(\.code)
    }
    #expect(try !codes().contains("application-key"))
    format.lock = true
    #expect(failure { try codes() }?.cause == .type4(.applicationKeyUnknown))
    format.lock = false
    // Nor is it replaced.
    format.newKey = (1...16).map { UInt8($0) }
    #expect(failure { try codes() }?.cause == .type4(.applicationKeyUnknown))
    format.newKey = nil
    state.desFire?.application?.key = .delivered(.aes)
    #expect(try codes().contains("application-key"))
  }

  @Test("one job formats, writes, gives the key and locks; again it does nothing")
  func wholeJob() throws {
    var format = Type4Format()
    format.newKey = (1...16).map { UInt8($0) }
    format.encoding = [0xD0, 0, 0]
    format.lock = true
    let plan = try Type4JobPlanner(state: blank(), job: .formatType4(format)).format(format)
    let program = try #require(plan.program)
    #expect(program.phases.map(\.kind) == [.format, .message, .protection, .locks])
    #expect(program.steps.count(where: { $0.purpose == .secret }) == 1)
    #expect(plan.after.status == .readOnly && plan.after.findings.isEmpty)
    #expect(
      !"\(program)".contains("0102030405")
        && !program.steps.map { "\($0)" }.joined().contains("0102030405"))
    format.newKey = nil
    let zeros = try Type4JobPlanner(state: blank(), job: .formatType4(format)).format(format)
    #expect(zeros.after.findings.map(\.code) == ["application-key"])
  }

  @Test(
    "a blank DESFire, a payment card and a damaged container are refused by name",
    arguments: [0, 1, 2])
  func refusals(number: Int) throws {
    var state = state(number == 0 ? .desFireEV2 : .type4)
    let cause: Type4Cause
    switch number {
    case 0: cause = .notFormatted(.desFireEV2)
    case 1:
      state.stranger = "a payment card"
      cause = .noApplication(.type4, stranger: "a payment card")
    default:
      state.application = Type4State.Application(naming: .current)
      state.application?.fault = .version(0x90)
      cause = .container(.version(0x90))
    }
    let planner = Type4JobPlanner(state: state, job: .lock(force: true))
    #expect(failure { try planner.lock(force: true) }?.cause == .type4(cause))
  }
}
