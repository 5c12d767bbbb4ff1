import Testing

@testable import TagMemory

/// What the eight bits of one lock byte do: a line of the table below.
struct LockByteRow: Sendable, CustomTestStringConvertible {
  enum Meaning: Equatable {
    case nothing
    case locks(ClosedRange<Page>)
    case freezes(ClosedRange<Page>)
  }

  let chip: String
  let page: Page
  let byte: Int
  let bits: [Meaning]

  var testDescription: String { "\(chip), byte \(byte)" }

  init(_ line: Substring) throws {
    let fields = line.split(separator: " ")
    chip = String(fields[0])
    page = try #require(Int(fields[1]).flatMap(Page.init(exactly:)))
    byte = try #require(Int(fields[2]))
    bits = try fields.dropFirst(3).map { field in
      guard field != "-" else { return .nothing }
      let ends = field.dropFirst().split(separator: "-").compactMap {
        Int($0).flatMap(Page.init(exactly:))
      }
      let (first, last) = (try #require(ends.first), try #require(ends.last))
      let pages = first...last
      return field.hasPrefix("L") ? .locks(pages) : .freezes(pages)
    }
    try #require(bits.count == 8)
  }

  static func load() throws -> [LockByteRow] {
    try table.split(separator: "\n").map(LockByteRow.init)
  }

  func map() throws -> LockMap {
    chip == "static" ? .static : try #require(Product.named(chip)?.type2?.dynamicLocks)
  }

  /// Chip, page, byte of the page, then bits 0 to 7: `L` and the pages that the bit locks, `F` and
  /// the pages whose lock bits it freezes, `-` nothing. MF0ICU1 7.5.2, MF0ICU2 7.5.3, NTAG203
  /// 8.5.2, MF0ULX1 8.5.3, NTAG210/212 8.5.3, NTAG213/215/216 8.5.3; NT3H1101/NT3H1201 and
  /// NT3H2111/NT3H2211 8.3.8; of Ultralight AES see `LockMap.ultralightAES`.
  private static let table = """
    static             2   2  F3      F4-9    F10-15  L3      L4      L5      L6      L7
    static             2   3  L8      L9      L10     L11     L12     L13     L14     L15
    ultralight-c       40  0  F16-27  L16-19  L20-23  L24-27  F28-39  L28-31  L32-35  L36-39
    ultralight-c       40  1  F41     F42     F43     F44-47  L41     L42     L43     L44-47
    ntag203            40  0  F16-27  L16-19  L20-23  L24-27  F28-39  L28-31  L32-35  L36-39
    ntag203            40  1  F41     -       -       -       L41     -       -       -
    ultralight-aes     40  0  L16-17  L18-19  L20-21  L22-23  L24-25  L26-27  L28-29  L30-31
    ultralight-aes     40  1  L32-33  L34-35  L36-37  L38-39  -       -       -       -
    ultralight-aes     40  2  F16-19  F20-23  F24-27  F28-31  F32-35  F36-39  -       -
    ultralight-ev1-21  36  0  L16-17  L18-19  L20-21  L22-23  L24-25  L26-27  L28-29  L30-31
    ultralight-ev1-21  36  1  L32-33  L34-35  -       -       -       -       -       -
    ultralight-ev1-21  36  2  F16-19  F20-23  F24-27  F28-31  F32-35  -       -       -
    ntag212            36  0  L16-17  L18-19  L20-21  L22-23  L24-25  L26-27  L28-29  L30-31
    ntag212            36  1  L32-33  L34-35  -       -       -       -       -       -
    ntag212            36  2  F16-19  F20-23  F24-27  F28-31  F32-35  -       -       -
    ntag213            40  0  L16-17  L18-19  L20-21  L22-23  L24-25  L26-27  L28-29  L30-31
    ntag213            40  1  L32-33  L34-35  L36-37  L38-39  -       -       -       -
    ntag213            40  2  F16-19  F20-23  F24-27  F28-31  F32-35  F36-39  -       -
    ntag215            130 0  L16-31  L32-47  L48-63  L64-79  L80-95  L96-111 L112-127 L128-129
    ntag215            130 1  -       -       -       -       -       -       -       -
    ntag215            130 2  F16-47  F48-79  F80-111 F112-129 -      -       -       -
    ntag216            226 0  L16-31  L32-47  L48-63  L64-79  L80-95  L96-111 L112-127 L128-143
    ntag216            226 1  L144-159 L160-175 L176-191 L192-207 L208-223 L224-225 - -
    ntag216            226 2  F16-47  F48-79  F80-111 F112-143 F144-175 F176-207 F208-225 -
    ntag-i2c-2k        480 0  L16-47  L48-79  L80-111 L112-143 L144-175 L176-207 L208-239 L240-271
    ntag-i2c-2k        480 1  L272-303 L304-335 L336-367 L368-399 L400-431 L432-463 L464-479 -
    ntag-i2c-2k        480 2  F16-79  F80-143 F144-207 F208-271 F272-335 F336-399 F400-463 F464-479
    ntag-i2c-plus-2k   226 0  L16-47  L48-79  L80-111 L112-143 L144-175 L176-207 L208-225 L256-271
    ntag-i2c-plus-2k   226 1  L272-303 L304-335 L336-367 L368-399 L400-431 L432-463 L464-495 L496-511
    ntag-i2c-plus-2k   226 2  F16-79  F80-143 F144-207 F208-271 F272-335 F336-399 F400-463 F464-511
    """
}
