import Ledger
import LedgerPostgreSQL
import LedgerSQLite

/// What the pool knows of this bench's stations.
extension PoolBench {
  package func show(_ stations: [ShownStation]) {
    state.withLock { state in
      for station in stations { state.untoldStations[station.name] = station }
    }
  }

  /// Says what the stations show now, where that is not what the pool knows.
  func tellStations() throws(PoolError) {
    let (stations, session) = state.withLock { ($0.untoldStations, $0.told?.id) }
    guard let session, !stations.isEmpty else { return }
    try store.show(stations.values.sorted { $0.name < $1.name }, session: session)
    state.withLock { state in
      // They may have changed meanwhile.
      for (name, told) in stations where state.untoldStations[name] == told {
        state.untoldStations[name] = nil
      }
    }
  }
}
