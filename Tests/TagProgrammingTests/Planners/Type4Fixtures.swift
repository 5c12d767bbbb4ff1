import Bytes
import Readers
import TagMemory
import Testing

@testable import TagProgramming

/// What the suites of Type 4 planners have in common: states, applications, and how plans are read.
protocol Type4PlannerSuite {}

extension Type4PlannerSuite {
  func state(_ product: Product, _ version: String? = nil) -> Type4State {
    Type4State(
      uid: UID([4, 1, 2, 3, 4, 5, 6]), atqa: 0x0344, sak: 0x20, product: product,
      version: version.flatMap { DESFireVersion((try? Hex.bytes($0)) ?? []) },
      parameters: ISODEPParameters(ats: []))
  }

  func application(_ container: CapabilityFile) -> Type4State.Application {
    var application = Type4State.Application(naming: .current)
    application.container = container
    application.bytes = container.serialize()
    application.access = BinaryAccess(container, byteCount: 10, command: 261, answer: 262)
    application.known = [0, 3, 0xD0, 0, 0]
    return application
  }

  func blank(free: Int? = 2272, applications: [UInt32] = []) -> Type4State {
    var state = state(.desFireEV1, "04010101001605")
    state.desFire = DESFireState()
    state.desFire?.masterKey = .delivered(.tripleDES)
    state.desFire?.freeMemory = free
    state.desFire?.applications = applications
    return state
  }

  /// A DESFire whose NDEF application is as it is formatted here.
  func formatted(_ rights: DESFireRights = .free, key: DESFireKey?) -> Type4State {
    var state = state(.desFireEV1, "04010101001605")
    var found = DESFireState.Application()
    found.settings = DESFireKeySettings([0x0F, 0xA1])
    found.key = key
    found.files = [
      1: DESFireFileSettings([0, 0] + DESFireRights.readOnly.bytes + [15, 0, 0])!,
      2: DESFireFileSettings([0, 0] + rights.bytes + [64, 0, 0])!,
    ]
    state.desFire = DESFireState()
    state.desFire?.application = found
    return state
  }

  func frames(_ program: TagProgram) -> [String] {
    program.steps.compactMap { step in
      switch step.action {
      case .authenticate(.desFire(let number, let key)): "\(step.place) \(number) \(key)"
      case .perform(let command, .secret): command.name
      case .perform(let command, _): command.frames.map { Hex.string($0) }.joined()
      case .write(let bytes, _): "\(step.place): \(Hex.string(bytes))"
      default: nil
      }
    }
  }
}

/// What `body` is refused with; nil where it is not.
func failure<Value>(_ body: () throws -> Value) -> JobFailure? {
  do { _ = try body() } catch { return error as? JobFailure }
  return nil
}
