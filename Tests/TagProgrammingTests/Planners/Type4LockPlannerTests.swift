import Bytes
import Readers
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Plans for Type 4 tags: locks")
struct Type4LockPlannerTests: Type4PlannerSuite {
  private func lock(_ state: Type4State, _ access: FileControl.Access = .free) throws -> TagProgram
  {
    let container = Type4MessagePlannerTests.container(access: access)
    return try Type4LockPlanner(
      state: state, application: application(container), container: container
    ).plan()
  }

  @Test(
    "a tag that says it is locked needs nothing; another one without a command for it is refused")
  func withoutCommand() throws {
    #expect(try lock(state(.type4), .never).steps.isEmpty)
    #expect(failure { try lock(state(.type4)) }?.cause == .type4(.cannotLock(.type4)))
  }

  @Test("an ST25TA gives its delivered write password and locks for good, once")
  func st25TA() throws {
    let program = try lock(state(.st25TA02K))
    guard case .perform(let command, .lock)? = program.steps.first?.action else {
      Issue.record("no lock")
      return
    }
    #expect(
      command.frames.map { Hex.string($0) } == [
        "0020000210" + String(repeating: "00", count: 16), "a2280002",
      ])
    #expect(program.steps[0].isIrreversible && program.steps.count == 3)
    let container = Type4MessagePlannerTests.container()
    let refused = Type4LockPlanner(
      state: state(.st25TA02K), application: application(container), container: container,
      isPasswordRefused: true)
    #expect(failure { try refused.plan() }?.cause == .type4(.passwordRefused(.st25TA02K)))
  }

  @Test("an NTAG 424 DNA is locked by everybody, or with the key that may change who writes")
  func ntag424() throws {
    var delivered = state(.ntag424)
    delivered.messageSettings = DESFireFileSettings(try Hex.bytes("0000E0EE000100"))
    #expect(failure { try lock(delivered) }?.cause == .type4(.lockNeedsKey(.ntag424, 0)))
    delivered.changeKey = .delivered
    let steps = try lock(delivered).steps
    guard case .authenticate(.desFire(0, DESFireKey.delivered(.aes)))? = steps.first?.action,
      case .perform(let change, .lock)? = steps.dropFirst().first?.action
    else {
      Issue.record("no lock: \(steps)")
      return
    }
    #expect(change.frames == [[0x5F, 2, 0, 0xFF, 0xEF]])
    var free = state(.ntag424)
    free.messageSettings = DESFireFileSettings(try Hex.bytes("0000EEEE000100"))
    let program = try lock(free)
    guard case .perform(let command, .lock)? = program.steps.first?.action else {
      Issue.record("no lock")
      return
    }
    #expect(command.frames == [[0x5F, 2, 0, 0xFF, 0xEF]])
    free.messageSettings = DESFireFileSettings(try Hex.bytes("0000EFEE000100"))
    #expect(
      failure { try lock(free) }?.cause == .type4(.lockNeedsKey(.ntag424, nil)))
  }

  @Test(
    "a DESFire lets nobody but its key write, then says so in its container; that needs the key")
  func desFire() throws {
    let key = DESFireKey.delivered(.aes)
    let program = try lock(formatted(key: key))
    let commands = program.steps.compactMap { step -> String? in
      guard case .perform(let command, .lockUnderKey) = step.action else { return nil }
      return command.frames.map { Hex.string($0) }.joined()
    }
    #expect(commands == ["5f020000e0", "3d010e0000010000ff"])
    // Whoever has the key can take it back.
    #expect(program.irreversibleSteps.isEmpty)
    #expect(
      failure { try lock(formatted(key: nil)) }?.cause == .type4(.applicationKeyUnknown))
    #expect(try lock(formatted(.readOnly, key: nil), .never).steps.isEmpty)
    // Cut short between the two.
    for rest in try [lock(formatted(.readOnly, key: key)), lock(formatted(key: key), .never)] {
      #expect(rest.steps.count { $0.purpose == .lockUnderKey } == 1)
    }
  }

  @Test("a DESFire's files are closed as each of them is open, or the lock is refused")
  func openFiles() throws {
    var state = formatted(key: .delivered(.aes))
    state.desFire?.application?.files[1]?.rights = .free
    #expect(
      frames(try lock(state)) == [
        "application 000001 0 \(DESFireKey.delivered(.aes))", "5f020000e0", "5f010000e0",
        "3d010e0000010000ff",
      ])
    // What anybody may change goes out before the key is proven, and needs none.
    state.desFire?.application?.files[1]?.rights = DESFireRights(0xEEEE)
    #expect(frames(try lock(state)).first == "5f010000e0")
    state.desFire?.application?.key = nil
    state.desFire?.application?.files[2]?.rights = .readOnly
    #expect(frames(try lock(state, .never)) == ["5f010000e0"])
    state.desFire?.application?.files[2]?.rights = DESFireRights(0xEEE1)
    #expect(failure { try lock(state) }?.cause == .type4(.lockNeedsKey(.desFireEV1, 1)))
    state.desFire?.application?.files[2]?.rights = DESFireRights(0x0000)
    #expect(failure { try lock(state) }?.cause == .type4(.unreadable(StatusWord(0x69, 0x82))))
  }
}
