/// How READ BINARY and UPDATE BINARY are put to one tag: how many bytes each may carry, and in
/// which form (Type 4 Tag 1.2, 5.4; ISO/IEC 7816-4, 7.2.3).
///
/// Offsets up to 7FFFh stand in P1 and P2. Beyond, mapping version 3.0 has the offset and the data
/// as data objects (54h, 53h).
package struct BinaryAccess: Hashable, Sendable {
  /// The highest offset in P1 and P2.
  package static let lastShortOffset = 0x7FFF
  /// The highest offset in an object.
  private static let lastLongOffset = 0xFF_FFFF

  /// Mapping version 3.0 or later: it has data objects.
  package let hasObjects: Bool
  /// The most bytes of an answer's and of a command's data.
  package let longestRead: Int
  package let longestWrite: Int
  /// Lengths take two bytes. A tag understands that only where it lets more be read or written than
  /// one byte can say.
  package let isExtended: Bool

  /// For a tag with `container` whose commands and answers pass a reader that carries at most
  /// `command` and `answer` bytes of an APDU. Extended lengths are used where they save a command
  /// for `byteCount` bytes, for reading and writing alike.
  package init(_ container: CapabilityFile, byteCount: Int, command: Int, answer: Int) {
    hasObjects = container.majorVersion >= 3
    let (reads, writes) = (container.longestRead, max(1, container.longestWrite))
    // Header, Lc and Le in their short and extended forms; the status follows an answer's data.
    let short = (read: min(reads, 0x100, answer - 2), write: min(writes, 0xFF, command - 5))
    let long = (read: min(reads, answer - 2), write: min(writes, command - 7))
    let allows = reads > 0x100 || writes > 0xFF
    func commands(_ limits: (read: Int, write: Int)) -> Int {
      (byteCount + limits.read - 1) / limits.read + (byteCount + limits.write - 1) / limits.write
    }
    isExtended = allows && commands(long) < commands(short)
    (longestRead, longestWrite) = isExtended ? long : short
  }

  private init(_ other: BinaryAccess, longestRead: Int, longestWrite: Int) {
    (hasObjects, isExtended) = (other.hasObjects, other.isExtended)
    (self.longestRead, self.longestWrite) = (longestRead, longestWrite)
  }

  /// Returns this access with no more than `byteCount` bytes of data a command: what one frame of
  /// the tag holds.
  package func limited(to byteCount: Int) -> BinaryAccess {
    let most = max(1, byteCount)
    return BinaryAccess(
      self, longestRead: min(longestRead, most), longestWrite: min(longestWrite, most))
  }

  /// Returns whether commands can both read and write what stands at `offset`.
  package func reaches(_ offset: Int) -> Bool {
    readLimit(at: offset) > 0 && writeLimit(at: offset) > 0
  }

  /// Returns the most bytes that one command reads from `offset` on: 0 if it cannot reach that.
  package func readLimit(at offset: Int) -> Int {
    offset <= Self.lastShortOffset ? longestRead : inObject(longestRead, at: offset)
  }

  /// Returns the most bytes that one command writes from `offset` on: 0 if it cannot reach that.
  package func writeLimit(at offset: Int) -> Int {
    // The offset's object stands in front of the data's.
    offset <= Self.lastShortOffset ? longestWrite : inObject(longestWrite - 5, at: offset)
  }

  /// The bytes of a data object that takes `room` bytes with its tag and length.
  private func inObject(_ room: Int, at offset: Int) -> Int {
    guard hasObjects, offset <= Self.lastLongOffset else { return 0 }
    return max(0, room - (room <= 0x81 ? 2 : room <= 0x102 ? 3 : 4))
  }

  /// Reads `count` bytes, at most `readLimit`, from `offset` on.
  package func read(_ count: Int, from offset: Int) -> CommandAPDU {
    guard offset > Self.lastShortOffset else {
      return form(
        CommandAPDU(0x00, 0xB0, UInt8(offset >> 8), UInt8(offset & 0xFF), expectedLength: count))
    }
    return form(
      CommandAPDU(
        0x00, 0xB1, 0, 0, data: Self.offsetObject(offset),
        expectedLength: Self.header(count).count + count))
  }

  /// Writes `bytes`, at most `writeLimit`, from `offset` on.
  package func update(_ bytes: [UInt8], from offset: Int) -> CommandAPDU {
    guard offset > Self.lastShortOffset else {
      return form(CommandAPDU(0x00, 0xD6, UInt8(offset >> 8), UInt8(offset & 0xFF), data: bytes))
    }
    return form(
      CommandAPDU(
        0x00, 0xD7, 0, 0, data: Self.offsetObject(offset) + Self.header(bytes.count) + bytes))
  }

  /// The bytes of the file in an answer to `read`; nil where it is no such answer.
  package func content(of answer: [UInt8], from offset: Int) -> [UInt8]? {
    guard offset > Self.lastShortOffset else { return answer }
    guard answer.count >= 2, answer[0] == 0x53 else { return nil }
    let longer = answer[1] < 0x80 ? 0 : Int(answer[1]) - 0x80
    guard longer <= 2, answer.count >= 2 + longer else { return nil }
    let length =
      longer == 0 ? Int(answer[1]) : answer[2..<2 + longer].reduce(0) { $0 << 8 | Int($1) }
    let content = Array(answer[(2 + longer)...])
    return content.count == length ? content : nil
  }

  private func form(_ command: CommandAPDU) -> CommandAPDU {
    var command = command
    command.isExtended = isExtended
    return command
  }

  private static func offsetObject(_ offset: Int) -> [UInt8] {
    [0x54, 0x03] + [16, 8, 0].map { UInt8(truncatingIfNeeded: offset >> $0) }
  }

  /// Tag and length of the object that holds data (ISO/IEC 8825-1, 8.1.3).
  private static func header(_ count: Int) -> [UInt8] {
    switch count {
    case ..<0x80: [0x53, UInt8(count)]
    case ..<0x100: [0x53, 0x81, UInt8(count)]
    default: [0x53, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
    }
  }
}

extension CommandAPDU {
  /// The NDEF application, in the way of a mapping version (Type 4 Tag 1.2, 5.4.2; version 1.0 has
  /// another name for it).
  package static func selectNDEFApplication(_ naming: NDEFApplication) -> CommandAPDU {
    CommandAPDU(
      0x00, 0xA4, 0x04, 0x00, data: naming.name, expectedLength: naming == .current ? 0x100 : nil)
  }

  /// A file of the selected application: no answer but the status is asked for.
  package static func select(_ file: FileID, in application: NDEFApplication) -> CommandAPDU {
    CommandAPDU(0x00, 0xA4, 0x00, application == .current ? 0x0C : 0x00, data: file.bytes)
  }
}

/// By which name a tag knows its NDEF application.
package enum NDEFApplication: Hashable, Sendable, CaseIterable {
  /// Mapping versions 2.0 and 3.0.
  case current
  /// Mapping version 1.0.
  case first

  package var name: [UInt8] { [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, self == .current ? 1 : 0] }
}
