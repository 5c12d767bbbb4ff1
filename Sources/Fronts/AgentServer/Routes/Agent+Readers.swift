import HTTPServing
import Hummingbird
import JSON

extension Agent {
  /// Which readers there are.
  func addReaders(_ routes: ServedRoutes) {
    routes.get("/health") { request, _ in
      _ = try Query(request, takes: [])
      return Agent.json(text: JSONLine.text(HealthJSON()))
    }
    routes.get("/v1/readers") { [stations] request, _ in
      _ = try Query(request, takes: [])
      return Agent.json(text: JSONLine.text(ReaderListJSON(stations.all())))
    }
  }
}

/// The agent is there.
private struct HealthJSON: OutputDocument {
  var status = "ok"
}

/// The readers of an agent.
struct ReaderListJSON: OutputDocument {
  struct Reader: Encodable {
    /// As it stands in addresses.
    var id: String
    /// As --reader names it.
    var reader: String
    /// `ready`, `busy`, or `away`: it did not answer the last time.
    var state: String
    /// How many wait for it.
    var waiting: Int
  }

  var readers: [Reader]

  init(_ stations: [Station]) {
    readers = stations.map {
      let (word, waiting) = $0.state
      return Reader(id: $0.id, reader: $0.name, state: word, waiting: waiting)
    }
  }
}
