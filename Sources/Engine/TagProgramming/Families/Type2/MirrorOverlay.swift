import TagMemory

/// What READ shows of stored bytes on a chip whose ASCII mirror may be on (NTAG213/215/216, 8.7).
struct MirrorOverlay {
  private let mirror: ASCIIMirror?
  private let uid: UID

  /// The mirror as far as the configuration was read.
  init(of state: Type2State, uid: UID) {
    self.init(state.shownMirror, uid: uid)
  }

  init(_ mirror: ASCIIMirror?, uid: UID) {
    (self.mirror, self.uid) = (mirror, uid)
  }

  /// What reading gives where `stored` lies from `page` on. Nil stands for a digit of the counter,
  /// which moves on by itself, or of the UID of a tag that shows another one when it is selected.
  func shown(_ stored: [UInt8], from page: Page) -> [UInt8?] {
    guard let mirror else { return stored }
    var shown: [UInt8?] = mirror.applied(to: stored, from: page, uid: uid)
    var unknown = mirror.byteRange
    if !uid.isRandom {
      guard mirror.content != .uid else { return shown }
      unknown = unknown.suffix(ASCIIMirror.Content.counter.byteCount)
    }
    for offset in unknown {
      let index = offset - page.byteOffset
      if shown.indices.contains(index) { shown[index] = nil }
    }
    return shown
  }

  /// Returns whether `found` is what reading `stored` would give.
  func matches(_ found: [UInt8], stored: [UInt8], page: Page) -> Bool {
    zip(found, shown(stored, from: page)).allSatisfy { $1 == nil || $0 == $1 }
  }

  /// Returns whether a part of `page` cannot be read.
  func covers(_ page: Page) -> Bool {
    mirror?.byteRange.overlaps(page.byteOffset..<page.byteOffset + Page.byteCount) ?? false
  }
}
