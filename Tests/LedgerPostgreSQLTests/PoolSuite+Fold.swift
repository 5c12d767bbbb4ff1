import Testing

@testable import Ledger
@testable import LedgerPostgreSQL

extension PoolSuite {
  /// What happened, as the pool's events say it, brings each job where its row says that it stands,
  /// and sets those tags aside that the pool has set aside.
  func checkFold() throws { try expectFold(of: address) }
}

/// The same of any batch, of which report and hub agree then, too. Claims are no events: of a job
/// on no tag, the row may be ahead.
func expectFold(of address: PoolAddress) throws {
  let reading = try PoolReading(address)
  var standings: [Int: JobStanding] = [:]
  var scrap: Set<[UInt8]> = []
  func take(_ event: Event) throws(PoolError) {
    scrap.take(event)
    guard let job = event.job else { return }
    let isInOrder = standings[job, default: JobStanding()].apply(event)
    #expect(isInOrder, "\(event)")
  }
  try reading.forEachEvent({ $0 }, take)
  func compare(_ job: PoolReading.Job) throws(PoolError) {
    let (there, told) = (job.standing, standings[job.row.number] ?? JobStanding())
    #expect(there.isPending ? told.isPending : there == told, "job \(job.row.number)")
    #expect(told.epoch <= there.epoch, "job \(job.row.number)")
  }
  try reading.forEachJob({ $0 }, compare)
  let store = try PoolStore(address, bench: "looker")
  #expect(try store.scrapCount() == scrap.count && scrap.allSatisfy { try store.isScrap($0) })
  try expectAgreement(of: address)
}
