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
    #expect(wrong.failure?.what == "The tag refused the password.")
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

  @Test("below a mirror the shown text counts, and the second run writes nothing")
  func mirror() throws {
    // The UID from page 8, byte 1 on: 14 characters over the placeholder.
    let bench = try Self.bench(auth0: 0xFF, access: 0, mirror: [0x54, 0, 0x08])
    let message = try url("https://a.example/00000000000000")
    let written = bench.run(.write(message, WriteOptions()))
    #expect(written.failure == nil)
    #expect(bench.run(.write(message, WriteOptions())).result == .unchanged)
  }

  @Test("info says what protects the tag")
  func info() throws {
    let report = try Self.bench(auth0: 8, access: 0).run(.info)
    #expect(
      report.details.contains(
        TagReport.Detail("password", "the password is needed to write from page 8 on")))
    #expect(report.status == .readOnly)
    let hidden = try Self.bench(auth0: 4, access: 0x80).run(.info)
    #expect(hidden.failure == nil)
    #expect(
      hidden.details.contains(
        TagReport.Detail("password", "set: the configuration cannot be read")))
  }
}
