@testable import Ledger

/// A bench as the model has it: what its process knows, what its disk keeps, and what lies on its
/// reader. It has one job in hand at a time. Whether the store is in reach shows in what happens
/// next: all that asks it may also not happen.
struct Bench: Hashable {
  /// A job that the store gave to the bench.
  struct Hand: Hashable {
    var job: Int
    var epoch: Int64
    var isEntrusted = false
    /// The tag that it was bound to, on the bench's disk before the first write.
    var tag: Int?
    /// The tag has left the reader since: another bench may have gone on with it.
    var isAway = false
    var hasWritten = false
  }

  /// What the store has not yet confirmed.
  struct Entry: Hashable {
    var job: Int
    var tag: Int
    var kind: Kind
    var epoch: Int64

    enum Kind: Hashable { case bind, finish, giveBack }
  }

  let name: String
  /// Lost in a crash.
  var answer: Hand?
  var reader: Int?
  /// On its disk.
  var hand: Hand?
  var outbox: [Entry] = []

  init(_ name: String) { self.name = name }

  /// What the outbox asks the store for.
  func command(_ entry: Entry) -> LedgerCommand {
    let (tag, message) = (World.uid(entry.tag), World.message(entry.job))
    return switch entry.kind {
    case .bind:
      .bind(bench: name, epoch: entry.epoch, tag: tag, message: MessageFacts(digest: message))
    case .finish: .finish(bench: name, epoch: entry.epoch, tag: tag, digest: message, World.locks)
    case .giveBack: .giveBack(bench: name, epoch: entry.epoch, tag: tag, isScrap: false)
    }
  }

  mutating func note(_ kind: Entry.Kind, _ hand: Hand, _ tag: Int) {
    outbox.append(Entry(job: hand.job, tag: tag, kind: kind, epoch: hand.epoch))
  }
}
