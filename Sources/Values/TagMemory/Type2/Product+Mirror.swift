extension Product {
  /// Returns whether the chip can show this of itself in its user memory, and is known well enough
  /// to be told so.
  package func canMirror(_ content: ASCIIMirror.Content) -> Bool {
    guard canLockAndProtect, type2?.configuration != nil else { return false }
    return features.contains(.uidAndCounterMirror)
      || (content == .uid && features.contains(.uidMirror))
  }
}

extension MemoryImage {
  /// The message in the image of a tag whose ASCII mirror covers a part of it, that part settled
  /// for the image's UID, and the place; nil where no mirror does.
  ///
  /// `product`: what the tag is; without it the number of pages decides, which for chips with a
  /// mirror is enough.
  package func mirroredMessage(of product: Product? = nil) -> (
    message: [UInt8], mirror: MessageMirror
  )? {
    guard case .type2(let count) = layout else { return nil }
    let candidates = product.map { [$0] } ?? [.ntag213, .ntag215, .ntag216, .ntag212, .ntag210]
    guard let map = candidates.first(where: { $0.type2?.pageCount == count })?.type2,
      let place = map.configuration, let cfg0 = row(Int(place.cfg0.number)),
      let cfg1 = row(Int(place.cfg1.number)),
      let configuration = try? Configuration(parsing: cfg0 + cfg1, style: place.style),
      configuration.mirror?.fits(map.user) == true,
      let mirror = configuration.shownMirror(isAuthenticated: false)
    else { return nil }
    // What lies below is not always known, and never matters.
    var bytes = self.bytes
    bytes.replaceSubrange(mirror.byteRange, with: mirror.content.placeholder.utf8.map { $0 })
    guard let message = MemoryImage(layout, uid: uid, bytes: bytes)?.message,
      let found = MessageMirror(placeholderOf: mirror.content, in: message)
    else { return nil }
    return (found.settled(message, on: uid), found)
  }
}
