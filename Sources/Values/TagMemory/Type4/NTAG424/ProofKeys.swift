/// Keys that a reading is checked with.
package protocol ProofKeys: Sendable {
  /// The keys that may have encrypted UID and counter, each with the one tag that has it; nil: all
  /// tags have it. None where they follow from a UID that is not `known`.
  func metaKeys(known: UID?) -> [(key: AESKey, tag: UID?)]

  /// The key for the code of the tag with `uid`, nil where no reading says which tag it is; nil
  /// where these are not its keys.
  func codeKey(of uid: UID?) -> AESKey?
}

extension KeyRing: ProofKeys {
  package func metaKeys(known: UID?) -> [(key: AESKey, tag: UID?)] {
    let key = sharedMetaKey ?? known.map { self.key(metaRead, of: $0) }
    return key.map { [($0, nil)] } ?? []
  }

  package func codeKey(of uid: UID?) -> AESKey? {
    guard let uid else { return isShared(fileRead) ? key(fileRead, of: UID([])) : nil }
    return key(fileRead, of: uid)
  }
}

/// What a server needs to check the tags of a series without their master key: the key for UID and
/// counter, and each tag's own for codes. As text: Docs/Formats.md, Key rings.
///
///     version = 1
///     meta-read = 1
///     file-read = 2
///     key 1 = 00112233445566778899AABBCCDDEEFF
///     04a1b2c3d4e5f6 = FFEEDDCCBBAA99887766554433221100
///
/// Where tags have different keys for UID and counter, no line begins with `key`, and each tag's
/// stands behind its own for codes.
package struct ServerKeys: Hashable, ProofKeys {
  package struct Tag: Hashable, Sendable {
    package let uid: UID
    package let code: AESKey
    /// Nil where all tags have the same.
    package let meta: AESKey?
  }

  package var version: UInt8 = 1
  package var metaRead: UInt8 = 1
  package var fileRead: UInt8 = 2
  package let shared: AESKey?
  /// In the order of the file.
  package let tags: [Tag]
  private let places: [UID: Int]

  /// `tags`: each tag's key for codes, and for UID and counter. One that all have stands once.
  package init(_ tags: [(uid: UID, code: AESKey, meta: AESKey)], shared: AESKey? = nil) {
    let first = shared ?? tags.first?.meta
    let isShared = tags.allSatisfy { $0.meta == first }
    self.init(
      shared: isShared ? first : nil,
      tags: tags.map { Tag(uid: $0.uid, code: $0.code, meta: isShared ? nil : $0.meta) })
  }

  init(shared: AESKey?, tags: [Tag]) {
    (self.shared, self.tags) = (shared, tags)
    places = Dictionary(zip(tags.map(\.uid), tags.indices)) { $1 }
  }

  package func metaKeys(known: UID?) -> [(key: AESKey, tag: UID?)] {
    let common: [(key: AESKey, tag: UID?)] = shared.map { [($0, nil)] } ?? []
    return common + tags.compactMap { tag in tag.meta.map { ($0, tag.uid) } }
  }

  package func codeKey(of uid: UID?) -> AESKey? { uid.flatMap { places[$0] }.map { tags[$0].code } }
}

extension ServerKeys: CustomStringConvertible, CustomReflectable {
  package var description: String { "keys of \(tags.count) tags for a server" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
