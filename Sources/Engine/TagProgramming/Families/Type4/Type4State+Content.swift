import TagMemory

/// What stands where the message of a Type 4 tag belongs, by what it answered.
extension Type4State {
  var content: Content {
    guard let application else {
      // A name that the card does not know is an answer; any other refusal says nothing.
      if let refusal = refusals.first(where: { $0.saysNothing }) {
        return .unreadable(ReadObstacle(.file, .unknown, answer: "\(refusal)"))
      }
      return BytesRead(refusals.map { [$0.sw1, $0.sw2] }).map(Content.unformatted) ?? .notLookedAt
    }
    if let refusal = application.refusal {
      return .unreadable(ReadObstacle(.file, opener(refusal), answer: "\(refusal)"))
    }
    guard let container = application.container else {
      return BytesRead([application.bytes]).map(Content.unformatted) ?? .notLookedAt
    }
    let access = container.message.readAccess
    guard access == .free else {
      // What a proprietary access asks for is the maker's to say.
      let opener: ReadObstacle.Opener =
        access == .never ? .nothing : product.isST25TA ? .password : .unknown
      return .unreadable(ReadObstacle(.file, opener, answer: "read access \(access)"))
    }
    guard let length = application.length, let read = BytesRead([application.known]) else {
      return .notLookedAt
    }
    switch length {
    case .empty: return .empty(read)
    case .message: return application.message.map { .message(held($0)) } ?? .notLookedAt
    case .reserved(let value), .tooLong(let value):
      return .lost(LostMessage("its length is that of no message in its file", length: value))
    }
  }

  /// Returns what opens a file that the tag refused to show with `status`.
  private func opener(_ status: StatusWord) -> ReadObstacle.Opener {
    guard let rights = messageSettings?.rights else {
      return [0x6982, 0x919D, 0x91AE].contains(status.value) ? .fileKey : .unknown
    }
    let readers = [rights.read, rights.readAndWrite]
    if readers.contains(DESFireRights.everyone) { return .unknown }
    return readers.allSatisfy { $0 == DESFireRights.nobody } ? .nothing : .fileKey
  }

  /// The message of these bytes, with what an NTAG 424 DNA fills in.
  private func held(_ raw: [UInt8]) -> HeldMessage {
    guard let mirror else { return HeldMessage(raw) }
    // Places are counted from the start of the file, where the length stands.
    let all = mirror.mirrors.values
    guard all.allSatisfy({ $0.lowerBound >= 2 }) else { return HeldMessage(raw) }
    let ranges = all.filter { $0.upperBound - 2 <= raw.count }
    guard let start = ranges.map(\.lowerBound).min(), let end = ranges.map(\.upperBound).max()
    else { return HeldMessage(raw) }
    let length = [UInt8](repeating: 0, count: SDMSettings.lengthByteCount)
    return HeldMessage(
      reading: raw, stored: mirror.stored(raw), start - 2..<end - 2,
      codeInput: mirror.templateInput,
      proof: mirror.code.flatMap { _ in SUNParts(file: length + raw, mirror) })
  }
}

extension StatusWord {
  /// Is true if a card that answers so to the selection of an application may have it all the same:
  /// it wants a right, or was in the middle of something else.
  var saysNothing: Bool {
    [0x6982, 0x6983, 0x6985, 0x6986, 0x6F00, 0x919D, 0x91AE, 0x91CA].contains(value)
  }
}
