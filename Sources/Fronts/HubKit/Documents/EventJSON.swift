import Bytes
import JSON
import Ledger

/// Events of a batch: `GET /v1/batches/{id}/events`.
package struct EventListJSON: OutputDocument {
  package var events: [EventJSON]
  /// Where to go on; absent: these are the last for now.
  package var next: Int64?

  /// `limit`: how many were asked for.
  package init(_ events: [NamedEvent], limit: Int) {
    self.events = events.map { EventJSON($0) }
    next = events.count >= limit ? events.last?.event.number : nil
  }
}

/// What happened to a tag in all batches: `GET /v1/tags/{uid}`.
package struct TagHistoryJSON: OutputDocument {
  package var uid: String
  package var events: [EventJSON]
  /// Batches that have a job on the tag, or had one.
  package var batches: [String]?

  package init(_ uid: [UInt8], _ events: [NamedEvent]) {
    (self.uid, self.events) = (Hex.string(uid), events.map { EventJSON($0) })
    var known: Set<BatchKey> = []
    let names = events.map(\.batch).filter { known.insert(BatchKey($0)).inserted }
    batches = names.isEmpty ? nil : names
  }
}

/// A job's number and name.
package struct JobNameJSON: Encodable, Sendable {
  package var number: Int
  package var name: String

  /// Nil where no job is meant.
  init?(_ number: Int?, _ name: String?) {
    guard let number else { return nil }
    (self.number, self.name) = (number, name ?? "\(number)")
  }
}

/// Something that happened to a job or a tag.
package struct EventJSON: OutputDocument {
  /// Grows with every event of a hub's batches.
  package var id: Int64
  package var batch: String
  /// `reserved`, `resumed`, `written`, `returned`, `held`, `passed`, `refused`, `released` or
  /// `retried`.
  package var kind: String
  package var job: JobNameJSON?
  package var uid: String?
  package var tag: String?
  /// Absent beside a job in a list.
  package var bench: String?
  package var station: String?
  package var reader: String?
  /// A stable word, and a sentence.
  package var cause: String?
  package var text: String?
  /// Of an event that set its tag aside as not to be used: true.
  package var scrap: Bool?
  /// The bench's run.
  package var run: String?
  package var time: String
  package var durationMs: Double

  package init(_ event: NamedEvent) {
    let ledger = event.event
    (id, batch, kind) = (ledger.number, event.batch, ledger.kind)
    job = JobNameJSON(ledger.job, event.jobName)
    (uid, tag) = (ledger.tag.map { Hex.string($0) }, ledger.tagType)
    bench = event.bench.isEmpty ? nil : event.bench
    (station, reader) = (ledger.station, ledger.reader)
    (cause, text, run) = (ledger.cause, ledger.text, event.run)
    scrap = event.isScrap ? true : nil
    (time, durationMs) = (HubTime.text(ledger.started), Double(ledger.duration) / 1000)
  }
}
