import Ledger

/// What a bench tells beside what happened, for reports and for whoever takes the tag over. What is
/// nil stays as the pool has it.
package struct PoolDetail: Hashable, Sendable {
  /// The tag's product, in the words of `sim:`.
  package var tagType: String?
  /// What the time was spent on, as a journal has it.
  package var steps: String?
  /// The run of the bench.
  package var session: [UInt8]?
  /// The keys that the tag is to get, said without a secret, as JSON.
  package var keys: String?
  /// Of the message: its length in bytes, its first link, its day, and itself until the tag is
  /// finished.
  package var length: Int?
  package var uri: String?
  package var day: String?
  package var message: [UInt8]?
  package var isLocked: Bool?
  package var isProtected: Bool?

  package init() {}
}

/// A run of a bench's program.
package struct PoolSession: Hashable, Sendable {
  package let id: [UInt8]
  package let operatorName: String
  package let command: String
  package let version: String
  package let host: String
  /// Milliseconds since 1970.
  package let begun: Int64

  package init(
    id: [UInt8], operatorName: String, command: String, version: String, host: String, begun: Int64
  ) {
    (self.id, self.operatorName, self.command) = (id, operatorName, command)
    (self.version, self.host, self.begun) = (version, host, begun)
  }
}

/// What the pool knows of a tag.
package struct PoolTag: Hashable, Sendable {
  package enum Standing: Hashable, Sendable {
    /// The tag has this job, or may have it: `bound`, `held` or `written`.
    case job(Int, state: String)
    /// It is not to be used, since (milliseconds since 1970) and why.
    case scrap(since: Int64, cause: String?, text: String?)
  }

  package let standing: Standing
  /// Of the job, by the bench that had it last.
  package var bench = ""
  package var epoch: Int64 = 0
  package var digest: [UInt8] = []
  package var detail = PoolDetail()
  /// Whether that bench may be at work on it.
  package var isAlive = false
  /// What happened last.
  package var event = LedgerEvent.none
  package var operatorName = ""
}

/// A finished tag that was laid down anew, or is to be.
package struct PoolInspection: Hashable, Sendable {
  package let id: [UInt8]
  package let job: Int
  package let tag: [UInt8]
  package let reason: String
  /// `good`, `bad`, `void` where it is not wanted any more; nil: it waits.
  package var result: String?
  package var session: [UInt8]?
  package var station: String?
  package var reader: String?
  package var cause: String?
  package var text: String?
  /// Milliseconds since 1970.
  package var inspected: Int64?

  package init(id: [UInt8], job: Int, tag: [UInt8], reason: String) {
    (self.id, self.job, self.tag, self.reason) = (id, job, tag, reason)
  }
}
