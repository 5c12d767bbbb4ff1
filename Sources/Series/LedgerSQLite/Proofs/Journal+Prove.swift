import CardCrypto
import Foundation
import GRDB
import Ledger
import TagMemory

extension Journal {
  /// A proof of all that the journal says of the tag with `uid`, signed with `key`; nil where it
  /// says nothing. Fails where the chain of its events is broken.
  package func prove(_ uid: UID, signing key: Ed25519Key) throws(JournalError) -> SeriesProof? {
    try read { db in
      if let fault = try brokenSeals(in: db).first {
        throw JournalError.failed(path, reason: "\(fault) Nothing can be proved by it")
      }
      let seals = try seals(in: db)
      let events = try Row.fetchAll(
        db, sql: "SELECT * FROM event WHERE uid = ? ORDER BY id", arguments: [Data(uid.bytes)])
      guard !events.isEmpty, let head = try head(seals, in: db) else { return nil }
      let leaves = seals.map { MerkleTree.leaf($0.seal) }
      let links = events.compactMap { row -> SeriesProof.Link? in
        let event = SealedEvent(Event(row), session: row["session"])
        guard let place = seals.firstIndex(where: { $0.id == event.id }) else { return nil }
        return SeriesProof.Link(
          place: place, event: event,
          before: HexBytes(place > 0 ? seals[place - 1].seal : Event.firstSeal),
          path: MerkleTree.path(to: place, in: leaves[...]).map(HexBytes.init))
      }
      return SeriesProof(
        uid: HexBytes(uid.bytes), links: links, head: head, publicKey: HexBytes(key.publicKey),
        signature: HexBytes(key.signature(of: head.bytes) ?? []))
    }
  }

  /// What the journal holds now; nil before its first event, and of a database's batch: its events
  /// are sealed in the journals of its benches.
  package func head() throws(JournalError) -> SeriesHead? {
    guard !path.contains("://") else { return nil }
    return try read { db in try head(seals(in: db), in: db) }
  }

  /// Why the journal does not go on from what was signed, a sentence each; empty: it holds all of
  /// that, and perhaps more.
  package func contradictions(to proof: SeriesProof) throws(JournalError) -> [String] {
    let head = proof.head
    return try read { db in
      guard try name(in: db) == head.series.bytes else { return ["It is another series."] }
      var found = try brokenSeals(in: db)
      let seals = try seals(in: db)
      guard seals.count >= head.events else {
        found.append(
          "It was rolled back: it has \(seals.count) events, and had \(head.events) when they were signed."
        )
        return found
      }
      for link in proof.links {
        let number = link.event.id
        let row = try Row.fetchOne(db, sql: "SELECT * FROM event WHERE id = ?", arguments: [number])
        let isSame = row.map { SealedEvent(Event($0), session: $0["session"]) == link.event }
        if isSame != true {
          found.append("Event \(number) is \(isSame == nil ? "gone" : "another now").")
        }
      }
      let known = try Int64.fetchAll(
        db, sql: "SELECT id FROM event WHERE uid = ? AND id <= ?",
        arguments: [Data(proof.uid.bytes), head.last])
      for number in known where !proof.links.contains(where: { $0.event.id == number }) {
        found.append("Event \(number) of the tag is left out of the proof.")
      }
      let then = try self.head(Array(seals[..<head.events]), in: db)
      if then != head {
        found.append(
          "Its first \(head.events) events are not those that were signed: it was changed and sealed anew, or it is another copy that went on by itself."
        )
      }
      return found
    }
  }

  private func name(in db: Database) throws -> [UInt8] {
    try Data.fetchOne(db, sql: "SELECT name FROM identity").map(Array.init) ?? []
  }

  private func seals(in db: Database) throws -> [(id: Int64, seal: [UInt8])] {
    var seals: [(Int64, [UInt8])] = []
    let rows = try Row.fetchCursor(db, sql: "SELECT id, seal FROM event ORDER BY id")
    while let row = try rows.next() {
      let seal: Data = row[1]
      seals.append((row[0], Array(seal)))
    }
    return seals
  }

  private func head(_ seals: [(id: Int64, seal: [UInt8])], in db: Database) throws -> SeriesHead? {
    guard let last = seals.last else { return nil }
    return SeriesHead(
      series: HexBytes(try name(in: db)), events: seals.count, last: last.id,
      seal: HexBytes(last.seal),
      root: HexBytes(MerkleTree.root(seals.map { MerkleTree.leaf($0.seal) }[...])))
  }
}
