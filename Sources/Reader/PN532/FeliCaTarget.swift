import Bytes

/// A FeliCa tag in the answer to InListPassiveTarget (UM0701-02, 7.3.5).
///
///     Tg length 01 IDm(8) PMm(8) [system code(2)]          length: 18 or 20, counts itself
package struct FeliCaTarget: Hashable, Sendable {
  /// The number by which later commands address the tag: 1 or 2.
  package var number: UInt8
  /// Manufacture ID, 8 bytes: the tag's identity.
  package var idm: [UInt8]
  /// Manufacture parameters, 8 bytes: its answer times.
  package var pmm: [UInt8]
  /// Present when the polling asked for it.
  package var systemCode: UInt16?

  package init(number: UInt8, idm: [UInt8], pmm: [UInt8], systemCode: UInt16?) {
    self.number = number
    self.idm = idm
    self.pmm = pmm
    self.systemCode = systemCode
  }

  /// Reads what follows the answer code: the number of tags, then the tags. What is no list throws.
  package static func list(
    parsing bytes: some Sequence<UInt8>
  ) throws(ResponseError) -> [FeliCaTarget] {
    let what = "the list of FeliCa tags"
    let all = Array(bytes)
    if let count = all.first, count > 2 { throw .invalid(what: what, offset: 0, value: count) }
    var fault: (offset: Int, value: UInt8)?
    let targets = try ByteReader.whole(all, what) { reader throws(ByteReaderError) in
      var targets: [FeliCaTarget] = []
      for _ in 0..<(try reader.byte()) {
        let (number, length) = (try reader.byte(), try reader.byte())
        if length != 18 && length != 20 { fault = fault ?? (reader.offset - 1, length) }
        let code = try reader.byte()
        if code != 0x01 { fault = fault ?? (reader.offset - 1, code) }
        let (idm, pmm) = (try reader.bytes(8), try reader.bytes(8))
        let system = length == 20 ? try reader.uint16() : nil
        targets.append(FeliCaTarget(number: number, idm: idm, pmm: pmm, systemCode: system))
      }
      return targets
    }
    if let fault { throw .invalid(what: what, offset: fault.offset, value: fault.value) }
    return targets
  }

  /// One tag's part of the answer.
  package func serialize() -> [UInt8] {
    let code = systemCode.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } ?? []
    return [number, UInt8(18 + code.count), 0x01] + idm + pmm + code
  }
}
