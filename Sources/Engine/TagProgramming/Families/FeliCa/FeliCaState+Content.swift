import TagMemory

/// What stands where the message of a Type 3 tag belongs, by the blocks that were read.
extension FeliCaState {
  var content: Content {
    guard answered else { return BytesRead([polled]).map(Content.unformatted) ?? .notLookedAt }
    guard let head = blocks[AttributeBlock.number], let ndef else {
      return obstacle(in: [AttributeBlock.number]).map(Content.unreadable) ?? .notLookedAt
    }
    guard ndef.attributes != nil, ndef.capacity != nil else { return unformatted(head) }
    guard let length = ndef.messageLength else {
      return .lost(LostMessage("its length is not that of a message in these blocks"))
    }
    guard length > 0 else { return BytesRead([head]).map(Content.empty) ?? .notLookedAt }
    guard let message else {
      let count = AttributeBlock.blockCount(of: length)
      let body = (0..<count).map { UInt16($0 + 1) }
      return obstacle(in: body, length: length).map(Content.unreadable) ?? .notLookedAt
    }
    return .message(HeldMessage(message))
  }

  /// Returns what a tag holds whose block 0, with these bytes, promises no message.
  private func unformatted(_ head: [UInt8]) -> Content {
    let evidence = BytesRead([head]).map(Content.unformatted) ?? .notLookedAt
    guard chip.isLite else { return evidence }
    let user = Self.userBlocks.map { blocks[$0] }
    let attributes = FeliCaAttributes(state: self)
    if let foreign = attributes.foreignBlock(for: nil), let evidence = BytesRead([blocks[foreign]])
    {
      return .foreign(evidence)
    }
    if let obstacle = obstacle(in: Array(Self.userBlocks)) { return .unreadable(obstacle) }
    if declaresNDEF, attributes.found != .none || attributes.beingLocked != nil {
      return .lost(LostMessage("no message ends within the tag", isFormatted: false))
    }
    guard let whole = BytesRead(user), whole.isZero else { return evidence }
    return .blank(whole)
  }

  /// Why those of `wanted` were not read that were asked for; nil for none.
  private func obstacle(in wanted: [UInt16], length: Int? = nil) -> ReadObstacle? {
    let missing = wanted.filter(hidden.contains)
    return missing.isEmpty ? nil : ReadObstacle(.blocks(missing), .cardKey, length: length)
  }
}
