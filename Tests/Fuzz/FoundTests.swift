import Foundation
import SeededNumbers
import Testing

@Suite("The fuzzers' properties")
struct FoundTests {
  /// By the name that `Tests/Fuzz/run` knows each by. `tag` is of the tests of TagProgramming.
  private static let targets: [String: any FuzzTarget.Type] = [
    "agent": AgentTarget.self, "applinks": AppLinksTarget.self,
    "association": AssociationTarget.self,
    "containers": ContainersTarget.self,
    "csv": CSVTarget.self, "dump": DumpTarget.self, "frames": FramesTarget.self,
    "labels": LabelsTarget.self, "mad": MADTarget.self, "memory": MemoryTarget.self,
    "ndef": NDEFTarget.self, "responder": ResponderTarget.self, "sheet": SheetTarget.self,
    "tagfile": TagFileTarget.self,
    "tlv": TLVTarget.self,
    "trace": TraceTarget.self,
  ]
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  @Test(
    "hold of every seed, of every part of it, and of what once broke them",
    arguments: targets.keys.sorted())
  func hold(name: String) throws {
    let target = try #require(Self.targets[name])
    let seeds = try Self.inputs("Seeds/\(name)")
    #expect(!seeds.isEmpty)
    for (file, bytes) in seeds + (try Self.inputs("Found/\(name)")) {
      #expect(throws: Never.self, "\(file)") { try target.check(bytes) }
      for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)) {
        #expect(throws: Never.self, "\(file), its first \(count) bytes") {
          try target.check(Array(bytes.prefix(count)))
        }
      }
    }
  }

  @Test("hold of seeds with other bytes here and there", arguments: targets.keys.sorted())
  func changed(name: String) throws {
    let target = try #require(Self.targets[name])
    var random = SeededGenerator(seed: 33)
    for (file, seed) in try Self.inputs("Seeds/\(name)") + Self.inputs("Found/\(name)") {
      for round in 0..<(seed.count > 2000 ? 20 : 200) {
        var bytes = seed
        for _ in 0...Int.random(in: 0..<4, using: &random) {
          let place = Int.random(in: bytes.indices, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
          case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          case 2:
            bytes[place] = [0, 1, 2, 3, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &random)!
          default: bytes.insert(bytes.randomElement(using: &random)!, at: place)
          }
        }
        #expect(throws: Never.self, "\(file), change \(round): \(bytes)") {
          try target.check(bytes)
        }
      }
    }
  }

  @Test("have a target for every folder, and a line about everything that was found")
  func complete() throws {
    let manager = FileManager.default
    let seeds = try manager.contentsOfDirectory(atPath: Self.folder.path + "/Seeds")
    #expect(Set(seeds) == Set(Self.targets.keys).union(["tag", "settings"]))
    let readme = try String(
      contentsOf: Self.folder.appending(path: "Found/README.md"), encoding: .utf8)
    let found = try seeds.flatMap { name in
      try Self.inputs("Found/\(name)").map { "\(name)/\($0.file)" }
    }
    let told = readme.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { String($0.split(separator: "`")[1]) }
    #expect(told.sorted() == found.sorted())
  }

  /// The files of a folder below `Tests/Fuzz`, by name; none where there is no such folder.
  private static func inputs(_ path: String) throws -> [(file: String, bytes: [UInt8])] {
    let folder = folder.appending(path: path)
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .map { ($0, Array(try Data(contentsOf: folder.appending(path: $0)))) }
  }
}
