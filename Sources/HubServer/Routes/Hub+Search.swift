import HubKit
import Hummingbird
import TagMemory
import Wire

extension Hub {
  /// Batches in which a search looks for names and numbers, the newest of them, and jobs that it
  /// finds.
  private static let searched = (batches: 50, jobs: 100)

  func addSearch(_ routes: HubRoutes) {
    let (store, threads) = (store, threads)
    routes.get("/v1/search") { request, _ in
      guard let text = try Query(request, takes: ["q"]).text("q") else {
        throw Problem(.badRequest, "What to search for stands in q: a UID, a name or a number.")
      }
      return Hub.json(try await threads.run { try Self.search(text, store) })
    }
  }

  private static func search(_ text: String, _ store: any HubStore) throws -> JobListJSON {
    var search = Search(limit: searched.jobs)
    if let uid = try? Query.uid(text) {
      for id in try store.batchIDs(withTag: uid).reversed() {
        try search.look(HubJobFilter(uid: uid), id, store)
      }
    }
    var filters = [HubJobFilter(name: text)]
    if let number = try? Query.number(text, "", in: 1...Int(Int32.max)) {
      filters.append(HubJobFilter(number: number))
    }
    let ids = try store.batchIDs()
    for id in ids.reversed().prefix(searched.batches) {
      for filter in filters { try search.look(filter, id, store) }
    }
    return JobListJSON(
      found: search.found, isComplete: !search.isFull && ids.count <= searched.batches)
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
  /// Whether there is more than is taken.
  private(set) var isFull = false
  private var known: Set<Place> = []

  init(limit: Int) { self.limit = limit }

  mutating func look(
    _ filter: HubJobFilter, _ batch: String, _ store: any HubStore
  ) throws {
    guard !isFull else { return }
    let jobs = try store.jobs(of: batch, filter, after: 0, limit: limit + 1)
    for job in jobs where known.insert(Place(batch: Array(batch.utf8), job: job.number)).inserted {
      guard found.count < limit else {
        isFull = true
        return
      }
      found.append(JobJSON(job, in: batch))
    }
  }
}
