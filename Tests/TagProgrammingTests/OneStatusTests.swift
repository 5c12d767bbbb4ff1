import TagMemory
import Testing

@testable import TagProgramming

/// What a telephone can do with a tag is one question, whichever job asks it.
@Suite("What every job says of a tag's status")
struct OneStatusTests {
  /// The statuses that jobs tell of a tag that none of them has changed.
  private func statuses(_ tag: PreparedTag, _ jobs: [(name: String, job: Job)]) throws
    -> [NDEFStatus: [String]]
  {
    let bench = try tag.bench()
    let memory = bench.memory
    var found: [NDEFStatus: [String]] = [:]
    for (name, job) in [("info", .info), ("read", .read), ("dump", .dump)] + tag.some(of: jobs) {
      let report = bench.run(job) { options in
        options.dryRun = true
        options.credentials = tag.credentials
      }
      #expect(bench.memory == memory, "\(name)")
      if let status = report.status { found[status, default: []].append(name) }
    }
    return found
  }

  @Test("is one for a MIFARE Classic", arguments: PreparedTag.classics)
  func classics(_ tag: PreparedTag) throws {
    let found = try statuses(tag, PreparedTag.classicJobs)
    #expect(found.count == 1, "\(found)")
  }
}
