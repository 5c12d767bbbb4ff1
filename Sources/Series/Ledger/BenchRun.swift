/// A run of the program on a bench.
package struct BenchRun: Hashable, Sendable {
  /// 16 random bytes, by which it is known everywhere.
  package let id: [UInt8]
  package let operatorName: String
  /// Without secrets.
  package let command: String
  package let version: String
  package let host: String
  /// Milliseconds since 1970.
  package let begun: Int64
  /// Milliseconds since 1970; nil: it is not known to have ended.
  package var ended: Int64?

  package init(
    id: [UInt8], operatorName: String, command: String, version: String, host: String, begun: Int64,
    ended: Int64? = nil
  ) {
    (self.id, self.operatorName, self.command) = (id, operatorName, command)
    (self.version, self.host, self.begun, self.ended) = (version, host, begun, ended)
  }
}
