import TagMemory

/// What READ shows of stored bytes on a chip whose ASCII mirror may be on (NTAG213/215/216, 8.7).
struct MirrorOverlay {
  /// The first byte that it covers, from page 0.
  private let start: Int
  /// The mirror shows these characters there. Nil stands for a digit of the counter, which moves on
  /// by itself, or of the UID of a tag that shows another one when it is selected.
  private let text: [UInt8?]

  /// The mirror as far as the configuration was read.
  init(of state: Type2State, uid: UID) {
    self.init(state.shownMirror, uid: uid, fixed: state.fixedMirror)
  }

  init(_ mirror: ASCIIMirror?, uid: UID, fixed: FixedMirror? = nil) {
    guard let mirror else {
      (start, text) = (fixed?.start ?? 0, fixed?.text ?? [])
      return
    }
    let (content, known) = (mirror.content, uid.isRandom ? [] : mirror.text(uid: uid))
    let count = known.count - (content == .uid ? 0 : ASCIIMirror.Content.counter.byteCount)
    let digits = known.prefix(max(0, count)).map { Optional($0) }
    start = mirror.byteRange.lowerBound
    text = digits + [UInt8?](repeating: nil, count: content.byteCount - digits.count)
  }

  /// Returns the bytes that a read gives where the memory holds `stored` from `page` on.
  func shown(_ stored: [UInt8], from page: Page) -> [UInt8?] {
    var shown: [UInt8?] = stored
    for (offset, character) in text.enumerated() {
      let index = start + offset - page.byteOffset
      if shown.indices.contains(index) { shown[index] = character }
    }
    return shown
  }

  /// Returns whether `found` is what reading `stored` would give.
  func matches(_ found: [UInt8], stored: [UInt8], page: Page) -> Bool {
    zip(found, shown(stored, from: page)).allSatisfy { $1 == nil || $0 == $1 }
  }

  /// Returns whether a part of `page` cannot be read.
  func covers(_ page: Page) -> Bool {
    (start..<start + text.count).overlaps(page.byteOffset..<page.byteOffset + Page.byteCount)
  }
}
