import Ledger
import Provisioning
import TagMemory

/// A batch at one moment, for people who look at the line from further away.
package struct Board: Hashable, Sendable {
  package var batch: HubBatch
  /// The hub's clock. Milliseconds since 1970.
  package var now: Int64
  /// The number of the newest event that it knows of; 0: none.
  package var lastEvent: Int64
  package var stations: [BoardStation]
  /// In order, without gaps.
  package var periods: [BoardPeriod]
  package var periodSeconds: Int
  /// Why tags were not finished, the most frequent cause first.
  package var failures: [Figures.NamedCause]
  /// Until the last job is on a tag, at the present rate; nil: none is left, or there is no rate.
  package var secondsLeft: Int?
  /// Good tags an hour in the last ten minutes; nil: nobody works, or it is not known yet.
  package var tagsPerHour: Double?
  /// How long runs worked on a batch that is over, in seconds, what lay between them left out; nil:
  /// it is not over, or that is not known.
  package var workSeconds: Int?
  /// How many tags were good, failed or were left alone: a tag that was laid down twice has two
  /// attempts, and one that was written again, too.
  package var figures: Figures

  /// Good attempts of all.
  package var yield: Double? { figures.yield }
}

/// A station of a batch, in the words of a terminal's live view.
package struct BoardStation: Hashable, Sendable {
  package var bench: String
  package var station: String
  /// Counts the stations of its bench from 0, as its terminal shows them.
  package var position = 0
  package var operatorName: String?
  package var word: StationWord
  /// Is true if nothing was heard of its bench for too long: `word` is the last that it showed.
  package var isSilent = false
  /// Where the tag goes; nil while it is worked on.
  package var bin: TagOutcome.Bin?
  /// What stands below the word: where the tag goes, or why the station shows nothing.
  package var next: String?
  /// Why, in a clause.
  package var text: String?
  package var job: Int?
  package var jobName: String?
  package var uid: UID?
  /// When the word began to be so. Milliseconds since 1970.
  package var since: Int64
  package var tagsPerHour: Double?
  /// Of its run.
  package var written = 0
  package var failed = 0

  /// Is true where the station's run is not known to have ended, and its bench is heard.
  package var isAtWork: Bool { !isSilent && word != .ended }

  /// By what it is known among the stations of its batch.
  package var id: String { "\(bench)/\(station)" }
}

/// A stretch of time.
package struct BoardPeriod: Hashable, Sendable {
  /// Milliseconds since 1970.
  package var start: Int64
  package var written = 0
  package var failed = 0
}
