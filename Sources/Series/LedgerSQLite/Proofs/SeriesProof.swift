import CardCrypto

/// Proof that a journal said something of a tag when its head was signed. It needs nothing beside
/// it but the public key, and does not show that nothing else was said of the tag.
package struct SeriesProof: Codable, Hashable, Sendable {
  /// An event of the tag, and how the head follows from it.
  struct Link: Codable, Hashable, Sendable {
    /// Its place among all events, from 0.
    let place: Int
    let event: SealedEvent
    /// The seal of the event before it.
    let before: HexBytes
    /// The hashes beside the way from its seal to the root, the lowest first.
    let path: [HexBytes]
  }

  package let uid: HexBytes
  let links: [Link]
  package let head: SeriesHead
  let publicKey: HexBytes
  let signature: HexBytes

  /// What the journal said of the tag, in order.
  package var events: [SealedEvent] { links.map(\.event) }

  /// Why it is no proof by the owner of `key`, a sentence each; empty: it is one.
  package func faults(_ key: Ed25519Key) -> [String] {
    var faults: [String] = []
    if publicKey.bytes != key.publicKey { faults.append("It was signed with another key.") }
    if !key.verifies(signature.bytes, of: head.bytes) {
      faults.append("The signature is not that of the head.")
    }
    var last = -1
    for link in links {
      let number = link.event.id
      // Of another length, bytes of the event could be taken for those of the seal.
      if link.before.bytes.count != SHA256.byteCount {
        faults.append("Event \(number) has no seal before it.")
      }
      if link.event.uid != uid { faults.append("Event \(number) is of another tag.") }
      let leaf = MerkleTree.leaf(link.event.seal(after: link.before.bytes))
      let root = MerkleTree.root(
        from: leaf, at: link.place, of: head.events, by: link.path.map(\.bytes))
      if root != head.root.bytes {
        faults.append("Event \(number) was changed, moved or put in: the head does not have it.")
      }
      if link.place <= last { faults.append("Event \(number) is out of order.") }
      last = link.place
    }
    if links.isEmpty { faults.append("It has no event.") }
    return faults
  }
}
