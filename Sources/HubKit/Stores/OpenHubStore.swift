import LedgerPostgreSQL
import Provisioning

/// What a hub shows: the journal's file at a path, or all batches of the pool at an address.
/// Throws where there is no such journal, or the database does not answer.
package func openHubStore(journal: String) throws(JournalError) -> any HubStore {
  guard PoolAddress.isAddress(journal) else { return try JournalHubStore(journal) }
  let address: PoolAddress
  do throws(PoolAddress.Mistake) {
    address = try PoolAddress(parsing: journal, needsBatch: false)
  } catch {
    throw JournalError(.badAddress(error))
  }
  do throws(PoolError) { return PoolHubStore(try PoolViewer(address)) } catch {
    throw JournalError(error)
  }
}
