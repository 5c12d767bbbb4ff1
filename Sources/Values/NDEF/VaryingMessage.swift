/// A message some bytes of which are not known before a tag shows it: what it fills in as it is
/// read, such as its UID, its counter or a proof.
package struct VaryingMessage: Hashable, Sendable {
  /// A byte that is not known.
  package struct Place: Hashable, Sendable {
    /// In bytes from the message's start.
    package let offset: Int
    /// What may stand there: two different bytes or more.
    package let choices: [UInt8]

    package init(offset: Int, choices: [UInt8]) { (self.offset, self.choices) = (offset, choices) }
  }

  /// The message with something in each place.
  package let bytes: [UInt8]
  /// Ascending.
  package let places: [Place]

  package init(_ bytes: [UInt8], _ places: [Place] = []) {
    (self.bytes, self.places) = (bytes, places.sorted { $0.offset < $1.offset })
  }

  /// Makes a message of which every byte is known.
  package init(_ message: Message) { self.init(message.serialize()) }

  /// The message with one of its choices in each place; `indices` has an index for each.
  package func filled(_ indices: [Int]) -> [UInt8] {
    var message = bytes
    for (place, index) in zip(places, indices) { message[place.offset] = place.choices[index] }
    return message
  }

  /// Messages by which places are known again in any text that is taken from them: in the first
  /// each has its first choice, and the others in which it has its last one are its number, counted
  /// from 1, in binary.
  package var samples: [[UInt8]] {
    let bits = Int.bitWidth - places.count.leadingZeroBitCount
    return (0...bits).map { sample in
      filled(
        places.indices.map { index in
          sample > 0 && (index + 1) >> (sample - 1) & 1 == 1 ? places[index].choices.count - 1 : 0
        })
    }
  }

  /// Upper-case hexadecimal digits.
  package static let digits = Array("0123456789ABCDEF".utf8)

  /// Places of such digits, one for each byte of `range`.
  package static func digits(in range: Range<Int>) -> [Place] {
    range.map { Place(offset: $0, choices: digits) }
  }
}
