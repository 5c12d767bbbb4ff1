import JSON
import Ledger
import SeriesReports

/// A batch at one moment: `GET /v1/batches/{id}/board`, and the stream's `board`.
package struct BoardJSON: OutputDocument {
  package struct Period: Encodable, Sendable {
    package var start: String
    package var written: Int
    package var failed: Int
  }

  package struct Failure: Encodable, Sendable {
    /// A stable word; empty: not known.
    package var cause: String
    package var count: Int
    /// What was said the first time.
    package var example: String?
  }

  package var batch: BatchJSON
  /// The hub's clock.
  package var now: String
  /// The number of the newest event that it knows of; 0: none.
  package var lastEvent: Int64
  package var stations: [StationJSON]
  package var periods: [Period]
  package var periodSeconds: Int
  package var failures: [Failure]
  package var secondsLeft: Int?
  package var tagsPerHour: Double?
  package var workSeconds: Int?
  /// From 0 to 1.
  package var yield: Double?
  /// The number of times that work on a tag ended, and how many of them ended well.
  package var attempts: Int
  package var successes: Int
  /// By type of tag, the most frequent first: tags that are good now, and attempts.
  package var types: [TypeCountJSON]

  package init(_ board: Board) {
    (batch, now, lastEvent) = (BatchJSON(board.batch), HubTime.text(board.now), board.lastEvent)
    stations = board.stations.map { StationJSON($0) }
    periods = board.periods.map {
      Period(start: HubTime.text($0.start), written: $0.written, failed: $0.failed)
    }
    periodSeconds = board.periodSeconds
    failures = board.failures.map {
      Failure(cause: $0.name, count: $0.count, example: $0.example)
    }
    (secondsLeft, tagsPerHour) = (board.secondsLeft, board.tagsPerHour)
    workSeconds = board.workSeconds
    yield = board.yield
    (attempts, successes) = (board.figures.attempts, board.figures.successes)
    types = board.figures.types(good: board.batch.types).map(TypeCountJSON.init)
  }
}

/// The stations of a batch: `GET /v1/batches/{id}/stations`.
package struct StationListJSON: OutputDocument {
  package var stations: [StationJSON]

  package init(_ board: Board) { stations = board.stations.map { StationJSON($0) } }
}

/// A station, in the words of a terminal's live view.
package struct StationJSON: Encodable, Sendable {
  /// By what it is known among the stations of its batch.
  package var id: String
  package var bench: String
  package var station: String
  package var `operator`: String?
  /// What the operator reads: `PLACE TAG`, `PASS`, `READER AWAY`, …
  package var word: String
  /// Of a station whose bench is silent: the last word that was known.
  package var lastWord: String?
  /// Where the tag goes: `good`, `again`, `bin` or `aside`.
  package var bin: String?
  /// What stands below the word, in a few words.
  package var next: String?
  /// Why, in a clause.
  package var text: String?
  package var job: JobNameJSON?
  package var uid: String?
  /// When the word began to be so.
  package var since: String
  package var tagsPerHour: Double?
  /// Of its run.
  package var written: Int
  package var failed: Int

  package init(_ station: BoardStation) {
    (id, bench, self.station) = (station.id, station.bench, station.station)
    `operator` = station.operatorName?.isEmpty == true ? nil : station.operatorName
    word = station.isSilent ? "NOT HEARD OF" : station.word.text
    lastWord = station.isSilent ? station.word.text : nil
    (bin, next, text) = (station.bin?.rawValue, station.next, station.text)
    (job, uid) = (JobNameJSON(station.job, station.jobName), station.uid?.hex)
    (since, tagsPerHour) = (HubTime.text(station.since), station.tagsPerHour)
    (written, failed) = (station.written, station.failed)
  }
}
