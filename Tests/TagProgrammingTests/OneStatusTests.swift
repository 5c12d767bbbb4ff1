import TagMemory
import Testing

@testable import TagProgramming

/// What a telephone can do with a tag is one question, whichever job asks it.
@Suite("What every job says of a tag's status")
struct OneStatusTests {
  @Test("is that of info for a MIFARE Classic", arguments: PreparedTag.classics)
  func classics(_ tag: PreparedTag) throws { try requireAgreement(tag, PreparedTag.classicJobs) }

  /// Demands that each job says what `info` says of the tag: before its first write, and in the
  /// end.
  private func requireAgreement(_ tag: PreparedTag, _ jobs: [(name: String, job: Job)]) throws {
    let prepared = try tag.bench()
    let memory = prepared.memory
    let found = prepared.run(.info)
    for (name, job) in [("info", .info), ("read", .read), ("dump", .dump)] + tag.some(of: jobs) {
      let bench = try tag.bench()
      let planned = bench.run(job) { options in
        options.dryRun = true
        options.credentials = tag.credentials
      }
      #expect(bench.memory == memory, "\(name)")
      compare(planned, found, job, "\(name), dry run")
      guard !job.onlyLooks else { continue }
      let report = bench.run(job) { $0.credentials = tag.credentials }
      guard report.failure == nil else { continue }
      compare(report, bench.run(.info), job, name)
    }
  }

  /// What was not looked at is not said; but that a password, or a lock bit of a later page, keeps
  /// a telephone from writing, only some jobs look for.
  private func compare(_ report: TagReport, _ info: TagReport, _ job: Job, _ name: String) {
    if let status = report.status, status != info.status {
      let codes = info.findings.map(\.code)
      let mayBeUnseen = !Set(codes).isDisjoint(with: ["password", "locked-pages", "not-known"])
      #expect(
        status == .readWrite && info.status == .readOnly && mayBeUnseen && job.leavesRightsUnread
          || report.failure.map(\.isBeforeLooking) ?? false,
        "\(name): \(status), info \(info.status.map { "\($0)" } ?? "nothing")")
    }
    func agree<Value: Equatable>(_ what: String, _ value: KeyPath<TagDescription, Value?>) {
      guard let one = report.description[keyPath: value],
        let other = info.description[keyPath: value]
      else { return }
      #expect(one == other, "\(name): \(what)")
    }
    // A dry run tells the room that there will be.
    if !report.isDryRun { agree("capacity", \.capacity) }
    agree("locked", \.isLocked)
    agree("under a password", \.isPasswordProtected)
    agree("obstacle", \.shownContent.obstacle?.opener)
  }

  @Test(
    "is that of info for a Type 2 tag, whoever has its password",
    arguments: PreparedTag.type2 + PreparedTag.type2Statuses)
  func type2(_ tag: PreparedTag) throws { try requireAgreement(tag, PreparedTag.type2Jobs) }

  @Test("is that of info for a FeliCa tag", arguments: PreparedTag.felica)
  func felica(_ tag: PreparedTag) throws { try requireAgreement(tag, PreparedTag.felicaJobs) }

  @Test("is that of info for a Type 4 tag", arguments: PreparedTag.type4)
  func type4(_ tag: PreparedTag) throws { try requireAgreement(tag, PreparedTag.type4Jobs) }
}

extension JobFailure {
  /// Is true if the job was refused for what the operator gave, before the rest was looked at.
  fileprivate var isBeforeLooking: Bool {
    if case .type2(.secretLength) = cause { true } else { false }
  }
}

extension Job {
  /// Is true if it needs no more of a Type 2 tag's rights than those that its first pages tell.
  fileprivate var leavesRightsUnread: Bool {
    switch self {
    case .read: true
    case .write(_, let options): !options.lock && options.protection == nil
    default: false
    }
  }
}
