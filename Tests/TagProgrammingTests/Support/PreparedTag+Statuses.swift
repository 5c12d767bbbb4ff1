import Bytes
import TagMemory

@testable import TagProgramming

/// Ultralights and NTAGs that let less be written than others, or have less room.
extension PreparedTag {
  /// Tags whose status, or room for a message, is not that of a new one.
  static let type2Statuses =
    type2.filter { $0.name.hasPrefix("protected") }.map { tag in
      PreparedTag(
        name: tag.name + ", opened", product: tag.product, jobs: tag.jobs,
        credentials: Credentials(password: password), damage: tag.damage)
    }
    + ["ultralight-ev1-11", "ntag213", "ultralight-c", "ntag-i2c-1k", "ntag213tt", "ntag213c"]
    .flatMap(statuses)

  private static func statuses(_ product: String) -> [PreparedTag] {
    let short = FaultCase.short
    let tag = Maker(product: product)
    let writable: [UInt8] = [0xE1, 0x10, 0x06, 0]
    func area(_ hex: String) -> @Sendable (inout [UInt8]) -> Void {
      { memory in
        // Each text is a literal of this function.
        let bytes = try! Hex.bytes(hex)
        memory.replaceSubrange(12..<16, with: writable)
        memory.replaceSubrange(16..<16 + bytes.count, with: bytes)
      }
    }
    let message = "0314D10110550465" + "78616D706C652E636F6D2F742F31FE"
    return [
      tag("write access 8", [short]) { $0[15] = 0x08 },
      tag("write access 1", [short]) { $0[15] = 0x01 },
      tag("write access 8, no message", []) { $0[15] = 0x08 },
      tag("page 12 locked", []) { $0[11] |= 0x10 },
      tag("page 12 locked, a message", [short]) { $0[11] |= 0x10 },
      tag("a control TLV that fills the first pages", [], area("0203600444000000" + message)),
      tag("NULL TLVs that fill the first pages", [], area("0000000000000000" + message)),
      tag("a TLV of others that fills the first pages", [], area("FD06414243444546" + message)),
      tag("a control TLV and no message", [], area("02031804440000000000000000")),
      tag("a control TLV and a terminator", [], area("0203180444FE0000")),
      tag("zeros behind a container", [], area("0000000000000000")),
      tag("the rest of a message behind a control TLV", [FaultCase.write(FaultCase.media(100))]) {
        $0.replaceSubrange(16..<24, with: [0x02, 0x03, 0x18, 0x04, 0x44, 0, 0, 0])
      },
    ]
  }
}
