import Ledger

/// What happened to tags, added up event by event.
struct WorkFold {
  /// The end of somebody's work on a tag, or a tag that was left alone.
  struct End {
    /// Milliseconds since 1970.
    let started: Int64
    let ended: Int64
    let event: Int64
    let run: Int32
    let count: EventCount
  }

  private(set) var figures = Figures()
  /// Times that a job was released.
  private(set) var releases = 0
  private(set) var ends: [End] = []
  private var byReader: [String: ReaderWork] = [:]
  /// Of finished tags.
  private var spent = TimeSpent()

  /// How one reader did, and where.
  private struct ReaderWork {
    var counts = Figures.Counts()
    var stations: [String] = []
    var spent = TimeSpent()
  }

  /// In microseconds.
  private struct TimeSpent {
    var total: Int64 = 0
    var longest: Int64 = 0

    mutating func add(_ duration: Int64) {
      total += duration
      longest = max(longest, duration)
    }

    func mean(of count: Int) -> Duration { .microseconds(total / Int64(max(1, count))) }
  }

  mutating func take(_ event: Event, in run: Int64) {
    guard EventKind(rawValue: event.kind).map({ $0 != .released }) == true else {
      releases += 1
      return
    }
    let count = figures.take(event)
    ends.append(
      End(
        started: event.started, ended: event.started + event.duration / 1000,
        event: event.number, run: Int32(clamping: run), count: count))
    var work = byReader[event.reader ?? ""] ?? ReaderWork()
    work.counts.add(count)
    if let station = event.station, !work.stations.contains(station) {
      work.stations.append(station)
    }
    if count == .success {
      work.spent.add(event.duration)
      spent.add(event.duration)
    }
    byReader[event.reader ?? ""] = work
  }

  /// By their names.
  var readers: [Report.Reader] {
    byReader.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { name, work in
      Report.Reader(
        name: name, stations: work.stations.joined(separator: ","), written: work.counts.written,
        failed: work.counts.failed, left: work.counts.left,
        meanDuration: work.spent.mean(of: work.counts.written))
    }
  }

  /// Of a finished tag.
  var meanDuration: Duration { spent.mean(of: figures.successes) }
  var longestDuration: Duration { .microseconds(spent.longest) }

  /// Puts the ends in order by the clock, those of one moment as they were written down.
  mutating func sortEnds() {
    ends.sort { ($0.started, $0.event) < ($1.started, $1.event) }
  }
}
