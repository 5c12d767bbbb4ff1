import LedgerPostgreSQL
import LedgerSQLite

/// Returns what a hub shows: the journal's file at a path, or all batches of the pool at an
/// address. Throws where there is no such journal, the database does not answer, or it lacks the
/// batch that the address names.
package func openHubStore(journal: String) throws(JournalError) -> any HubStore {
  guard PoolAddress.isAddress(journal) else { return try JournalHubStore(journal) }
  let address: PoolAddress
  do throws(PoolAddress.Mistake) {
    address = try PoolAddress(parsing: journal, needsBatch: false)
  } catch {
    throw JournalError(.badAddress(error))
  }
  do throws(PoolError) {
    let viewer = try PoolViewer(address)
    if !address.batch.isEmpty { _ = try viewer.batch(address.batch) }
    return PoolHubStore(viewer)
  } catch {
    throw JournalError(error)
  }
}
