import HTTPServing
import HubKit
import Hummingbird
import Ledger
import TagMemory

extension Hub {
  /// Batches in which a search looks for texts and numbers, the newest of them, and jobs that it
  /// finds.
  private static let searched = (batches: 50, jobs: 100)

  func addSearch(_ routes: ServedRoutes) {
    let (store, threads) = (store, threads)
    routes.get("/v1/search") { request, _ in
      guard let text = try Query(request, takes: ["q"]).text("q") else {
        throw Problem(
          .badRequest, "What to search for stands in q: a UID, a job as #17, or a text of the list."
        )
      }
      return Hub.json(try await threads.run { try Self.search(text, store) })
    }
  }

  /// How long a search looks at the rows of lists, and how many it looks at before it asks again.
  private static let patience = (time: Duration.seconds(5), rows: 50_000)

  private static func search(_ text: String, _ store: any HubStore) throws -> JobListJSON {
    var search = Search(limit: searched.jobs)
    let wanted = SearchText(text)
    if let uid = wanted.uid {
      for id in try store.batchIDs(withTag: uid).reversed() {
        try search.look(JobFilter(tag: uid.bytes), id, store)
      }
    }
    let ids = try store.batchIDs().reversed()
    let newest = ids.prefix(searched.batches)
    // What an index finds comes first.
    var filters = wanted.isJobOnly ? [] : [JobFilter(name: text)]
    if let number = wanted.job { filters.insert(JobFilter(number: number), at: 0) }
    for filter in filters {
      for id in newest { try search.look(filter, id, store) }
    }
    var isComplete = ids.count <= searched.batches
    if !wanted.isJobOnly {
      let end = ContinuousClock.now + patience.time
      for id in newest where try !search.look(wanted, id, store, patience.rows, until: end) {
        isComplete = false
      }
    }
    return JobListJSON(found: search.found, isComplete: !search.isFull && isComplete)
  }
}

/// What a search has found so far.
private struct Search {
  private struct Place: Hashable {
    let batch: [UInt8]
    let job: Int
  }

  let limit: Int
  private(set) var found: [JobJSON] = []
  /// Is true if there is more than is taken.
  private(set) var isFull = false
  private var known: Set<Place> = []

  init(limit: Int) { self.limit = limit }

  /// Looks at all rows of a batch, so many at once; false where there is no time for all.
  mutating func look(
    _ text: SearchText, _ batch: String, _ store: any HubStore, _ rows: Int,
    until end: ContinuousClock.Instant
  ) throws -> Bool {
    guard !isFull, ContinuousClock.now < end else { return false }
    let count = try store.jobCount(of: batch)
    var start = 0
    while start < count, !isFull {
      guard ContinuousClock.now < end else { return false }
      try look(JobFilter(text: text, upTo: start + rows), batch, store, after: start)
      start += rows
    }
    return true
  }

  mutating func look(
    _ filter: JobFilter, _ batch: String, _ store: any HubStore, after number: Int = 0
  ) throws {
    guard !isFull else { return }
    let jobs = try store.jobs(of: batch, filter, after: number, limit: limit + 1)
    for job in jobs where known.insert(Place(batch: Array(batch.utf8), job: job.number)).inserted {
      guard found.count < limit else {
        isFull = true
        return
      }
      found.append(JobJSON(job, in: batch))
    }
  }
}
