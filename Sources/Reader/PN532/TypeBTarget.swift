import Bytes

/// A type B tag in the answer to InListPassiveTarget (UM0701-02, 7.3.5).
///
///     Tg ATQB(12: 50 PUPI(4) application data(4) protocol info(3)) length ATTRIB_RES(length)
package struct TypeBTarget: Hashable, Sendable {
  /// The number by which later commands address the tag: 1 or 2.
  package var number: UInt8
  /// Pseudo-unique identifier, 4 bytes.
  package var pupi: [UInt8]
  /// 4 bytes.
  package var applicationData: [UInt8]
  /// 3 bytes.
  package var protocolInfo: [UInt8]
  /// The answer to ATTRIB, by which the chip has selected the tag.
  package var attribAnswer: [UInt8]

  package init(
    number: UInt8, pupi: [UInt8], applicationData: [UInt8], protocolInfo: [UInt8],
    attribAnswer: [UInt8] = []
  ) {
    self.number = number
    self.pupi = pupi
    self.applicationData = applicationData
    self.protocolInfo = protocolInfo
    self.attribAnswer = attribAnswer
  }

  /// Reads what follows the answer code: the number of tags, then the tags. What is no list throws.
  package static func list(
    parsing bytes: some Sequence<UInt8>
  ) throws(ResponseError) -> [TypeBTarget] {
    let what = "the list of type B tags"
    let all = Array(bytes)
    if let count = all.first, count > 2 { throw .invalid(what: what, offset: 0, value: count) }
    var fault: (offset: Int, value: UInt8)?
    let targets = try ByteReader.whole(all, what) { reader throws(ByteReaderError) in
      var targets: [TypeBTarget] = []
      for _ in 0..<(try reader.byte()) {
        let (number, code) = (try reader.byte(), try reader.byte())
        if code != 0x50 { fault = fault ?? (reader.offset - 1, code) }
        let (pupi, data) = (try reader.bytes(4), try reader.bytes(4))
        let info = try reader.bytes(3)
        let answer = try reader.bytes(Int(try reader.byte()))
        targets.append(
          TypeBTarget(
            number: number, pupi: pupi, applicationData: data, protocolInfo: info,
            attribAnswer: answer))
      }
      return targets
    }
    if let fault { throw .invalid(what: what, offset: fault.offset, value: fault.value) }
    return targets
  }

  /// One tag's part of the answer.
  package func serialize() -> [UInt8] {
    [number, 0x50] + pupi + applicationData + protocolInfo + [UInt8(attribAnswer.count)]
      + attribAnswer
  }
}
