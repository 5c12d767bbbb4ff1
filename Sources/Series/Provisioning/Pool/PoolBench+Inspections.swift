import LedgerPostgreSQL
import LedgerSQLite

extension PoolBench {
  /// Tells what the pool has not heard of inspections.
  func tellInspections() throws(PoolError) {
    while let untold = try local(journal.firstUntoldInspection()) {
      if let told = untold.told {
        try store.tell(told)
      } else {
        try store.drop(inspection: untold.id)
      }
      try local(journal.noteTold(inspection: untold.number, untold.told))
    }
  }
}
