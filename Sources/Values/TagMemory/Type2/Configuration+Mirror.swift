import Bytes

/// The ASCII mirror: text that the chip lays over its user memory whenever it is read
/// (NTAG213/215/216, 8.7; NTAG210/212, 8.7).
package struct ASCIIMirror: Hashable, Sendable {
  /// What is shown, in capital hexadecimal digits.
  package enum Content: UInt8, Hashable, Sendable, CaseIterable {
    /// MIRROR_CONF 01: the UID, 14 characters.
    case uid = 0b01
    /// MIRROR_CONF 10: the NFC counter, 6 characters.
    case counter = 0b10
    /// MIRROR_CONF 11: the UID, an `x`, the counter: 21 characters.
    case uidAndCounter = 0b11

    /// How many bytes of the memory it covers.
    package var byteCount: Int {
      switch self {
      case .uid: 14
      case .counter: 6
      case .uidAndCounter: 21
      }
    }
  }

  package var content: Content
  /// Where it starts.
  package var page: Page
  /// The byte in that page, 0 to 3.
  package var byte: Int

  package init(_ content: Content, page: Page, byte: Int) {
    (self.content, self.page, self.byte) = (content, page, byte)
  }

  /// The covered bytes, counted from page 0.
  package var byteRange: Range<Int> {
    let start = page.byteOffset + byte
    return start..<start + content.byteCount
  }

  /// Returns whether `byte` is a digit that mirrors show.
  package static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
    default: false
    }
  }

  /// The characters that a tag with this UID and counter value (24 bits) shows.
  package func text(uid: UID, counter: UInt32 = 0) -> [UInt8] {
    let count = [UInt8(counter >> 16 & 0xFF), UInt8(counter >> 8 & 0xFF), UInt8(counter & 0xFF)]
    let text =
      switch content {
      case .uid: Hex.string(uid.bytes).uppercased()
      case .counter: Hex.string(count).uppercased()
      case .uidAndCounter:
        Hex.string(uid.bytes).uppercased() + "x" + Hex.string(count).uppercased()
      }
    return Array(text.utf8)
  }

  /// What READ and FAST_READ return where `memory`, starting at page `first`, is stored.
  package func applied(
    to memory: [UInt8], from first: Page = 0, uid: UID, counter: UInt32 = 0
  ) -> [UInt8] {
    var shown = memory
    for (offset, character) in zip(byteRange, text(uid: uid, counter: counter)) {
      let index = offset - first.byteOffset
      if shown.indices.contains(index) { shown[index] = character }
    }
    return shown
  }

  /// Returns whether it lies wholly in `user`, as it must.
  package func fits(_ user: ClosedRange<Page>) -> Bool {
    let end = user.upperBound.byteOffset + Page.byteCount
    return byteRange.lowerBound >= user.lowerBound.byteOffset && byteRange.upperBound <= end
  }
}

extension Configuration {
  /// The mirror that is switched on: MIRROR_PAGE above 03 and, on NTAG213/215/216, MIRROR_CONF not
  /// 00. Setting one that the chip does not have does nothing.
  package var mirror: ASCIIMirror? {
    get {
      guard mirrorPage > 3, hasMirror else { return nil }
      let content = style.hasReadCounter ? ASCIIMirror.Content(rawValue: bytes[0] >> 6) : .uid
      return content.map {
        ASCIIMirror($0, page: Page(mirrorPage), byte: Int(bytes[0] >> 4 & 0b11))
      }
    }
    set {
      guard hasMirror else { return }
      guard let mirror = newValue else {
        // MIRROR_CONF is reserved where the chip has but one mirror.
        setBits(style.hasReadCounter ? 0xF0 : 0x30, to: 0, inByte: 0)
        mirrorPage = 0
        return
      }
      guard style.hasReadCounter || mirror.content == .uid, 0...3 ~= mirror.byte else { return }
      setBits(0x30, to: UInt8(mirror.byte) << 4, inByte: 0)
      if style.hasReadCounter { setBits(0xC0, to: mirror.content.rawValue << 6, inByte: 0) }
      mirrorPage = UInt8(mirror.page.address)
    }
  }

  /// Returns what a reader sees of the mirror: without the counter while the tag does not count, or
  /// keeps the counter for whoever has given the password; the bytes that are stored there show
  /// instead (NTAG213/215/216, 8.6).
  package func shownMirror(isAuthenticated: Bool) -> ASCIIMirror? {
    guard let mirror, mirror.content != .uid, !countsReads || protectsCounter && !isAuthenticated
    else { return self.mirror }
    guard mirror.content == .uidAndCounter else { return nil }
    return ASCIIMirror(.uid, page: mirror.page, byte: mirror.byte)
  }

  private var hasMirror: Bool { style.hasReadCounter || style == .ntag210 }
}
