import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import TagProgramming

/// What a tag held is read before its first write, and the job ends as it does without that.
@Suite("The memory kept before a tag is changed")
struct KeptMemoryTests {
  private struct Family {
    let tags: [PreparedTag]
    let jobs: [(name: String, job: Job)]
  }

  private static let families = [
    Family(tags: PreparedTag.type2, jobs: PreparedTag.type2Jobs),
    Family(tags: PreparedTag.classics, jobs: PreparedTag.classicJobs),
    Family(tags: PreparedTag.felica, jobs: PreparedTag.felicaJobs),
    Family(tags: PreparedTag.type4, jobs: PreparedTag.type4Jobs),
  ]

  /// Every ninth tag, and all in the exhaustive run.
  private static let trials = families.flatMap { family in
    family.tags.enumerated().filter {
      (Exhaustive.isAsked || $0.offset % 9 == 0) && Exhaustive.includes($0.element.testDescription)
    }.map { ($0.element, family.jobs) }
  }

  @Test(
    "is what a dump shows, once, and changes no report and no byte", arguments: trials.indices)
  func same(_ index: Int) throws {
    let (tag, jobs) = Self.trials[index]
    let dump = try tag.bench().run(.dump) { $0.credentials = tag.credentials }.dump
    for (number, (name, job)) in tag.some(of: jobs).enumerated() {
      let plain = try tag.bench()
      let before = plain.memory
      let wanted = plain.run(job) { $0.credentials = tag.credentials }
      for lost in [nil, 3 + (index + number * 5) % 24] {
        let run = try Kept(tag, job, losingAnswer: lost)
        let what = "\(tag.testDescription), \(name), lost \(lost ?? 0)"
        #expect(run.count <= 1, "\(what)")
        #expect(run.bench.memory == before || run.count == 1, "\(what): changed, nothing kept")
        #expect(run.count == 0 || run.memoryThen == before, "\(what): kept after a write")
        guard lost == nil else { continue }
        let said = run.report.failure.map { "\($0)" } ?? ""
        #expect(run.report.result == wanted.result, "\(what): \(said)")
        #expect(run.bench.memory == plain.memory, "\(what)")
        // The job may know a key that a dump was not given.
        let kept = run.dump?.image.bytes ?? []
        let isSame = zip(kept, dump?.image.bytes ?? []).allSatisfy { $1 == nil || $0 == $1 }
        #expect(run.count == 0 || isSame && kept.count == dump?.image.bytes.count ?? 0, "\(what)")
      }
    }
  }

  /// A run that keeps what the tag held.
  private struct Kept {
    var bench: Bench
    var report: TagReport
    var count = 0
    var dump: TagDump?
    var memoryThen: [UInt8] = []

    init(_ tag: PreparedTag, _ job: Job, losingAnswer place: Int?) throws {
      var bench = try tag.bench()
      bench.hostFault = place.map { DirectLink.Fault(place: $0, kind: .answerLost) }
      var (count, kept, memory) = (0, TagDump?.none, [UInt8]())
      report = bench.run(job) {
        $0.credentials = tag.credentials
      } keep: { [bench] seen in
        (count, kept, memory) = (count + 1, seen.dump, bench.memory)
      }
      (self.bench, self.count, dump, memoryThen) = (bench, count, kept, memory)
    }
  }

  @Test(
    "a dry run finds out what a run could not keep, under all access conditions",
    arguments: DataCondition.allCases)
  func foreseen(_ data: DataCondition) throws {
    for trailer in TrailerCondition.allCases {
      for job in [Job.resetClassic, .eraseClassic, PreparedTag.format { $0.overwrite = true }] {
        for keys in [[], [FaultCase.ownKeyB]] {
          let bench = try Bench("mini")
          _ = bench.run(FaultCase.formatWithKeyB)
          FaultCase.set(AccessConditions(data: data, trailer: trailer), of: 2, bench)
          let before = bench.memory
          var lost: [[Int]] = []
          let plan = bench.run(job) {
            ($0.dryRun, $0.credentials.keys) = (true, keys)
          } keep: {
            lost.append($0.lost)
          }
          #expect(bench.memory == before)
          let report = bench.run(job) {
            $0.credentials.keys = keys
          } keep: {
            lost.append($0.lost)
          }
          let what = "\(data) \(trailer), \(job), \(keys)"
          #expect(plan.failure?.cause == report.failure?.cause, "\(what)")
          let isKept = plan.result == .planned
          #expect(lost.count == (isKept ? 2 : 0), "\(what): \(lost)")
          #expect(lost.first == lost.last, "\(what): \(lost)")
        }
      }
    }
  }

  @Test("whoever cannot keep it stops the job before the first write")
  func stopped() throws {
    for product in ["ntag213", "classic1k", "felica-lite-s", "type4"] {
      let bench = try Bench(product)
      #expect(bench.run(FaultCase.short).failure == nil)
      let before = bench.memory
      var isLost = false
      let reader = TagReader(link: DirectLink(bench.chip, log: nil))
      if bench.tag.technology == .f { reader.technologies = [.feliCa] }
      try reader.prepare()
      let programmer = Programmer(reader: reader, shouldStop: { isLost })
      programmer.keepMemory = { _ in isLost = true }
      let report = programmer.run(FaultCase.other)
      #expect(report.failure?.kind == .interrupted, "\(product)")
      #expect(bench.memory == before && isLost, "\(product)")
    }
  }
}
