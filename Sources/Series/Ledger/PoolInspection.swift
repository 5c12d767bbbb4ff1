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
