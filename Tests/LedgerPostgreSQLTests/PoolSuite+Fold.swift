import Testing

@testable import Ledger
@testable import LedgerPostgreSQL

extension PoolSuite {
  /// What happened, as the pool's events say it, brings each job where its row says that it stands,
  /// and sets those tags aside that the pool has set aside.
  func checkFold() throws { try expectFold(of: address) }
}

/// The same of any batch. Claims are no events: of a job on no tag, the row may be ahead.
func expectFold(of address: PoolAddress) throws {
  let reading = try PoolReading(address)
  var records: [Int: JobRecord] = [:]
  var scrap: Set<[UInt8]> = []
  func take(_ event: Event) throws(PoolError) {
    if event.what.setsAside, let tag = event.tag { scrap.insert(tag) }
    guard let job = event.job else { return }
    let isInOrder = records[job, default: JobRecord()].apply(event)
    #expect(isInOrder, "\(event)")
  }
  try reading.forEachEvent({ $0 }, take)
  func compare(_ job: PoolReading.Job) throws(PoolError) {
    let (there, told) = (job.record, records[job.row.number] ?? JobRecord())
    #expect(there.state == told.state, "job \(job.row.number)")
    #expect(told.epoch <= there.epoch, "job \(job.row.number)")
    guard there.onTag != nil else { return }
    #expect(there == told, "job \(job.row.number)")
  }
  try reading.forEachJob({ $0 }, compare)
  #expect(try scrap == Set(reading.scrap()))
}
