import Readers
import TagMemory

/// What has to be read to know a message, or to plan one.
extension Type2Surveyor {
  /// What has to be read before a message of `byteCount` bytes can be planned; with `mirror` also
  /// whether the tag would show something else in its place.
  mutating func surveyForWriting(
    _ byteCount: Int, overwrite: Bool, lock: Bool, mirror: Bool
  ) throws(Setback) {
    try enter()
    try readFixedConfiguration()
    if lock || change != nil {
      try surveying { () throws(ReaderError) in try readLocksAndConfiguration() }
      try readProbePage()
    }
    let isFormatted = state.memory.capabilityContainer?.isNDEF ?? false
    if !isFormatted, !overwrite {
      try surveying { () throws(ReaderError) in
        try readArea(state.area.byteCount)
        try readLocksAndConfiguration()
      }
      return try requirePassword(writing: true)
    }
    var looksForMirror = false
    try surveying { () throws(ReaderError) in
      try findMessage()
      let scan = meaning.scan
      let start = scan.message == nil ? state.map.deliveredLockControl.count : scan.messageOffset
      let header = byteCount > TLV.longestShortValue ? 4 : 2
      let end = min(start + header + byteCount + 1, meaning.area.byteCount)
      if !meaning.holdsMessageInOrder { try readArea(meaning.area.byteCount) }
      let isOff = scan.message.map { $0.length == 0 } ?? false
      let isBehindStaticLocks = end > Self.bytesUnderStaticLocks
      // What TLVs reserve is left as it is, and has to be known for that.
      let reserves = !meaning.scan.area.reserved.isEmpty
      // So do TLVs of others behind the message, which this run has seen: their first page.
      let others = session.behind?.others.map { $0 + Page.byteCount } ?? 0
      let mayMirror = state.map.fixedMirror != nil || state.map.mayHidePassword
      if !isOff || isThorough || isBehindStaticLocks || reserves || others > 0 || mayMirror {
        // To the end of the old message, too: what stands behind that stays.
        let old = isThorough ? 0 : scan.message?.endOffset.map { $0 + 1 } ?? 0
        try readArea(reserves ? meaning.area.byteCount : max(end, old, others))
      }
      if isThorough || isBehindStaticLocks || hasMirror && mirror {
        try readLocksAndConfiguration()
      } else {
        // Below a mirror that is frozen a message would show as something else.
        looksForMirror = hasMirror && (isOff || mayShowMirror)
      }
    }
    // A configuration that cannot be read tells nothing of a mirror.
    if looksForMirror { _ = try showsConfiguration() }
    try surveying { () throws(ReaderError) in
      try lookBehindMessage()
      try readBeyondTornContainer(byteCount)
    }
    try requirePassword(writing: true)
  }

  /// Reads where a message of `byteCount` bytes would stand that is longer than the area, if a cut
  /// write may have left that too small.
  private mutating func readBeyondTornContainer(_ byteCount: Int) throws(ReaderError) {
    let user = state.map.user.count * Page.byteCount
    guard let right = meaning.containerToComplete, let ndef = meaning.ndef,
      (ndef.capacity ?? 0) < byteCount || ndef.area.byteCount == 0
    else { return }
    let room = min(right.areaByteCount, user)
    let header = byteCount > TLV.longestShortValue ? 4 : 2
    let end = state.map.deliveredLockControl.count + header + byteCount + 1
    let count = ndef.area.byteCount == 0 ? room : min(end, room)
    // A run reads back what it writes: it has not written pages that two reads do not show.
    for _ in 1...2 where state.areaBytes.count < count {
      do throws(ReaderError) {
        try read(count)
      } catch .exchangeFailed {
        try session.selectAgain()
      }
    }
  }

  /// Learns what stands behind the message that is there, before the first write of a run: TLVs of
  /// others are walked to their end.
  private mutating func lookBehindMessage() throws(ReaderError) {
    defer { state.behind = session.behind }
    guard session.behind == nil, session.sent.pages.isEmpty else { return }
    while case .needs(let count) = meaning.scan.behind {
      let before = state.areaBytes.count
      // NULL TLVs may go on to the end of the area: larger pieces each time.
      do throws(ReaderError) {
        try readArea(min(max(count, before * 2), meaning.area.byteCount))
      } catch .exchangeFailed where isThorough {
        // What does not show is out of reach of the message, too.
        try session.selectAgain()
        break
      }
      guard state.areaBytes.count > before else { break }
    }
    session.behind = meaning.behindNow
  }

  /// What has to be read to know the message.
  mutating func surveyForReading() throws(Setback) {
    try enter()
    try requirePassword(writing: false)
    try surveying { () throws(ReaderError) in
      try findMessage()
      if let message = meaning.scan.message, let end = message.endOffset {
        // The byte behind it, read along, tells digits of the message from the head of a mirror.
        let reads = state.areaBytes.count < end
        try readArea(reads && hasMirror && !isThorough ? end + 1 : end)
      }
      if isThorough { try readLocksAndConfiguration() }
    }
    if hasMirror, mayShowMirror, state.memory.configuration == nil {
      // Where it does not show, nothing is known of a mirror.
      _ = try showsConfiguration()
    }
    try requirePassword(writing: false)
  }

  /// What has to be read before the tag can be locked as it is.
  mutating func surveyForLocking() throws(Setback) {
    try surveyForReading()
    try surveying { () throws(ReaderError) in try readLocksAndConfiguration() }
    try requirePassword(writing: true)
  }

  /// Pages 4 to 15 are under the static lock bytes, which every survey reads.
  static let bytesUnderStaticLocks = 48

  /// Reads on until the message TLV's header is there, or it is clear that there is none.
  mutating func findMessage() throws(ReaderError) {
    while meaning.scan.message == nil, case .needs(let count) = meaning.scan.progress {
      let before = state.areaBytes.count
      // A tag of zeros has nothing but NULL TLVs: larger pieces each time.
      try readArea(min(max(count, before * 2), meaning.area.byteCount))
      guard state.areaBytes.count > before else { return }
    }
  }

  /// Makes the first `byteCount` bytes of the area known.
  mutating func readArea(_ byteCount: Int) throws(ReaderError) {
    try read(min(byteCount, meaning.area.byteCount))
  }

  /// Makes `byteCount` bytes from the area's first on known, whatever the container says.
  private mutating func read(_ byteCount: Int) throws(ReaderError) {
    let wanted = (byteCount + Page.byteCount - 1) / Page.byteCount
    let first = state.areaBytes.count / Page.byteCount
    guard wanted > first else { return }
    let page = Page.firstOfArea.advanced(by: first)
    let bytes = try session.readPages(page, count: wanted - first)
    note(bytes, from: page)
    // The tag hides the rest.
    let count = (wanted - first) * Page.byteCount
    guard bytes.count == count else {
      throw .wrongAnswerLength(expected: count, received: bytes.count)
    }
  }

  /// Is true if the chip can show something else than it stores.
  var hasMirror: Bool {
    !state.product.features.isDisjoint(with: [.uidMirror, .uidAndCounterMirror])
  }

  /// Is true if the area shows digits where a mirror may: capital hexadecimal ones, as many as the
  /// counter has, or up to the end of what was read.
  private var mayShowMirror: Bool {
    var count = 0
    for byte in state.knownArea {
      count = ASCIIMirror.isDigit(byte) ? count + 1 : 0
      if count == ASCIIMirror.Content.counter.byteCount { return true }
    }
    return count > 0
  }
}
