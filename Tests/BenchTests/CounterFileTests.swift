import Dispatch
import Synchronization
import TagMemory
import Testing

@testable import Bench

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("The counter of a tag that is played")
final class CounterFileTests {
  private let folder: String
  private let keys: String
  private var path: String { keys + ".live-counters" }
  private static let uid = UID([4, 1, 2, 3, 4, 5, 6])

  init() throws {
    let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    folder = "\(parent)/counters-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    keys = folder + "/shop.keys"
    try write("keys", to: keys)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The code of the failure to take a tag.
  private func failure(_ keys: String? = nil, tag: UID? = uid) -> BenchError.Code? {
    do throws(BenchError) {
      _ = try CounterFile(besideKeys: keys ?? self.keys, tag: tag)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("rises from 1, is in the file before anybody gets it, and goes on from run to run")
  func rises() throws {
    for run in 0..<3 {
      let counters = try CounterFile(besideKeys: keys, tag: Self.uid)
      for number in 1...4 {
        #expect(try counters.next() == 4 * run + number)
        #expect(text(path) == "04010203040506 \(4 * run + number)\nend\n")
      }
    }
  }

  @Test("the tag of the first run stays, others have their own counters")
  func tags() throws {
    let first = try CounterFile(besideKeys: keys, tag: nil)
    #expect(first.uid.bytes.count == 7 && first.uid.bytes[0] == 4)
    _ = try first.next()
    let other = try CounterFile(besideKeys: keys, tag: Self.uid)
    #expect(try other.next() == 1)
    let again = try CounterFile(besideKeys: keys, tag: nil)
    #expect(again.uid == first.uid)
    #expect(try again.next() == 2)
  }

  @Test("nobody is given a number twice, however many play the tag")
  func together() throws {
    let taken = Mutex<[Int]>([])
    let keys = keys
    DispatchQueue.concurrentPerform(iterations: 6) { _ in
      guard let counters = try? CounterFile(besideKeys: keys, tag: Self.uid) else { return }
      var last = 0
      for _ in 0..<20 {
        guard let number = try? counters.next() else { return }
        #expect(number > last)
        last = number
        taken.withLock { $0.append(number) }
      }
    }
    #expect(taken.withLock { $0.sorted() } == Array(1...120))
  }

  @Test("a file that has lost any of its bytes at the end is refused, and left as it is")
  func torn() throws {
    let whole = "04010203040506 12\n04aabbccddeeff 3\nend\n"
    for count in 0..<whole.utf8.count {
      let part = String(whole.prefix(count))
      try write(part, to: path)
      #expect(failure() == .badInput, "\(count) bytes")
      #expect(failure(tag: nil) == .badInput, "\(count) bytes")
      #expect(text(path) == part)
    }
    try write(whole, to: path)
    #expect(failure() == nil)
  }

  @Test(
    "a line that this program would not write is refused",
    arguments: [
      "04010203040506", "04010203040506 +5", "04010203040506 05", "04010203040506 -1",
      "04010203040506  5", "0401020304 5", "040102030405060708 5", "04010203040506 16777216",
      "04010203040506 5\r", "04010203040506 5 6", "04010203040506 x", "end", "", "\u{0}",
      "04010203040506 1\n04010203040506 2", "0401020304050A 5",
    ])
  func damaged(line: String) throws {
    try write(line + "\nend\n", to: path)
    #expect(failure() == .badInput)
    #expect(text(path) == line + "\nend\n")
  }

  @Test(
    "what is no file of its own keeps no counter: links, pipes, folders, what is write-protected")
  func unfit() throws {
    let whole = "04010203040506 12\nend\n"
    let other = folder + "/other"
    func expectRefusal(_ what: String, _ make: () throws -> Void) throws {
      try? FileManager.default.removeItem(atPath: path)
      try write(whole, to: other)
      try make()
      #expect(failure() == .cannotCreate, "\(what)")
      #expect(text(other) == whole, "\(what)")
    }
    try expectRefusal("a link") { #expect(unsafe symlink(other, path) == 0) }
    try expectRefusal("a link to nothing") { #expect(unsafe symlink(folder + "/none", path) == 0) }
    try expectRefusal("a second name") { #expect(unsafe link(other, path) == 0) }
    try expectRefusal("a pipe") { #expect(unsafe mkfifo(path, 0o600) == 0) }
    try expectRefusal("a folder") { #expect(unsafe mkdir(path, 0o700) == 0) }
    try expectRefusal("a device") { #expect(unsafe symlink("/dev/full", path) == 0) }
    try expectRefusal("write-protected") {
      try write(whole, to: path)
      #expect(unsafe chmod(path, 0o444) == 0)
    }
    try expectRefusal("the draft's name is taken") {
      #expect(unsafe mkdir(path + ".draft", 0o700) == 0)
    }
  }

  @Test("what a program that was killed has left is in nobody's way")
  func leftOver() throws {
    let counters = try CounterFile(besideKeys: keys, tag: Self.uid)
    try write("04010203040506 99999 and more than the whole file had before", to: path + ".draft")
    #expect(try counters.next() == 1)
    #expect(text(path) == "04010203040506 1\nend\n")
    #expect(text(path + ".draft") == nil)
  }

  @Test("a file that is removed or put back under a tag that is played gives out no number")
  func putBack() throws {
    let counters = try CounterFile(besideKeys: keys, tag: Self.uid)
    for _ in 1...5 { _ = try counters.next() }
    let changes: [() throws -> Void] = [
      { try self.write("04010203040506 4\nend\n", to: self.path) },
      { try self.write("04aabbccddeeff 9\nend\n", to: self.path) },
      { try FileManager.default.removeItem(atPath: self.path) },
    ]
    for change in changes {
      try change()
      #expect(throws: BenchError.self) { try counters.next() }
    }
    try write("04010203040506 7\nend\n", to: path)
    #expect(try counters.next() == 8)
  }

  @Test("the last number is given out, and none behind it")
  func usedUp() throws {
    try write("04010203040506 16777214\nend\n", to: path)
    let counters = try CounterFile(besideKeys: keys, tag: Self.uid)
    #expect(try counters.next() == SUNReading.lastCounter)
    #expect(throws: BenchError.self) { try counters.next() }
    #expect(failure() == .refused)
    #expect(text(path) == "04010203040506 16777215\nend\n")
  }

  @Test("keys have one counter, whichever link leads to them; keys of a pipe have none")
  func names() throws {
    let inner = folder + "/inner"
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
    #expect(unsafe symlink(keys, inner + "/other.keys") == 0)
    #expect(unsafe symlink(folder, folder + "/loop") == 0)
    for (index, name) in ["/shop.keys", "/inner/other.keys", "/loop/shop.keys"].enumerated() {
      let counters = try CounterFile(besideKeys: folder + name, tag: Self.uid)
      #expect(try counters.next() == index + 1)
      #expect(counters.path == path)
    }
    #expect(unsafe mkfifo(folder + "/pipe", 0o600) == 0)
    #expect(failure(folder + "/pipe") == .badInput)
    #expect(failure(folder) == .badInput)
    #expect(failure(folder + "/none") == .badInput)
  }
}
