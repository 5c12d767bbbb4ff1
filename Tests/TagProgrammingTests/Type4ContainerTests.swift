import Bytes
import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("What a capability container says of its file, and what every job makes of it")
struct Type4ContainerTests {
  private static let link = "https://e.org"
  private static let mappings = [1, 2, 3]

  @Test("a file of any size is read to its end and no further", arguments: mappings)
  func sizes(_ mapping: Int) throws {
    let least = mapping == 3 ? 7 : 5
    for size in Array(least...70) + [255, 256, 257] {
      for behaviour in ["short", "6cxx", "6700"] {
        let text = "type4,size=\(size),mapping=\(mapping),longread=\(behaviour)"
        let bench = try Bench(deviating: text)
        let room = size - (mapping == 3 ? 4 : 2)
        // Where the link has no room, an empty record is as short as a message can be.
        let message = room < 10 ? Message(.empty) : try url(Self.link)
        let written = bench.run(.write(message, WriteOptions()))
        #expect(written.failure == nil && written.verified, "\(text): \(written)")
        for job in [Job.info, .read, .dump] {
          let report = bench.run(job)
          #expect(report.failure == nil && report.message == message, "\(text), \(job): \(report)")
          #expect(report.description.status == .readWrite, "\(text), \(job)")
        }
        let dump = bench.run(.dump).dump?.image.files.last
        #expect(dump?.bytes.count == size, "\(text)")
      }
    }
  }

  @Test("a tag that gives less than its container says is read as far as its message goes")
  func shortMemory() throws {
    let bench = try Bench(deviating: "type4,size=50")
    #expect(bench.run(.write(try url(Self.link), WriteOptions())).failure == nil)
    var memory = bench.memory
    memory.replaceSubrange(11..<13, with: [0x08, 0x00])
    bench.tag.eeprom.load(memory)
    let message = try url(Self.link)
    #expect(bench.run(.read).message == message)
  }

  @Test("whatever MLe is, every job finds the same", arguments: mappings)
  func longestRead(_ mapping: Int) throws {
    for count in 0...20 {
      for behaviour in ["short", "6cxx", "6700"] {
        let name = "mapping \(mapping), MLe \(count), \(behaviour)"
        let text = "type4,mapping=\(mapping),longread=\(behaviour)"
        let bench = try holding(text, longestRead: count, longestWrite: 0xF6)
        let reports = [Job.info, .read, .dump].map { bench.run($0) }
        let isRead = count > 0
        for report in reports {
          #expect((report.failure == nil) == isRead || report.result == .read, "\(name): \(report)")
          #expect((report.message != nil) == isRead, "\(name): \(report)")
          #expect(report.description.status == (isRead ? .readWrite : .notSupported), "\(name)")
        }
        try expectTruth(bench, name, status: isRead ? .readWrite : .notSupported)
      }
    }
  }

  @Test("MLc says whether a message can be written, before anything is", arguments: mappings)
  func longestWrite(_ mapping: Int) throws {
    for count in 0...16 {
      let bench = try holding("type4,mapping=\(mapping)", longestRead: 0xF6, longestWrite: count)
      let isWritable = count >= (mapping == 3 ? 4 : 2)
      let name = "mapping \(mapping), MLc \(count)"
      let found = bench.run(.info).description
      let status: NDEFStatus = isWritable ? .readWrite : .readOnly
      #expect(found.status == status, "\(name)")
      #expect(found.findings.contains { $0.code == "cc-mlc" } == (count < 13), "\(name)")
      try expectTruth(bench, name, status: status)
    }
  }

  /// A tag with a message, whose container has other limits than when that was written.
  private func holding(_ text: String, longestRead: Int, longestWrite: Int) throws -> Bench {
    let bench = try Bench(deviating: text)
    #expect(bench.run(.write(try url(Self.link), WriteOptions())).failure == nil)
    var memory = bench.memory
    memory.replaceSubrange(
      3..<7,
      with: [longestRead, longestWrite].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    bench.tag.eeprom.load(memory)
    return bench
  }

  /// A tag that is said to be writable is written, any other is left as it is; a dry run ends as
  /// the run does.
  private func expectTruth(_ bench: Bench, _ name: String, status: NDEFStatus) throws {
    let before = bench.memory
    let another = try url("https://example.com/another")
    let job = Job.write(another, WriteOptions())
    let planned = bench.run(job) { $0.dryRun = true }
    #expect(bench.memory == before, "\(name)")
    let written = bench.run(job)
    #expect((written.failure == nil) == (status == .readWrite), "\(name): \(written)")
    #expect(planned.failure?.kind == written.failure?.kind, "\(name): \(planned)")
    if status != .readWrite {
      #expect(written.failure?.kind == .refused && bench.memory == before, "\(name): \(written)")
    } else {
      #expect(bench.run(.read).message == another, "\(name)")
    }
  }
}
