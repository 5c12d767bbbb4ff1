import Ledger

extension Event {
  private static let names = [
    "id", "kind", "job", "uid", "station", "reader", "cause", "text", "started_at", "duration",
    "bench", "session", "tag", "steps", "keys", "epoch", "recalled", "digest", "length", "link",
    "made_for", "locked", "protected", "sets_aside",
  ]
  /// How many columns an event is read from.
  static let width = names.count

  /// What an event is read from, in the order in which `init` takes them.
  static func columns(_ table: String = "event") -> String {
    names.map { "\(table).\($0)" }.joined(separator: ", ")
  }

  /// From the columns behind the first `start`; nil: there is no event.
  init?(_ row: PQRow, behind start: Int = 0) {
    guard let number = row.number(start) else { return nil }
    let message = row.bytes(start + 17).map {
      MessageFacts(
        digest: $0, length: Int(row.number(start + 18) ?? 0), uri: row[start + 19],
        day: row[start + 20])
    }
    let what = Happening(
      kind: row[start + 1] ?? "", job: row.number(start + 2).map(Int.init),
      tag: row.bytes(start + 3), message: message, isLocked: row.flag(start + 21) ?? false,
      isProtected: row.flag(start + 22) ?? false, setsAside: row.flag(start + 23) ?? false)
    self.init(
      number: number, what, station: row[start + 4], reader: row[start + 5],
      cause: row[start + 6], text: row[start + 7], started: row.number(start + 8) ?? 0,
      duration: row.number(start + 9) ?? 0)
    (bench, run) = (row[start + 10], row.bytes(start + 11))
    (tagType, steps, keys) = (row[start + 12], row[start + 13], row[start + 14])
    (epoch, recalled) = (row.number(start + 15), row.number(start + 16))
  }
}

extension JobStanding {
  private static let names = [
    "state", "bench", "uid", "tag", "message_digest", "message_length", "uri", "day", "is_locked",
    "is_protected", "epoch", "recalled",
  ]
  /// How many columns a standing is read from.
  static let width = names.count + 1

  /// What a standing is read from, in the order in which `init` takes them.
  static func columns(_ table: String = "job") -> String {
    names.map { "\(table).\($0)" }.joined(separator: ", ")
      + ", (extract(epoch FROM \(table).lease_until) * 1000)::bigint"
  }

  /// From the columns behind the first `start`.
  init(_ row: PQRow, behind start: Int = 0) {
    let bench = row[start + 1] ?? ""
    let kind = row[start].flatMap(JobState.Kind.init)
    var state = kind == .failed ? JobState.failed : .pending
    if kind == .claimed {
      let lease = row.number(start + 12).map(Lease.until) ?? .entrusted
      state = .claimed(Claim(bench: bench, lease: lease))
    } else if let tag = row.bytes(start + 2), let digest = row.bytes(start + 4) {
      let known = Binding(
        bench: bench, tag: tag, type: row[start + 3],
        message: MessageFacts(
          digest: digest, length: Int(row.number(start + 5) ?? 0), uri: row[start + 6],
          day: row[start + 7]))
      let locks = TagLocks(
        isLocked: row.flag(start + 8) ?? false, isProtected: row.flag(start + 9) ?? false)
      state =
        switch kind {
        case .written: .written(known, locks)
        case .held: .held(known)
        default: .bound(known)
        }
    }
    self.init(state, epoch: row.number(start + 10) ?? 0, recalled: row.number(start + 11))
  }
}

extension ListedJob.State {
  /// The database's words for it, as they stand in a statement behind IN.
  var words: String {
    let words = JobState.Kind.allCases.filter { $0.shown == self }.map { "'\($0.rawValue)'" }
    return "(\(words.joined(separator: ", ")))"
  }
}
