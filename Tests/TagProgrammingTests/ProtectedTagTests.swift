import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Tags with a password, a mirror or locked pages")
struct ProtectedTagTests {
  private static let password: [UInt8] = [0x11, 0x22, 0x33, 0x44]
  private static let message = "https://example.com/t/0001"

  /// A factory NTAG213 with CFG0, CFG1, PWD and PACK replaced.
  private static func bench(auth0: UInt8, access: UInt8, mirror: [UInt8] = [0x04, 0, 0]) throws
    -> Bench
  {
    let bench = try Bench("ntag213")
    var image = bench.memory
    image.replaceSubrange(
      164..<180, with: mirror + [auth0, access, 0, 0, 0] + password + [0x80, 0x80, 0, 0])
    bench.tag.eeprom.load(image)
    return bench
  }

  @Test(
    "a protected tag is refused untouched without its password, and written with it",
    arguments: [UInt8(4), 8], [UInt8(0x00), 0x80])
  func password(auth0: UInt8, access: UInt8) throws {
    let bench = try Self.bench(auth0: auth0, access: access)
    let before = bench.memory
    let message = try url(Self.message)
    let refused = bench.run(.write(message, WriteOptions()))
    #expect(refused.failure?.kind == .refused)
    #expect(bench.memory == before)
    let wrong = bench.run(.write(message, WriteOptions())) {
      $0.credentials.password = [1, 2, 3, 4]
    }
    #expect(wrong.failure?.kind == .refused)
    #expect(wrong.failure?.isPasswordRefused == true)
    #expect(bench.memory == before)
    let written = bench.run(.write(message, WriteOptions())) {
      $0.credentials.password = Self.password
    }
    #expect(written.failure == nil)
    #expect(written.result == .written)
    let read = bench.run(.read) { $0.credentials.password = Self.password }
    #expect(read.message == message)
    if access == 0 { #expect(bench.run(.read).message == message) }
  }

  @Test("a password that the tag does not ask for is not given: wrong ones may be counted")
  func needlessPassword() throws {
    let bench = try Self.bench(auth0: 0xFF, access: 0x01)
    for _ in 0..<3 {
      let report = bench.run(.write(try url(Self.message), WriteOptions())) {
        $0.credentials.password = [1, 2, 3, 4]
      }
      #expect(report.failure == nil)
    }
  }

  @Test("a message below a frozen mirror is not written, and a shorter one beside it is")
  func mirror() throws {
    // The UID from page 8, byte 1 on: 14 characters over the placeholder.
    let bench = try Self.bench(auth0: 0xFF, access: 0x40, mirror: [0x54, 0, 0x08])
    let message = try url("https://a.example/00000000000000")
    for _ in 1...2 {
      let report = bench.run(.write(message, WriteOptions()))
      #expect(report.failure?.kind == .refused && report.newMessage == .absent)
      #expect(bench.run(.read).messageLength == 0)
    }
    let short = bench.run(.write(try url("https://a.e"), WriteOptions()))
    #expect(short.result == .written && short.mirrored == nil)
    let before = bench.memory
    let report = bench.run(.write(message, WriteOptions()))
    #expect(report.failure?.kind == .refused && report.failure?.holds == .unchanged)
    #expect(bench.memory == before)
  }

  /// Where a mirror starts, CFG0 bytes 0 to 2; the message lies in pages 5 to 11.
  private static let mirrors: [(String, [UInt8])] = [
    ("the UID over the length", [0x54, 0, 4]),
    ("the UID over the record's header", [0x74, 0, 5]),
    ("the UID over the code of the prefix", [0x64, 0, 6]),
    ("the counter over the type", [0xA4, 0, 6]),
    ("UID and counter over the head and a part of the link", [0xC4, 0, 5]),
  ]

  @Test(
    "a frozen mirror over more than a part of a link is refused: no reader would find the link",
    arguments: mirrors)
  func mirrorOverHead(name: String, mirror: [UInt8]) throws {
    // CFGLCK, and NFC_CNT_EN, without which no counter shows.
    let report = try Self.bench(auth0: 0xFF, access: 0x50, mirror: mirror).run(
      .write(url(Self.message), WriteOptions()))
    #expect(report.failure?.kind == .refused, "\(name)")
    // Where not even a message can be found, that is what is told of.
    let what = report.failure?.what ?? ""
    #expect(what.contains("ASCII mirror") || what.contains("holds other data"), "\(name): \(what)")
  }

  @Test(
    "a message is refused below a frozen mirror, untouched, and written beside one",
    arguments: mirrors.map(\.1) + [[0x54, 0, 8], [0x94, 0, 10]], [false, true])
  func frozenMirror(mirror: [UInt8], isBlank: Bool) throws {
    // CFGLCK, and NFC_CNT_EN, without which no counter shows.
    let bench = try Self.bench(auth0: 0xFF, access: 0x50, mirror: mirror)
    if isBlank {
      bench.tag.eeprom.load(
        Array(bench.memory[..<12]) + [UInt8](repeating: 0, count: 12) + bench.memory[24...])
    }
    let before = bench.memory
    var options = WriteOptions()
    options.mustReadAsWritten = true
    let report = bench.run(.write(try url(Self.message), options))
    #expect(report.failure?.kind == .refused)
    #expect(report.failure?.holds == .unchanged)
    #expect(bench.memory == before)
    let beside = try Self.bench(auth0: 0xFF, access: 0, mirror: [mirror[0], 0, 20])
    #expect(beside.run(.write(try url(Self.message), options)).result == .written)
  }

  @Test("info says what protects the tag")
  func info() throws {
    let report = try Self.bench(auth0: 8, access: 0).run(.info)
    #expect(
      report.details.contains(
        TagDescription.Detail("password", "the password is needed to write page 8 and later pages"))
    )
    #expect(report.status == .readOnly)
    let hidden = try Self.bench(auth0: 4, access: 0x80).run(.info)
    #expect(hidden.failure == nil)
    #expect(
      hidden.details.contains(
        TagDescription.Detail("password", "not known: the configuration cannot be read")))
  }
}
