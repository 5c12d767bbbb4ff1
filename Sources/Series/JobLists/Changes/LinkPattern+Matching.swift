import WebAddress

extension LinkPattern {
  /// What a place has taken of a link, as it stands there.
  struct Capture: Hashable, Sendable {
    let place: Place
    let text: String
  }

  /// What the places take of `link`, in their order; nil where the link is not like the pattern.
  ///
  /// Each takes as little as it can: no choice of it matters for those behind it, as none of them
  /// can take what divides the parts of a link.
  func captures(in link: Address) -> [Capture]? {
    var rest: ArraySlice<UInt8>
    if let host {
      guard link.isWebLink, link.host == host, link.port == nil, link.userInfo == nil else {
        return nil
      }
      rest = Array(link.description.utf8)[...].dropFirst(link.scheme.utf8.count + 1)
    } else {
      rest = Array(Self.canonical(link).utf8)[...]
    }
    var found: [Capture] = []
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .text(let text):
        guard rest.starts(with: text) else { return nil }
        rest = rest.dropFirst(text.count)
      case .place(let place) where place.takesRest:
        found.append(Capture(place: place, text: String(decoding: rest, as: UTF8.self)))
        rest = []
      case .place(let place):
        var text: [UInt8]?
        if index + 1 < pieces.count, case .text(let next) = pieces[index + 1] { text = next }
        guard let end = Self.end(in: rest, before: text, isLast: index + 2 >= pieces.count) else {
          return nil
        }
        let taken = rest[..<end]
        guard !taken.isEmpty, taken.allSatisfy({ !place.isEnded(by: $0) }) else { return nil }
        found.append(Capture(place: place, text: String(decoding: taken, as: UTF8.self)))
        rest = rest[end...]
      }
    }
    return rest.isEmpty ? found : nil
  }

  /// Where a place ends that `text` follows, the pattern's last piece or not; nil: nowhere.
  private static func end(
    in rest: ArraySlice<UInt8>, before text: [UInt8]?, isLast: Bool
  ) -> Int? {
    guard let text else { return rest.endIndex }
    guard rest.count > text.count else { return nil }
    let last = rest.endIndex - text.count
    if isLast { return rest[last...].elementsEqual(text) ? last : nil }
    return (rest.startIndex + 1...last).first { rest[$0...].starts(with: text) }
  }
}

extension LinkPattern.Place {
  /// Returns whether this byte of a link ends the part in which the place stands.
  fileprivate func isEnded(by byte: UInt8) -> Bool {
    switch kind {
    case .path: "/?#".utf8.contains(byte)
    case .query, .start, .authority: "&#".utf8.contains(byte)
    }
  }
}
