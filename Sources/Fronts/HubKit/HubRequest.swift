import LedgerSQLite
import TagMemory

/// A request that its sender can send again under its key: nothing is done twice.
package struct HubRequest: Hashable, Sendable {
  package var key: String
  /// SHA-256 of all that it says.
  package var digest: [UInt8]

  package init(key: String, digest: [UInt8]) { (self.key, self.digest) = (key, digest) }
}

/// What a store does that takes no batches, and has few.
extension HubStore {
  package func make(_ list: HubList) throws(HubError) -> HubBatch { try make(list, nil) }

  package func extend(_ batch: String, csv: String) throws(HubError) -> HubBatch {
    try extend(batch, csv: csv, nil)
  }

  package func close(_ batch: String) throws(HubError) -> HubBatch { try close(batch, nil) }

  package func journal(
    of batch: String, while isWanted: @Sendable () -> Bool
  ) throws(HubError) -> Journal { try journal(of: batch) }

  package func batch(after request: HubRequest) throws(HubError) -> HubBatch? { nil }

  package func batchIDs() throws(HubError) -> [String] { try batches().map(\.id) }
  package func batchIDs(withTag uid: UID) throws(HubError) -> [String] { try batchIDs() }
}
