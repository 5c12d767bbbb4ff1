import Bytes

/// A Topaz or Jewel tag in the answer to InListPassiveTarget (UM0701-02, 7.3.5).
///
///     Tg ATQA(2, high byte first) Jewel ID(4)
package struct TopazTarget: Hashable, Sendable {
  /// The number by which later commands address the tag.
  package var number: UInt8
  /// Answer to request, `0C00`.
  package var atqa: UInt16
  /// The first 4 bytes of the UID, which RID tells.
  package var id: [UInt8]

  package init(number: UInt8, atqa: UInt16, id: [UInt8]) {
    self.number = number
    self.atqa = atqa
    self.id = id
  }

  /// Reads what follows the answer code: the number of tags, one at most, then the tag. What is no
  /// list throws.
  package static func list(
    parsing bytes: some Sequence<UInt8>
  ) throws(ResponseError) -> [TopazTarget] {
    let what = "the list of Topaz tags"
    let all = Array(bytes)
    if let count = all.first, count > 1 { throw .invalid(what: what, offset: 0, value: count) }
    return try ByteReader.whole(all, what) { reader throws(ByteReaderError) in
      guard try reader.byte() == 1 else { return [] }
      return [
        TopazTarget(
          number: try reader.byte(), atqa: try reader.uint16(), id: try reader.bytes(4))
      ]
    }
  }

  /// The tag's part of the answer.
  package func serialize() -> [UInt8] {
    [number, UInt8(atqa >> 8), UInt8(atqa & 0xFF)] + id
  }
}
