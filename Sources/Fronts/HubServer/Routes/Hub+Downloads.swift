import Foundation
import HTTPServing
import HTTPTypes
import HubKit
import Hummingbird
import JSON
import Ledger
import SeriesReports

extension Hub {
  /// What is taken away: lists and reports, of which no more than a piece is in memory.
  func addDownloads(_ routes: ServedRoutes) {
    routes.get("/v1/batches/:batch/jobs.json") { request, context in
      try await jobList(request, context)
    }
    routes.get("/v1/batches/:batch/jobs.csv") { request, context in
      let id = try context.part("batch")
      var response = try await report(request, context, "text/csv; charset=utf-8") { ReportCSV($0) }
      response.headers[.contentDisposition] = Self.attachment(id, "csv")
      return response
    }
    routes.get("/v1/batches/:batch/report.html") { request, context in
      var response = try await report(request, context, "text/html; charset=utf-8") {
        ReportPage(
          $0, allRows: ReportPage.isShort(of: $0) ? "jobs.csv" : nil,
          command: "nfcprog report --csv FILE")
      }
      response.headers[.contentSecurityPolicy] =
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"
      return response
    }
    routes.get("/v1/batches/:batch/report") { request, context in
      try await report(request, context, "application/jsonl") { _ in ReportJSON() }
    }
  }

  /// A name that no header can misunderstand.
  static func attachment(_ batch: String, _ ending: String) -> String {
    let name = batch.unicodeScalars.map { scalar in
      let isHarmless =
        scalar.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains(scalar)
      return scalar.isASCII && isHarmless ? String(scalar) : "_"
    }.joined()
    return "attachment; filename=\"\(name.prefix(100)).\(ending)\""
  }

  /// How long a client may take to take a piece.
  private static let patience = Duration.seconds(60)

  // MARK: Reports

  /// The report is made in a file first: who takes it slowly holds up nobody, and a journal that
  /// cannot be read is an error of its own.
  private func report<Renderer: ReportRenderer & SendableMetatype>(
    _ request: Request, _ context: ServingContext, _ type: String,
    _ renderer: @escaping @Sendable (Report) -> Renderer
  ) async throws -> Response {
    _ = try Query(request, takes: [])
    let id = try context.part("batch")
    let client = await context.client()
    let spool = try await exports.document(for: client) { [store] isWanted in
      try store.journal(of: id, while: isWanted)
    } _: { journal, path in
      let report = try journal.report(verifying: false)
      try journal.render(report, with: renderer(report), to: path)
    }
    return Response(
      status: .ok, headers: [.contentType: type],
      body: .init(contentLength: spool.size) { [threads] writer in
        while let piece = try await threads.run({ try spool.next() }) {
          try await context.within(Self.patience) {
            try await writer.write(ByteBuffer(bytes: piece))
          }
        }
        try await writer.finish(nil)
      })
  }

  // MARK: Jobs

  private func jobList(_ request: Request, _ context: ServingContext) async throws -> Response {
    _ = try Query(request, takes: [])
    let id = try context.part("batch")
    let client = await context.client()
    _ = try await threads.run { [store] in try store.batch(id) }
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/json", .contentDisposition: Self.attachment(id, "json"),
      ],
      body: .init { [store, threads] writer in
        try await writer.write(ByteBuffer(string: "{\"batch\":\(Self.quoted(id)),\"jobs\":["))
        var (last, isFirst) = (0, true)
        while true {
          let after = last
          guard client?.isGone != true else { return context.disconnect() }
          let jobs = try await threads.run {
            try store.jobs(of: id, JobFilter(), after: after, limit: 500)
          }
          guard let end = jobs.last else { break }
          let texts = jobs.map { JSONLine.text(JobJSON($0, of: id)) }
          let text = (isFirst ? "\n" : ",\n") + texts.joined(separator: ",\n")
          try await context.within(Self.patience) {
            try await writer.write(ByteBuffer(string: text))
          }
          (last, isFirst) = (end.number, false)
        }
        try await writer.write(ByteBuffer(string: "\n],\"schema\":1}\n"))
        try await writer.finish(nil)
      })
  }

  private static func quoted(_ text: String) -> String {
    let data = try? JSONEncoder().encode(text)
    return String(decoding: data ?? Data("\"\"".utf8), as: UTF8.self)
  }
}
