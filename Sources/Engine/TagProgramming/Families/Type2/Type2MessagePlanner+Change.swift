import TagMemory

/// The mirror that a job sets up, and one that is there and has to go.
extension Type2MessagePlanner {
  /// The message as it is stored: with a placeholder below the mirror.
  var stored: [UInt8] { mirror?.stored(message) ?? message }

  /// Returns what becomes of mirror and counter; nil where they stay as they are, or are not known.
  /// Throws where the job wants what this tag cannot show.
  func mirrorChange(_ layout: TLVLayout) throws(JobFailure) -> MirrorChange? {
    if let mirror { try requireMirror(mirror.content) }
    guard let place = state.map.configuration, let current = state.memory.configuration,
      let meant = meaning.memory.configuration?.frozen(as: current)
    else {
      guard mirror == nil else { throw JobFailure(.type2(.notRead(.configuration))) }
      return nil
    }
    let wanted = try mirror.map { mirror throws(JobFailure) in try position(of: mirror, layout)
    }
    let isOdd =
      current != meant
      || (wasCutShort
        && (meant.countsReads || !meant.isLocked && tidied(meant).cfg0 != meant.cfg0))
    guard wanted != nil || isInTheWay(meant, layout) || isOdd else { return nil }
    let goal = goal(from: meant, wanted)
    guard !meant.isLocked || goal == current else {
      guard let mirror else { return nil }
      // This run has written that page, and it shows something else: a cell has failed.
      for page in [place.cfg0, place.cfg1] {
        guard let found = state.memory[page], let sent = meaning.memory[page], found != sent else {
          continue
        }
        throw JobFailure(
          .type2(.pageDiffers(page, found: found, wanted: sent)), remedy: .useAnotherTag)
      }
      throw JobFailure(.type2(.mirrorFrozen(mirror.content)), remedy: .useAnotherTag)
    }
    return MirrorChange(at: place, from: current, to: goal)
  }

  private func requireMirror(_ content: ASCIIMirror.Content) throws(JobFailure) {
    guard state.product.canMirror(content) else {
      throw JobFailure.noMirror(content, state.product)
    }
  }

  /// Where the area of the tag holds each byte of the message.
  func valueOffsets(_ layout: TLVLayout) -> [Int] {
    let header = layout.lengthOffsets.last.map { $0 + 1 } ?? layout.tagOffset
    return Array(
      layout.pieces.flatMap { Array($0.offset..<$0.offset + $0.bytes.count) }
        .drop { $0 < header }.prefix(message.count))
  }

  private func position(of mirror: MessageMirror, _ layout: TLVLayout) throws(JobFailure)
    -> ASCIIMirror
  {
    let offsets = valueOffsets(layout)
    guard mirror.range.upperBound <= offsets.count else {
      throw JobFailure(.type2(.mirrorDivided), remedy: .useAnotherTag)
    }
    let start = offsets[mirror.offset]
    let byte = Page.firstOfArea.byteOffset + start
    guard offsets[mirror.range.upperBound - 1] == start + mirror.range.count - 1,
      let page = Page(exactly: byte / Page.byteCount)
    else { throw JobFailure(.type2(.mirrorDivided), remedy: .useAnotherTag) }
    return ASCIIMirror(mirror.content, page: page, byte: byte % Page.byteCount)
  }

  /// Returns whether a mirror lies over the old message or the new one.
  private func isInTheWay(_ configuration: Configuration, _ layout: TLVLayout) -> Bool {
    guard let mirror = configuration.mirror else { return false }
    let old = meaning.scan.message?.endOffset ?? 0
    let start = Page.firstOfArea.byteOffset
    return mirror.byteRange.overlaps(start..<start + max(layout.endOffset, old))
  }

  /// Is true if an earlier job was cut short that changed mirror and counter, too: the message is
  /// off, and behind its length stands a zero, or a TLV that says so.
  private var wasCutShort: Bool {
    let scan = meaning.scan
    guard let message = scan.message, message.length == 0, let end = message.endOffset else {
      return false
    }
    let place = scan.area.usable(from: end)
    guard meaning.knownArea.indices.contains(place) else { return false }
    return [0, TLV.Tag.restOfMore.rawValue].contains(meaning.knownArea[place])
  }

  /// Without what a torn write left where this job was cut short before, and an AUTH0 other than FF
  /// that protects nothing all the same. On any other tag bits that have no meaning here stay.
  private func tidied(_ meant: Configuration) -> Configuration {
    guard wasCutShort else { return meant }
    var tidied = meant.repaired.withoutInertBits(user: state.map.user)
    if tidied.protection(pageCount: state.map.pageCount) == nil {
      tidied.auth0 = tidied.offAUTH0
    }
    return tidied
  }

  /// The page of the message's length below a mirror that has to go, and with it what stands before
  /// the message: nothing of that can be read, so that it is taken for what the chip is delivered
  /// with. Nil where the head shows.
  var hiddenHead: TornPage? {
    guard let configuration = meaning.memory.configuration, !configuration.isLocked,
      let shown = state.shownMirror
    else { return nil }
    let leading = state.map.deliveredLockControl
    let scan = meaning.scan
    let isInOrder = meaning.holdsMessageInOrder
    let end =
      isInOrder
      ? (scan.message?.lengthOffsets.last ?? scan.messageOffset) + 1 : leading.count + 2
    let start = Page.firstOfArea.byteOffset
    guard shown.byteRange.overlaps(start..<start + end) else { return nil }
    return TornPage(unit: (leading.count + 1) / Page.byteCount, leading: leading)
  }

  private func goal(from meant: Configuration, _ wanted: ASCIIMirror?) -> Configuration {
    guard !meant.isLocked else {
      var frozen = meant
      frozen.mirror = wanted
      if wanted?.content.showsCounter == true { frozen.countsReads = true }
      return frozen
    }
    var goal = tidied(meant)
    if wasCutShort, meant.isTorn, let credential = state.credential,
      credential.password != Protection.delivered(on: state.map).password
    {
      // The page said from where on the password is needed.
      goal.auth0 = UInt8(Page.staticLocks.address)
    }
    goal.mirror = wanted
    if wanted?.content.showsCounter == true {
      (goal.countsReads, goal.protectsCounter) = (true, false)
    } else if meant.mirror?.content.showsCounter == true || wasCutShort {
      goal.countsReads = false
    }
    return goal
  }
}

extension Configuration {
  /// Is true if CFG0 lost power while it was written: it holds bits that no chip has.
  var isTorn: Bool { repaired.cfg0 != cfg0 }
}

extension JobFailure {
  /// The tag cannot show `content` in its message.
  static func noMirror(_ content: ASCIIMirror.Content, _ product: Product) -> JobFailure {
    JobFailure(.type2(.noMirror(content, product)), remedy: .useAnotherTag)
  }
}
