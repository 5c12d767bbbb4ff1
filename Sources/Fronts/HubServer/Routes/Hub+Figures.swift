import HTTPServing
import HubKit
import Hummingbird

extension Hub {
  /// Adds what tells whether the hub is there, whether what it shows is, and figures for a monitor.
  func addFigures(_ routes: ServedRoutes) {
    let (store, threads) = (store, threads)
    routes.get("/health") { _, _ in Self.text("ok\n") }
    routes.get("/ready") { _, _ in
      let isReady = try await threads.run { (try? store.newestNumber()) != nil }
      guard isReady else {
        // Who has no token learns no more.
        throw Problem(.away, "The journal or the database does not answer.", retryAfter: 5)
      }
      return Self.text("ready\n")
    }
    routes.get("/metrics") { request, _ in
      _ = try Query(request, takes: [])
      let batches = try await threads.run {
        try? store.batches().map { ($0, try $0.lastEvent ?? store.lastEvent(of: $0.id)) }
      }
      return Self.text(metrics(batches), "text/plain; version=0.0.4; charset=utf-8")
    }
  }

  private static func text(
    _ text: String, _ type: String = "text/plain; charset=utf-8"
  ) -> Response {
    Response(
      status: .ok, headers: [.contentType: type],
      body: .init(byteBuffer: ByteBuffer(string: text)))
  }

  /// In Prometheus' text format, 0.0.4. `found`: nil where the store does not answer.
  private func metrics(_ found: [(HubBatch, Int64)]?) -> String {
    let batches = found ?? []
    var lines: [String] = []
    func family(_ name: String, _ kind: String, _ help: String, _ samples: [(String, Int)]) {
      lines += ["# HELP \(name) \(help)", "# TYPE \(name) \(kind)"]
      lines += samples.map { "\(name)\($0.0) \($0.1)" }
    }
    family(
      "nfcprog_jobs", "gauge", "Jobs by batch and state.",
      batches.flatMap { batch, _ in
        [
          ("pending", batch.pending), ("reserved", batch.reserved), ("written", batch.written),
          ("failed", batch.failed),
        ].map { ("{batch=\(Self.label(batch.id)),state=\"\($0.0)\"}", $0.1) }
      })
    family(
      "nfcprog_scrap_tags", "gauge", "Tags that were set aside, by batch.",
      batches.map { ("{batch=\(Self.label($0.0.id))}", $0.0.scrap) })
    family(
      "nfcprog_batch_closed", "gauge", "Whether a batch takes no more rows.",
      batches.map { ("{batch=\(Self.label($0.0.id))}", $0.0.isClosed ? 1 : 0) })
    family(
      "nfcprog_last_event", "gauge", "The number of the newest event, by batch.",
      batches.map { ("{batch=\(Self.label($0.0.id))}", Int($0.1)) })
    family(
      "nfcprog_hub_store_up", "gauge", "Whether the journal or the database answers.",
      [("", found == nil ? 0 : 1)])
    family("nfcprog_hub_watchers", "gauge", "Open event streams.", [("", streams.count)])
    family(
      "nfcprog_hub_requests_total", "counter", "Answers by HTTP status.",
      figures.byStatus.sorted { $0.key < $1.key }.map { ("{status=\"\($0.key)\"}", $0.value) })
    return lines.joined(separator: "\n") + "\n"
  }

  /// A label's value. By code points: a mark behind a quotation mark is one character with it.
  static func label(_ text: String) -> String {
    var escaped = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": escaped += "\\\(scalar)"
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped + "\""
  }
}
