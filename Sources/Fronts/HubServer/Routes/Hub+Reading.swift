import HTTPServing
import HubKit
import Hummingbird
import Ledger

extension Hub {
  /// What can be asked about batches, jobs and tags.
  func addReading(_ routes: ServedRoutes) {
    let (store, threads) = (store, threads)
    routes.get("/v1/batches") { request, _ in
      let limit = try Query(request, takes: ["limit"]).number("limit", in: 1...1000)
      let batches = try await threads.run {
        try limit.map { try store.batches(limit: $0) } ?? store.batches()
      }
      return Hub.json(BatchListJSON(batches, takesBatches: store.takesBatches))
    }
    routes.get("/v1/batches/:batch") { request, context in
      _ = try Query(request, takes: [])
      let id = try context.part("batch")
      return Hub.json(BatchJSON(try await threads.run { try store.batch(id) }))
    }
    routes.get("/v1/batches/:batch/events") { request, context in
      let query = try Query(request, takes: ["after", "limit"])
      let id = try context.part("batch")
      let after = try query.number("after", in: 0...Int64.max) ?? 0
      let limit = try query.number("limit", in: 1...1000) ?? 100
      let events = try await threads.run { try store.events(of: id, after: after, limit: limit) }
      return Hub.json(EventListJSON(events, limit: limit))
    }
    routes.get("/v1/batches/:batch/jobs") { request, context in
      let query = try Query(request, takes: ["state", "name", "uid", "after", "limit"])
      let id = try context.part("batch")
      let filter = JobFilter(
        state: try query.choice("state", ListedJob.State.self), name: try query.text("name"),
        tag: try query.uid("uid")?.bytes)
      let after = try query.number("after", in: 0...Int(Int32.max)) ?? 0
      let limit = try query.number("limit", in: 1...500) ?? 100
      let jobs = try await threads.run {
        try store.jobs(of: id, filter, after: after, limit: limit)
      }
      return Hub.json(JobListJSON(jobs, of: id, limit: limit))
    }
    routes.get("/v1/batches/:batch/jobs/:number") { request, context in
      _ = try Query(request, takes: [])
      let (id, number) = (try context.part("batch"), try context.number("number"))
      return Hub.json(
        try await threads.run {
          let filter = JobFilter(number: number)
          guard let job = try store.jobs(of: id, filter, after: number - 1, limit: 1).first else {
            throw Problem(.noJob, "The batch \(id) has no job \(number).")
          }
          let events = try store.history(ofJob: number, in: id, limit: 1000)
          return JobJSON(job, in: id, events: events)
        })
    }
    routes.get("/v1/tags/:uid") { request, context in
      _ = try Query(request, takes: [])
      let uid = try Query.uid(context.part("uid"))
      let events = try await threads.run { try store.history(ofTag: uid, limit: 1000) }
      return Hub.json(TagHistoryJSON(uid.bytes, events))
    }
    addSearch(routes)
  }
}
