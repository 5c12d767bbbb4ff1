import Bytes

/// A type A tag in the answer to InListPassiveTarget (UM0701-02, 7.3.5).
///
///     Tg ATQA(2, high byte first) SAK length UID [ATS, its first byte counts itself]
package struct TypeATarget: Hashable, Sendable {
  /// The number by which later commands address the tag: 1 or 2.
  package var number: UInt8
  /// Answer to request; `0044` for a tag with a 7-byte UID.
  package var atqa: UInt16
  /// Select acknowledge.
  package var sak: UInt8
  /// 4, 7 or 10 bytes.
  package var uid: [UInt8]
  /// Answer to select without its length byte; empty where the chip sent no RATS.
  package var ats: [UInt8]
  /// Is true if there was one: it may be its length byte alone.
  package var hasATS: Bool

  /// `hasATS` says of an empty `ats` whether it came; nil: no.
  package init(
    number: UInt8, atqa: UInt16, sak: UInt8, uid: [UInt8], ats: [UInt8] = [], hasATS: Bool? = nil
  ) {
    self.number = number
    self.atqa = atqa
    self.sak = sak
    self.uid = uid
    self.ats = ats
    self.hasATS = hasATS ?? !ats.isEmpty
  }

  /// Reads what follows the answer code: the number of tags, then the tags.
  ///
  /// `automaticRATS` says whether the chip was told to send RATS by itself: without, no ATS follows
  /// an ISO-DEP tag. Any bytes may be given; what is no list throws.
  package static func list(
    parsing bytes: some Sequence<UInt8>, automaticRATS: Bool = true
  ) throws(ResponseError) -> [TypeATarget] {
    let all = Array(bytes)
    if let count = all.first, count > 2 {
      throw .invalid(what: "the list of tags", offset: 0, value: count)
    }
    var lengthFault: (offset: Int, value: UInt8)?
    let targets = try ByteReader.whole(all, "the list of tags") {
      reader throws(ByteReaderError) in
      var targets: [TypeATarget] = []
      for _ in 0..<(try reader.byte()) {
        let (number, atqa) = (try reader.byte(), try reader.uint16())
        let (sak, length) = (try reader.byte(), try reader.byte())
        if ![4, 7, 10].contains(length) {
          lengthFault = lengthFault ?? (reader.offset - 1, length)
        }
        let uid = try reader.bytes(Int(length))
        var ats: [UInt8] = []
        let hasATS = automaticRATS && sak & 0x20 != 0 && !reader.isAtEnd
        if hasATS {
          let total = try reader.byte()
          if total == 0 { lengthFault = lengthFault ?? (reader.offset - 1, total) }
          ats = try reader.bytes(max(0, Int(total) - 1))
        }
        targets.append(
          TypeATarget(
            number: number, atqa: atqa, sak: sak, uid: uid, ats: ats, hasATS: hasATS))
      }
      return targets
    }
    if let lengthFault {
      throw .invalid(
        what: "the list of tags", offset: lengthFault.offset, value: lengthFault.value)
    }
    return targets
  }

  /// One tag's part of the answer.
  package func serialize() -> [UInt8] {
    [number, UInt8(atqa >> 8), UInt8(atqa & 0xFF), sak, UInt8(uid.count)] + uid
      + (hasATS ? [UInt8(ats.count + 1)] + ats : [])
  }
}
