import TagMemory

/// What stands where the message of a Type 2 tag belongs, by the pages that were read.
extension Type2State {
  var content: Content {
    guard let container = memory[.capabilityContainer] else {
      return obstacle(at: .capabilityContainer).map(Content.unreadable) ?? .notLookedAt
    }
    let user = map.user.map { memory[$0] }
    guard let scan = ndef?.scan else {
      let content = Content.withoutFrame([container], memory: user)
      if case .foreign = content, let noise = BytesRead([container]), isAsDelivered(user) {
        return .unformatted(noise)
      }
      if case .foreign = content { return content }
      let unread = map.user.lazy.filter { memory[$0] == nil }.compactMap { obstacle(at: $0) }
      return unread.first.map(Content.unreadable) ?? content
    }
    if let message = scan.message, message.valueRuns == nil, map.furtherByteCount > 0,
      message.offset + message.length <= area.byteCount + map.furtherByteCount
    {
      return .unreadable(ReadObstacle(.nextSector, .unknown, length: message.length))
    }
    if scan.message == nil, ndef?.lost != nil, let read = BytesRead([knownArea]) {
      return .foreign(read)
    }
    if let content = Content(scan, known: knownArea, isFormatted: false, holding: held) {
      return content
    }
    let missing = Page.firstOfArea.advanced(by: areaBytes.count / Page.byteCount)
    return obstacle(at: missing, length: scan.message?.length).map(Content.unreadable)
      ?? .notLookedAt
  }

  /// Returns whether `pages` of the user memory, nil for those that were not read, are as the chip
  /// comes with them, of which only the rest of it tells: no container, no lock bit, no password,
  /// and nothing in them that anybody has put there.
  func isAsDelivered(_ pages: some Sequence<[UInt8]?>) -> Bool {
    guard map.deliversNoise, memory.capabilityContainer?.isBlank == true,
      memory.staticLocks?.bytes.allSatisfy({ $0 == 0 }) == true, memory.protection == nil
    else { return false }
    let known = pages.compactMap(\.self)
    return Noise.mayBe(known.filter { page in page.contains { $0 != 0 } }.joined())
  }

  /// What keeps a reader without the password from the message; nil where nothing is known to.
  var closed: ReadObstacle? {
    guard let ndef, let scan = ndef.scan else { return nil }
    guard ndef.container.readAccess == .free else {
      return ReadObstacle(.pages(from: .firstOfArea), .rights)
    }
    let last = Page.firstOfArea.advanced(
      by: max(0, (scan.message?.endOffset ?? 1) - 1) / Page.byteCount)
    guard let protection = memory.protection, protection.includesReading,
      protection.firstPage <= last
    else { return nil }
    return ReadObstacle(.pages(from: protection.firstPage), opener)
  }

  /// Says whether it is known what the chip has of a password or a key, and what that protects.
  var knowsProtection: Bool { memory.knowsProtection }

  /// Notes that the tag is there and does not show `page`.
  mutating func noteRefusal(of page: Page) {
    guard !hidesAlways(page: Int(page.number)) else { return }
    refused = refused.map { min($0, page) } ?? page
  }

  /// What opens pages that do not show.
  private var opener: ReadObstacle.Opener {
    if map.key != nil { return .key }
    return map.configuration != nil ? .password : .unknown
  }

  /// Why `page` was not read; nil where the tag was not asked for it.
  private func obstacle(at page: Page, length: Int? = nil) -> ReadObstacle? {
    if let protection = memory.protection, protection.includesReading, !isAuthenticated,
      protection.firstPage <= page
    {
      return ReadObstacle(.pages(from: protection.firstPage), opener, length: length)
    }
    guard let refused, refused <= page else { return nil }
    return ReadObstacle(.pages(from: refused), opener, length: length)
  }

  /// The message of these bytes, with what the tag's mirror fills in, as far as its configuration
  /// was read.
  private func held(_ raw: [UInt8]) -> HeldMessage {
    guard let place = shownMirror, memory.configuration?.mirror?.fits(map.user) == true,
      let runs = ndef?.scan?.message?.valueRuns
    else { return HeldMessage(raw) }
    let start = Page.firstOfArea.byteOffset
    let covered = runs.joined().enumerated().filter {
      place.byteRange.contains(start + $0.element)
    }
    guard let first = covered.first?.offset, let last = covered.last?.offset else {
      return HeldMessage(raw)
    }
    let range = first..<last + 1
    // A message whose head it covers is none that could be written so.
    guard covered.count == place.content.byteCount, range.count == covered.count, let uid else {
      return HeldMessage(reading: raw, stored: nil, range)
    }
    let mirror = MessageMirror(place.content, offset: first)
    return HeldMessage(reading: raw, stored: mirror.settled(raw, on: uid), range, mirror: mirror)
  }
}
