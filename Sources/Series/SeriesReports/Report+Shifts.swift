import Foundation
import Ledger
import LedgerSQLite

extension Report {
  /// A stretch of one operator's work, without a break of three hours.
  package struct Shift: Hashable, Sendable {
    package var operatorName = ""
    package var begun = Date.distantPast
    package var ended = Date.distantPast
    package var written = 0
    package var failed = 0
    package var left = 0
    /// What of it was pauses.
    package var pauses = Duration.zero

    /// Finished tags an hour, by the clock.
    package var hourlyRate: Double? {
      Report.rate(written, in: .seconds(ended.timeIntervalSince(begun)))
    }
  }

  /// Five minutes or more in which no tag lay on any reader.
  package struct Pause: Hashable, Sendable {
    package var begun = Date.distantPast
    package var length = Duration.zero
  }

  /// In milliseconds: what counts as a pause, and what ends a shift.
  private static let pause: Int64 = 5 * 60_000
  private static let breakBetweenShifts: Int64 = 3 * 3_600_000

  /// Walks along what happened to tags, by the clock: sessions, shifts, pauses and periods.
  mutating func add(_ ends: [WorkFold.End]) {
    var places = Dictionary(
      sessions.enumerated().map { (Int32(clamping: $1.number), $0) }, uniquingKeysWith: { $1 })
    /// The last shift of each operator.
    var current: [String: Int] = [:]
    var last: Int64?
    for end in ends {
      if let last, end.started - last >= Self.pause {
        pauses.append(
          Pause(begun: Date(milliseconds: last), length: .milliseconds(end.started - last)))
      }
      last = max(last ?? end.ended, end.ended)
      let place = places[end.run] ?? sessions.count
      if place == sessions.count {
        sessions.append(Session(number: Int(end.run)))
        places[end.run] = place
      }
      if end.count == .success { sessions[place].written += 1 }
      if end.count == .failure { sessions[place].failed += 1 }
      let name = sessions[place].operatorName
      if let number = current[name], let shift = shifts[number].extended(end.started, end.ended) {
        shifts[number] = shift
      } else {
        current[name] = shifts.count
        shifts.append(
          Shift(
            operatorName: name, begun: Date(milliseconds: end.started),
            ended: Date(milliseconds: end.ended)))
      }
      shifts[current[name] ?? 0].add(end.count)
    }
    first = ends.first.map { Date(milliseconds: $0.started) }
    self.last = last.map { Date(milliseconds: $0) }
    addPeriods(ends)
  }

  private mutating func addPeriods(_ ends: [WorkFold.End]) {
    guard let first, let last else { return }
    let length = Self.periodLength(over: last.timeIntervalSince(first), atMost: 40)
    periodLength = .seconds(length)
    func start(_ number: Int64) -> Date { Date(milliseconds: number * Int64(length) * 1000) }
    var counts: [Int64: Period] = [:]
    for end in ends where end.count == .success || end.count == .failure {
      let number = end.ended / Int64(length * 1000)
      var period = counts[number] ?? Period(start: start(number))
      if end.count == .success { period.written += 1 } else { period.failed += 1 }
      counts[number] = period
    }
    guard
      let (least, most) = counts.keys.min().flatMap({ least in
        counts.keys.max().map { (least, $0) }
      })
    else { return }
    periods = (least...most).map { counts[$0] ?? Period(start: start($0)) }
  }

  /// From the first tag to the last, by the clock.
  package var span: Duration {
    guard let first, let last else { return .zero }
    return .seconds(last.timeIntervalSince(first))
  }
  /// All pauses together.
  package var pauseTime: Duration { pauses.reduce(.zero) { $0 + $1.length } }
  /// Finished tags an hour, by the clock.
  package var hourlyRate: Double? { Self.rate(successes, in: span) }
  /// This rate counts finished tags an hour by the clock, without the pauses.
  package var workingRate: Double? { Self.rate(successes, in: span - pauseTime) }

  static func rate(_ count: Int, in time: Duration) -> Double? {
    count > 1 && time > .zero ? Double(count) / (time / .seconds(3600)) : nil
  }

  fileprivate static func isPause(_ length: Int64) -> Bool { length >= pause }
  fileprivate static func isBreak(_ length: Int64) -> Bool { length >= breakBetweenShifts }
}

extension Report.Shift {
  /// With work from `start` to `stop`, milliseconds since 1970; nil where that belongs to the next
  /// shift.
  fileprivate func extended(_ start: Int64, _ stop: Int64) -> Self? {
    let gap = start - ended.milliseconds
    guard !Report.isBreak(gap) else { return nil }
    var shift = self
    if Report.isPause(gap) { shift.pauses += .milliseconds(gap) }
    shift.ended = max(ended, Date(milliseconds: stop))
    return shift
  }

  fileprivate mutating func add(_ count: EventCount) {
    switch count {
    case .success: written += 1
    case .failure: failed += 1
    case .leftAlone: left += 1
    case .none: break
    }
  }
}
