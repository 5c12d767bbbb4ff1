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
  /// The ASCII mirror that the chip lays over this memory; nil where it shows none.
  ///
  /// `product`: what the tag is; without it the number of pages decides, which for chips with a
  /// mirror is enough.
  package func shownMirror(of product: Product? = nil) -> ASCIIMirror? {
    guard case .type2(let count) = layout else { return nil }
    let candidates = product.map { [$0] } ?? [.ntag213, .ntag215, .ntag216, .ntag212, .ntag210]
    guard let map = candidates.first(where: { $0.type2?.pageCount == count })?.type2,
      let place = map.configuration, let cfg0 = row(Int(place.cfg0.number)),
      let cfg1 = row(Int(place.cfg1.number)),
      let configuration = try? Configuration(parsing: cfg0 + cfg1, style: place.style),
      configuration.mirror?.fits(map.user) == true
    else { return nil }
    return configuration.shownMirror(isAuthenticated: false)
  }

  /// The message in the image of a tag whose ASCII mirror covers a part of it, that part settled
  /// for the image's UID, and the place; nil where no mirror does. `product`: as for `shownMirror`.
  package func mirroredMessage(of product: Product? = nil) -> (
    message: [UInt8], mirror: MessageMirror
  )? {
    // What lies below is not always known, and never matters.
    guard let mirror = shownMirror(of: product),
      let message = replacing(mirror, by: Array(mirror.content.placeholder.utf8)).message,
      let found = MessageMirror(placeholderOf: mirror.content, in: message)
    else { return nil }
    return (found.settled(message, on: uid), found)
  }

  /// This memory with `text` in the place of what lies under `mirror`.
  package func replacing(_ mirror: ASCIIMirror, by text: [UInt8?]) -> MemoryImage {
    var bytes = self.bytes
    bytes.replaceSubrange(mirror.byteRange, with: text)
    return MemoryImage(layout, uid: uid, bytes: bytes) ?? self
  }
}

extension TagDump {
  /// What reading gives: the mirror's text in its place.
  package var shownImage: MemoryImage {
    guard let mirror = image.shownMirror(of: product) else { return image }
    let counter = counters[2].map { UInt32(truncatingIfNeeded: $0) } ?? 0
    return image.replacing(mirror, by: mirror.text(uid: image.uid, counter: counter))
  }

  /// What a program has read of a tag, with the mirror's placeholder where it does not know what is
  /// stored: it has read the mirror's text, or nothing.
  package var withoutMirrorText: TagDump {
    guard let mirror = image.shownMirror(of: product) else { return self }
    var dump = self
    dump.image = image.replacing(mirror, by: Array(mirror.content.placeholder.utf8))
    return dump
  }
}
