import Bytes
import NDEF
import PN532Simulator
import Testing

@testable import TagProgramming

/// A message that is copied keeps the bytes that it has, which need not be canonical.
@Suite("Messages byte for byte")
struct EncodingTests {
  /// A name, and a message that serializing again would write otherwise.
  static let encodings = [
    ("a long length field", "C1 01 00000003 55 04612E"),
    ("chunks", "B2 0A 03 746578742F706C61696E 616263 56 00 03 646566"),
    ("an ID length of 0", "D9 01 03 00 55 04612E"),
  ]

  @Test(
    "is written and read back as it stands elsewhere", arguments: encodings,
    ["ntag213", "ultralight", "classic1k", "classic1k formatted"])
  func kept(_ encoding: (name: String, hex: String), on item: String) throws {
    let bytes = try Hex.bytes(encoding.hex.filter { $0 != " " })
    let bench = try Bench(String(item.prefix { $0 != " " }))
    if item.hasSuffix("formatted") { _ = bench.run(.formatClassic(ClassicFormat())) }
    var options = WriteOptions()
    options.encoding = bytes
    let report = bench.run(.write(try Message(parsing: bytes), options))
    #expect(
      report.result == .written, "\(encoding.name) on \(item): \(report.failure?.message ?? "")")
    #expect(report.content.stored == bytes)
    #expect(bench.run(.read).content.shown == bytes)
  }
}
