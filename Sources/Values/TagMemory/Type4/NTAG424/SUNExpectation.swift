/// What a file must show whoever reads it without a key, once it mirrors: every byte that is not
/// mirrored, and a proof of the tag. Its text shows no key.
package struct SUNExpectation: Hashable, Sendable {
  package let settings: SDMSettings
  package let keys: KeyRing
  package let uid: UID
  /// The file as it is stored, from its length to the end of its message.
  package let stored: [UInt8]

  package init(_ settings: SDMSettings, keys: KeyRing, uid: UID, stored: [UInt8]) {
    (self.settings, self.keys, self.uid, self.stored) = (settings, keys, uid, stored)
  }

  /// `stored` with nil for each byte that the tag replaces.
  package var visible: [UInt8?] {
    var bytes = stored.map(Optional.some)
    for range in settings.mirrors.values {
      for index in range where index < bytes.count { bytes[index] = nil }
    }
    return bytes
  }

  /// Returns whether `read` is this file, and proves this tag.
  package func fits(_ read: [UInt8]) -> Bool {
    guard read.count >= stored.count,
      zip(read, visible).allSatisfy({ $1 == nil || $0 == $1 }),
      let parts = SUNParts(file: read, settings)
    else { return false }
    guard settings.code != nil else { return fitsWithoutCode(parts) }
    guard let proof = try? SUNProof(parts, keys: keys, known: uid), proof.uid == uid else {
      return false
    }
    guard let encrypted = settings.encrypted else { return true }
    let half = encrypted.lowerBound..<encrypted.lowerBound + encrypted.count / 2
    var expected = Array(stored[half])
    if let place = parts.tamperInData, let data = proof.fileData, data.count == expected.count {
      let letters = place..<place + SDMSettings.tamperByteCount
      expected.replaceSubrange(letters, with: data[letters])
    }
    return proof.fileData == expected
  }

  private func fitsWithoutCode(_ parts: SUNParts) -> Bool {
    if let shown = parts.uid { return UID(shown) == uid }
    guard parts.picc != nil else { return true }
    return SUNParts.uid(encryptedIn: parts, keys: keys, known: uid) == uid
  }
}

extension SUNExpectation: CustomReflectable {
  package var customMirror: Mirror { Mirror(self, children: ["uid": uid, "settings": settings]) }
}
