import Bytes

/// Text that a chip lays over its user memory whenever it is read, on chips whose configuration no
/// job here writes: it stays on.
package struct FixedMirror: Hashable, Sendable {
  /// How a chip says what it shows, in the first page of its configuration; MIRROR_PAGE is byte 2
  /// of that.
  package enum Style: Hashable, Sendable {
    /// As NTAG213, 210 and 212, which the chip resembles (NTAG213/215/216, 8.7; NTAG210/212, 8.7).
    case likeNTAG21x
    /// A bit each for UID, counter and tamper message (NTAG213 TagTamper, as Proxmark3 and TapLinX
    /// have it).
    case tamper
    /// UID, counter and a code over both, with StatusDetect the status too (NTAG 223 DNA and 224
    /// DNA, as Proxmark3 has it).
    case code
  }

  /// The first byte that is covered, counted from page 0.
  package private(set) var start: Int
  /// What is shown there; nil for what is not known before it is read.
  package private(set) var text: [UInt8?] = []

  /// What `settings`, the first page of the configuration, makes the chip show, as far as
  /// `memory`, which was read of the tag `uid`, bears it out. Nil where nothing.
  package init?(_ settings: [UInt8], _ style: Style, over memory: Type2Memory, uid: UID?) {
    guard settings.count == Page.byteCount, settings[2] > 3 else { return nil }
    let shift: UInt8 = style == .likeNTAG21x ? 4 : 3
    start = Int(settings[2]) * Page.byteCount + Int(settings[0] >> shift & 0b11)
    for parts in Self.candidates(mode: settings[0], style) {
      let found = Self.text(of: parts, from: start, in: memory, uid)
      if found.count > text.count { text = found }
    }
    if text.isEmpty { return nil }
  }

  /// A text of its own in the mirror; an `x` stands between two.
  private enum Part {
    case uid, counter, tamper, status, code

    var byteCount: Int {
      switch self {
      case .uid: 14
      case .counter: 6
      case .tamper: 8
      case .status: 10
      case .code: 16
      }
    }

    /// Is true if it is capital hexadecimal digits.
    var isHex: Bool { self != .tamper && self != .status }

    var unknown: [UInt8?] { Array(repeating: nil, count: byteCount) }
  }

  /// What may be shown, in its order: a counter that is off does not show.
  private static func candidates(mode: UInt8, _ style: Style) -> [[Part]] {
    func parts(_ bits: [(UInt8, Part)]) -> [Part] {
      bits.filter { mode & $0.0 != 0 }.map(\.1)
    }
    let all =
      switch style {
      // Chips with one mirror have no bits for it.
      case .likeNTAG21x: mode & 0xC0 == 0 ? [.uid] : parts([(0x40, .uid), (0x80, .counter)])
      case .tamper: parts([(0x20, .uid), (0x40, .counter), (0x80, .tamper)])
      case .code: parts([(0x80, .uid), (0x80, .counter), (0x80, .code)])
      }
    let others =
      style == .code
      ? parts([(0x80, .uid), (0x80, .counter), (0x80, .status), (0x80, .code)])
      : all.filter { $0 != .counter }
    return [all, others]
  }

  /// `parts` one behind the other, up to the first that does not stand there or leaves the memory.
  private static func text(
    of parts: [Part], from start: Int, in memory: Type2Memory, _ uid: UID?
  ) -> [UInt8?] {
    let end = memory.map.user.upperBound.byteOffset + Page.byteCount
    // A tag may show another UID than its own when it is selected.
    let own = uid.flatMap { $0.isRandom ? nil : Array(Hex.string($0.bytes).uppercased().utf8) }
    var text: [UInt8?] = []
    for part in parts {
      let from = start + text.count
      let head = text.isEmpty ? 0 : 1
      let next =
        [UInt8?](repeating: UInt8(ascii: "x"), count: head)
        + (part == .uid ? own?.map { $0 } ?? part.unknown : part.unknown)
      let stands = next.indices.allSatisfy { index in
        guard let found = memory.byte(from + index) else { return true }
        if let wanted = next[index] { return found == wanted }
        return index < head || !part.isHex || ASCIIMirror.isDigit(found)
      }
      guard stands, from + next.count <= end else { break }
      text += next
    }
    return text
  }
}

extension Type2Memory {
  /// The byte at `offset`, from page 0, if it is known.
  fileprivate func byte(_ offset: Int) -> UInt8? {
    Page(exactly: offset / Page.byteCount).flatMap { self[$0]?[offset % Page.byteCount] }
  }
}
