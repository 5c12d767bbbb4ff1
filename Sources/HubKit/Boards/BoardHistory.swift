import Provisioning

/// What a board needs to know of what has happened: a value that takes events in, one after the
/// other, and forgets what a board does not show.
package struct BoardHistory: Hashable, Sendable {
  /// What became of a tag at a station.
  struct Verdict: Hashable {
    var started: Int64
    var ended: Int64
    var isGood: Bool
    var place: BoardPlace.Key
  }

  /// The number of the last event that was taken in.
  package private(set) var lastEvent: Int64
  private(set) var places: [BoardPlace.Key: BoardPlace] = [:]
  private var verdicts: [Verdict] = []
  private var failures: [String: HubFailure]

  /// How many of the newest events make a board; earlier ones count as failures and jobs only.
  package static let span = 10_000
  /// How long the present rate looks back. Milliseconds.
  private static let rateSpan: Int64 = 600_000
  /// How many periods a board has at most.
  private static let periodCount = 24

  /// `failures`: why tags were not finished before, up to the event with the number `event`, and
  /// `recent` the newest events up to that, in order.
  package init(after event: Int64 = 0, failures: [HubFailure] = [], recent: [HubEvent] = []) {
    lastEvent = event
    self.failures = Dictionary(failures.map { ($0.cause, $0) }) { first, _ in first }
    for known in recent { add(known) }
  }

  /// Takes the next event in.
  package mutating func take(_ event: HubEvent) {
    guard event.event.number > lastEvent else { return }
    lastEvent = event.event.number
    add(event)
    if event.event.kind == "returned" || event.event.kind == "held" {
      let cause = event.event.cause ?? ""
      let known = HubFailure(cause: cause, count: 0, example: event.event.text)
      failures[cause, default: known].count += 1
    }
  }

  private mutating func add(_ event: HubEvent) {
    // What an operator does to a job is no matter of a station.
    guard event.verdict != nil || event.beginsWork,
      let station = event.event.station ?? event.event.reader
    else { return }
    let key = BoardPlace.Key(bench: event.bench, station: station)
    let isRepeated = places[key]?.isRepeated(event) == true
    places[key, default: BoardPlace(key)].take(event)
    guard let verdict = event.verdict, verdict != .left, !isRepeated else { return }
    verdicts.append(
      Verdict(
        started: event.event.started, ended: event.end, isGood: verdict == .passed, place: key))
    // Now and then, not for each.
    if verdicts.count > Self.span + 1000 { verdicts.removeFirst(verdicts.count - Self.span) }
  }

  // MARK: The board

  /// The board of a batch as it is `now`; `runs`: its newest runs, the newest first; `shown`: what
  /// its stations have said that they show.
  package func board(
    of batch: HubBatch, runs: [HubRun], shown: [HubStation] = [], now: Int64
  ) -> Board {
    let (periods, seconds) = periods
    let failures = failures.values.sorted { ($1.count, $0.cause) < ($0.count, $1.cause) }
    let failed = failures.reduce(0) { $0 + $1.count }
    let rate = rate(now)
    let tried = batch.written + failed
    return Board(
      batch: batch, now: now, lastEvent: lastEvent, stations: stations(runs, shown, now),
      periods: periods, periodSeconds: seconds, failures: failures,
      secondsLeft: Self.secondsLeft(of: batch, at: rate), tagsPerHour: rate,
      yield: tried > 0 ? Double(batch.written) / Double(tried) : nil)
  }

  private static func secondsLeft(of batch: HubBatch, at rate: Double?) -> Int? {
    // Of a closed batch, what benches have begun is all that will be finished.
    let left = batch.isClosed ? batch.reserved : batch.pending + batch.reserved
    guard let rate, rate > 0, left > 0 else { return nil }
    return Int((Double(left) * 3600 / rate).rounded(.up))
  }

  /// Good tags an hour in the last ten minutes, or since work began in these.
  private func rate(_ now: Int64, at place: BoardPlace.Key? = nil) -> Double? {
    let end = max(now, verdicts.last?.ended ?? now)
    let start = end - Self.rateSpan
    var (good, first) = (0, end)
    for verdict in verdicts.reversed() where place == nil || verdict.place == place {
      // Benches tell in order what each has seen, and one may be a little late.
      if verdict.ended < start - Self.rateSpan { break }
      guard verdict.ended >= start else { continue }
      first = min(first, max(start, verdict.started))
      good += verdict.isGood ? 1 : 0
    }
    guard good > 0, end - first >= 1000 else { return nil }
    return (Double(good) * 36_000_000 / Double(end - first)).rounded() / 10
  }

  private func stations(
    _ runs: [HubRun], _ shown: [HubStation], _ now: Int64
  ) -> [BoardStation] {
    var places = places
    for station in shown {
      let key = BoardPlace.Key(bench: station.bench, station: station.shown.name)
      places[key, default: BoardPlace(key)].take(station)
    }
    let byID = Dictionary(runs.map { ($0.id, $0) }) { first, _ in first }
    let newest = Dictionary(runs.map { ($0.bench, $0) }) { first, _ in first }
    let stations = places.values.map { place -> BoardStation in
      var station = place.station
      let run = place.run.flatMap { byID[$0] }
      let last = newest[station.bench]
      station.operatorName = (run ?? last)?.operatorName
      // One that is not among the newest was followed by others.
      let next = last.flatMap { $0.began > station.since ? $0.began : $0.ended }
      if let ended = run == nil ? next : run?.ended {
        station.end(at: ended)
      } else {
        station.tagsPerHour = rate(now, at: place.key)
      }
      return station
    }
    // Stations of an earlier day are no news beside those of today.
    let latest = stations.map(\.since).max() ?? 0
    return stations.filter { $0.word != .ended || $0.since > latest - 43_200_000 }
      .sorted { $0.order < $1.order }
  }

  private var periods: ([BoardPeriod], seconds: Int) {
    guard let first = verdicts.lazy.map(\.ended).min(), let last = verdicts.lazy.map(\.ended).max()
    else { return ([], Report.periodLength(over: 0, atMost: Self.periodCount)) }
    let seconds = Report.periodLength(
      over: Double(last - first) / 1000, atMost: Self.periodCount - 1)
    let length = Int64(seconds) * 1000
    var periods = (first / length...last / length).map { BoardPeriod(start: $0 * length) }
    for verdict in verdicts {
      let index = Int(verdict.ended / length - first / length)
      if verdict.isGood { periods[index].written += 1 } else { periods[index].failed += 1 }
    }
    return (periods, seconds)
  }
}
