extension PoolHubStore {
  package func make(_ list: HubList) throws(HubError) -> HubBatch { throw .oneJournal }
  package func extend(_ batch: String, csv: String) throws(HubError) -> HubBatch {
    throw .oneJournal
  }
  package func close(_ batch: String) throws(HubError) -> HubBatch { throw .oneJournal }
}
