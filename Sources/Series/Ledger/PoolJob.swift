/// A job as it is loaded into a pool.
package struct PoolJob: Sendable {
  package let number: Int
  package let name: String
  /// Nil: any.
  package let wantedTag: String?
  /// SHA-256 of what its row says.
  package let digest: [UInt8]
  /// Where the row stands in its list: line and byte.
  package var place: (line: Int, byte: UInt64) = (0, 0)
  /// Its records and its other columns, as JSON: `[["name","value"],…]`.
  package var texts = (records: "[]", columns: "[]")
  package var locks = false
  package var hasPassword = false

  package init(number: Int, name: String, wantedTag: String?, digest: [UInt8]) {
    (self.number, self.name, self.wantedTag, self.digest) = (number, name, wantedTag, digest)
  }
}
