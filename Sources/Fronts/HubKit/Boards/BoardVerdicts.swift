import Foundation
import SeriesReports

/// What became of the newest tags of a batch: how fast it goes, now and over time.
struct BoardVerdicts: Hashable {
  /// What became of a tag at a station. Times are the store's, as far as it has a clock.
  struct Verdict: Hashable {
    var started: Int64
    var ended: Int64
    var isGood: Bool
    var place: BoardPlace.Key
  }

  private var verdicts: [Verdict] = []

  /// How long the present rate looks back. Milliseconds.
  private static let rateSpan: Int64 = 600_000
  /// How many good tags make a rate, or how many milliseconds of work.
  private static let enough = (tags: 5, time: Int64(60_000))
  /// How many periods a board has at most.
  private static let periodCount = 24
  /// What is older than so long before the newest does not stand beside it: a bench without a clock
  /// may begin in 1970.
  private static let longest: Int64 = 23 * 604_800_000

  mutating func add(_ verdict: Verdict) {
    verdicts.append(verdict)
    // Now and then, not for each.
    let span = BoardHistory.span
    if verdicts.count > span + 1000 { verdicts.removeFirst(verdicts.count - span) }
  }

  /// When the newest of them ended.
  var end: Int64? { verdicts.lazy.map(\.ended).max() }

  /// Good tags an hour of all stations and of each in the last ten minutes, or since work began in
  /// these; none where there is too little to tell. Benches tell in order what each has seen, and
  /// none knows of the others.
  func rates(at now: Int64) -> (all: Double?, places: [BoardPlace.Key: Double]) {
    let start = now - Self.rateSpan
    var all = Work(first: now)
    var places: [BoardPlace.Key: Work] = [:]
    for verdict in verdicts where (start...now).contains(verdict.ended) {
      let began = max(start, verdict.started)
      all.add(verdict, from: began)
      places[verdict.place, default: Work(first: now)].add(verdict, from: began)
    }
    return (all.rate(until: now), places.compactMapValues { $0.rate(until: now) })
  }

  private struct Work {
    var first: Int64
    var good = 0

    mutating func add(_ verdict: Verdict, from start: Int64) {
      first = min(first, start)
      good += verdict.isGood ? 1 : 0
    }

    func rate(until now: Int64) -> Double? {
      let length = now - first
      guard good > 0, length >= 1000, good >= enough.tags || length >= enough.time else {
        return nil
      }
      return (Double(good) * 36_000_000 / Double(length)).rounded() / 10
    }
  }

  /// Periods without a gap up to the newest verdict, and how long each is. Those of hours and days
  /// begin with an hour and a day of this `zone`, as it is at the end.
  func periods(
    at now: Int64, zone: TimeZone = .current
  ) -> ([BoardPeriod], seconds: Int) {
    func time(_ verdict: Verdict) -> Int64 { min(verdict.ended, now) }
    guard let last = verdicts.lazy.map(time).max(),
      let first = verdicts.lazy.map(time).filter({ $0 > last - Self.longest }).min()
    else { return ([], Report.periodLength(over: 0, atMost: Self.periodCount)) }
    let seconds = Report.periodLength(
      over: Double(last - first) / 1000, atMost: Self.periodCount - 1)
    let length = Int64(seconds) * 1000
    let end = Date(timeIntervalSince1970: Double(last) / 1000)
    // A week begins on Monday; 1970 began on a Thursday.
    let monday: Int64 = seconds == 604_800 ? 3 * 86_400_000 : 0
    let shift = Int64(zone.secondsFromGMT(for: end)) * 1000 + monday
    func number(_ time: Int64) -> Int64 {
      Int64((Double(time + shift) / Double(length)).rounded(.down))
    }
    var periods = (number(first)...number(last)).map { BoardPeriod(start: $0 * length - shift) }
    for verdict in verdicts where time(verdict) >= first {
      let index = Int(number(time(verdict)) - number(first))
      if verdict.isGood { periods[index].written += 1 } else { periods[index].failed += 1 }
    }
    return (periods, seconds)
  }
}
