import Ledger
import Provisioning

/// What a board needs to know of what has happened: a value that takes events in, one after the
/// other, and forgets what a board does not show.
package struct BoardHistory: Hashable, Sendable {
  /// The number of the last event that was taken in.
  package private(set) var lastEvent: Int64
  private(set) var places: [BoardPlace.Key: BoardPlace] = [:]
  private var verdicts = BoardVerdicts()
  private var figures: Figures

  /// How many of the newest events make a board; earlier ones count as failures and jobs only.
  package static let span = 10_000
  /// How many of the newest runs do.
  package static let runSpan = 200

  /// `figures`: how many tags were good or failed before, up to the event with the number `event`,
  /// and `recent` the newest events up to that, in order.
  package init(
    after event: Int64 = 0, figures: Figures = Figures(), recent: [NamedEvent] = []
  ) {
    (lastEvent, self.figures) = (event, figures)
    for known in recent { add(known) }
  }

  /// Takes the next event in.
  package mutating func take(_ event: NamedEvent) {
    guard event.event.number > lastEvent else { return }
    lastEvent = event.event.number
    add(event)
    figures.take(event.event)
  }

  private mutating func add(_ event: NamedEvent) {
    // What an operator does to a job is no matter of a station.
    guard event.verdict != nil || event.beginsWork,
      let station = event.event.station ?? event.event.reader
    else { return }
    let key = BoardPlace.Key(bench: event.bench, station: station)
    let isRepeated = places[key]?.isRepeated(event) == true
    let ended = places[key, default: BoardPlace(key)].take(event)
    let count = event.count
    guard count == .success || count == .failure, !isRepeated else { return }
    verdicts.add(
      .init(
        started: ended - event.event.duration / 1000, ended: ended, isGood: count == .success,
        place: key))
  }

  // MARK: The board

  /// The board of a batch as it is `now`; `runs`: its newest runs, the newest first; `shown`: what
  /// its stations have said that they show.
  package func board(
    of batch: HubBatch, runs: [SeriesRun], shown: [NamedStation] = [], now: Int64
  ) -> Board {
    let (periods, seconds) = verdicts.periods(at: now)
    let failures = figures.failures.ranked
    // Of a closed batch, what benches have in hand is all that will be finished.
    let left = batch.reserved + (batch.isClosed ? batch.claimed : batch.pending)
    // Nobody goes on where nothing is left.
    let rates = left > 0 ? verdicts.rates(at: now) : (all: nil, places: [:])
    let stations = stations(runs, shown, rates.places, now)
    let rate = stations.contains(where: \.isAtWork) ? rates.all : nil
    return Board(
      batch: batch, now: now, lastEvent: lastEvent, stations: stations, periods: periods,
      periodSeconds: seconds, failures: failures,
      secondsLeft: rate.flatMap { Int(exactly: (Double(left) * 3600 / $0).rounded(.up)) },
      tagsPerHour: rate, workSeconds: left > 0 ? nil : workSeconds(runs), figures: figures)
  }

  /// How long any of `runs` worked, until the newest verdict; nil where they may not be all.
  private func workSeconds(_ runs: [SeriesRun]) -> Int? {
    guard runs.count < Self.runSpan, let end = verdicts.end else { return nil }
    var (work, reached) = (Int64(0), Int64.min)
    for run in runs.sorted(by: { $0.began < $1.began }) {
      let from = max(run.began, reached)
      let until = min(run.ended ?? end, end)
      guard until > from else { continue }
      (work, reached) = (work + until - from, until)
    }
    return work > 0 ? Int((Double(work) / 1000).rounded(.up)) : nil
  }

  private func stations(
    _ runs: [SeriesRun], _ shown: [NamedStation], _ rates: [BoardPlace.Key: Double], _ now: Int64
  ) -> [BoardStation] {
    let byID = Dictionary(runs.map { ($0.id, $0) }) { first, _ in first }
    let newest = Dictionary(runs.map { ($0.bench, $0) }) { first, _ in first }
    let ranks = Dictionary(runs.enumerated().map { ($1.id, $0) }) { first, _ in first }
    func rank(_ run: String?) -> Int { run.flatMap { ranks[$0] } ?? runs.count }
    var places = places
    for station in shown {
      let key = BoardPlace.Key(bench: station.bench, station: station.shown.name)
      let isLater = rank(station.run) <= rank(places[key]?.run)
      places[key, default: BoardPlace(key)].take(station, isLater: isLater)
    }
    let stations = places.values.map { place -> BoardStation in
      var station = place.shown(at: now)
      let run = place.run.flatMap { byID[$0] }
      let last = newest[station.bench]
      station.operatorName = (run ?? last)?.operatorName
      // One that is not among the newest was followed by others.
      let next = last.flatMap { $0.began > place.station.since ? $0.began : $0.ended }
      if let ended = run == nil ? next : run?.ended {
        let time = max(place.station.since, ended)
        station.end(at: place.shown(time, at: now), wasCutOff: run?.wasCutOff ?? false)
      } else if let silent = (run ?? last)?.silentSince, station.word != .ended {
        station.fallSilent(at: min(silent, now))
      } else {
        station.tagsPerHour = rates[place.key]
      }
      return station
    }
    // Stations of an earlier day are no news beside those of today.
    let latest = stations.map(\.since).max() ?? 0
    return stations.filter { $0.isAtWork || $0.since > latest - 43_200_000 }
      .sorted { $0.order < $1.order }
  }
}
