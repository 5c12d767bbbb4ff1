import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A board that reports a tag's refusal as status 00h without data: what should be there and is not
/// is a refusal, and a password is proved by what the tag keeps.
@Suite("Ultralight and NTAG on a board that hides refusals")
struct HiddenRefusalTests {
  static let tags = PreparedTag.type2.filter { Exhaustive.includes($0.testDescription) }

  @Test("each job ends as on a board that shows them, and leaves the same memory", arguments: tags)
  func same(_ tag: PreparedTag) throws {
    var hidden = BoardDeviations()
    hidden.hidesRefusals = true
    let jobs = PreparedTag.type2Jobs + [("read", .read), ("dump", .dump)]
    // Each job on some of the tags, another third of them for each tag.
    let shift = tag.testDescription.utf8.reduce(0) { $0 &+ Int($1) } % 3
    let some = tag.some(of: jobs).enumerated()
      .filter { Exhaustive.isAsked || $0.offset % 3 == shift }.map(\.element)
    for (name, job) in some {
      for password in [nil, PreparedTag.password, [1, 2, 3, 4]] {
        let (shown, other) = (try tag.bench(), try tag.bench())
        let bench = Bench(other.tag, deviations: hidden)
        let expected = shown.run(job) { $0.credentials.password = password }
        let report = bench.run(job) { $0.credentials.password = password }
        let what: Comment = "\(name), \(report.failure.map { "\($0)" } ?? "")"
        #expect(report.result == expected.result, what)
        #expect(report.failure?.kind == expected.failure?.kind, what)
        #expect(report.content == expected.content, what)
        #expect(bench.memory == shown.memory, what)
      }
    }
  }

  @Test(
    "a new password lets its owner in, and nobody else, and goes again",
    arguments: [
      "ntag210", "ntag212", "ntag213", "ntag215", "ntag216", "ultralight-ev1-11",
      "ultralight-ev1-21", "ultralight-c", "ultralight-aes",
    ], [false, true])
  func password(_ product: String, readToo: Bool) throws {
    let bench = try Bench(deviating: "\(product),naks=hidden")
    #expect(bench.run(FaultCase.short).failure == nil)
    let map = try #require(Product.named(product)?.type2)
    let secrets =
      map.key == nil
      ? [[0x11, 0x22, 0x33, 0x44], [0x55, 0x66, 0x77, 0x88]]
      : [[UInt8](0x20...0x2F), [UInt8](0x40...0x4F)]
    func run(_ job: Job, _ password: [UInt8]? = nil) -> TagReport {
      bench.run(job) { $0.credentials.password = password }
    }
    var before: [UInt8]?
    for secret in secrets {
      // A tag that hides whether it counts wrong passwords gets none that the job replaces.
      if readToo, before != nil, map.tripleDES == nil {
        #expect(run(.unprotect, before).failure == nil)
      }
      let report = run(.protect(Protection(secret: secret, readToo: readToo)), before)
      #expect(report.failure == nil, "\(report.failure.map { "\($0)" } ?? "")")
      // The one from before, none and a wrong one are refused, and change nothing.
      let memory = bench.memory
      for wrong in [before, nil, secret.reversed()] {
        #expect(run(FaultCase.other, wrong).failure?.kind == .refused)
        #expect(run(.unprotect, wrong).failure?.kind == .refused)
        #expect(run(.lock(force: true), wrong).failure?.kind == .refused)
        let isReadable = wrong == nil && !readToo
        #expect(run(.read, wrong).failure?.kind == (isReadable ? nil : .refused))
        #expect(bench.memory == memory)
      }
      let read = run(.read, secret)
      #expect(read.failure == nil && read.message == PreparedTag.url, "\(read)")
      before = secret
    }
    #expect(run(FaultCase.other, before).failure == nil)
    let locked = run(PreparedTag.write { $0.lock = true }, before)
    #expect(locked.failure == nil, "\(locked.failure.map { "\($0)" } ?? "")")
    #expect(run(FaultCase.other, before).failure?.kind == .refused)
    #expect(run(.read, before).message == PreparedTag.url)
  }
}
