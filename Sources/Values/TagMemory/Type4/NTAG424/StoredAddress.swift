/// The address that a place of a message stands in, as a tag has it.
struct StoredAddress {
  /// The first byte of the message that belongs to it, behind what a URI record abbreviates.
  let start: Int

  /// Finds the record that byte `place` of `message` is of, within a Smart Poster, too; nil where
  /// it is in the header of one, or `message` is none (NDEF 1.0, 3.2).
  init?(around place: Int, in message: [UInt8]) {
    var range = message.indices
    while let record = Self.record(around: place, in: message, range) {
      guard record.type == Array("Sp".utf8) else {
        let isURI = record.type == Array("U".utf8)
        let text = record.payload.dropFirst(isURI ? 1 : 0)
        let address = String(decoding: message[text], as: UTF8.self)
        start = text.lowerBound + SDMTemplate.scheme(of: address)
        return
      }
      range = record.payload
    }
    return nil
  }

  private static func record(
    around place: Int, in message: [UInt8], _ range: Range<Int>
  ) -> (type: [UInt8], payload: Range<Int>)? {
    var rest = range
    while rest.count >= 3 {
      let head = message[rest.lowerBound]
      let (isShort, hasID) = (head & 0x10 != 0, head & 0x08 != 0)
      let lengths = rest.dropFirst(2).prefix(isShort ? 1 : 4)
      let types = Int(message[rest.lowerBound + 1])
      let id = hasID ? 1 : 0
      guard rest.count >= 2 + lengths.count + id, lengths.count == (isShort ? 1 : 4) else {
        return nil
      }
      let count = message[lengths].reduce(0) { $0 << 8 | Int($1) }
      let ids = hasID ? Int(message[lengths.upperBound]) : 0
      let type = lengths.upperBound + id
      let start = type + types + ids
      guard start + count <= rest.upperBound else { return nil }
      if (start..<start + count).contains(place) {
        return (Array(message[type..<type + types]), start..<start + count)
      }
      rest = start + count..<rest.upperBound
    }
    return nil
  }
}
