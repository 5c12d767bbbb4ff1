@testable import TagProgramming

/// Jobs of several parts, of which the later ones are planned on what the earlier ones leave.
extension FaultCase {
  static let wholes = [
    whole("URL and lock", on: "the last sector as delivered", lockedOther),
    whole("format with URL", on: "a TLV beyond the area", formatURL),
    whole("URL", on: "a directory alone", short),
  ]

  private static let lockedOther: Job = {
    guard case .write(let message, var options) = other else { preconditionFailure() }
    options.lock = true
    return .write(message, options)
  }()

  private static let formatURL = PreparedTag.format { $0.message = PreparedTag.url }

  private static func whole(_ name: String, on state: String, _ job: Job) -> FaultCase {
    let tag = PreparedTag.classics.first { $0.testDescription == "mini, \(state)" }!
    let memory = try! tag.bench().memory
    return FaultCase(
      name: "\(name), \(state)", product: "mini", prepare: { $0.tag.eeprom.load(memory) }, job: job)
  }
}
