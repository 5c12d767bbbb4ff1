/// A run of `nfcprog provision` at a bench, as whoever looks on is shown it.
package struct SeriesRun: Hashable, Sendable {
  package let bench: String
  package let operatorName: String
  /// Milliseconds since 1970, by the bench's clock.
  package let began: Int64
  /// The run has ended at this time; nil: it is not known to have ended.
  package var ended: Int64?
  /// Is true if it has ended without saying so.
  package var wasCutOff: Bool
  /// Since when nothing is heard of its bench, by the store's clock; nil: its bench is there.
  package var silentSince: Int64?
  /// What its events name.
  package let id: String

  package init(
    bench: String, operatorName: String, began: Int64, ended: Int64?, wasCutOff: Bool = false,
    silentSince: Int64? = nil, id: String = ""
  ) {
    (self.bench, self.operatorName, self.id) = (bench, operatorName, id)
    (self.began, self.ended) = (began.asStoredTime, ended?.asStoredTime)
    (self.wasCutOff, self.silentSince) = (wasCutOff, silentSince?.asStoredTime)
  }
}
