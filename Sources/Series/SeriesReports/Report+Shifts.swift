import Foundation
import GRDB
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

  /// The times of an event, in a range where sums of them overflow nowhere: whoever can write to a
  /// journal or a pool may write anything there.
  static let started = "min(max(started_at, 0), 253402300799999)"
  static let duration = "min(max(duration, 0), 1000000000000)"
  static let ended = "(\(started) + \(duration) / 1000)"

  /// In milliseconds: what counts as a pause, and what ends a shift.
  private static let pause: Int64 = 5 * 60_000
  private static let breakBetweenShifts: Int64 = 3 * 3_600_000

  /// Walks along what happened to tags, by the clock: sessions, shifts and pauses.
  mutating func addWork(_ db: Database) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT session, \(Report.started), \(Report.ended), \(EventCount.sql) FROM event
        WHERE kind IN ('written', 'returned', 'held', 'passed') ORDER BY started_at, id
        """)
    var places = Dictionary(
      sessions.enumerated().map { (Int64($1.number), $0) }, uniquingKeysWith: { $1 })
    /// The last shift of each operator.
    var current: [String: Int] = [:]
    var end: Int64?
    while let row = try rows.next() {
      let (session, start, stop): (Int64, Int64, Int64) = (row[0], row[1], row[2])
      let count = EventCount(rawValue: row[3]) ?? .none
      if let end, start - end >= Self.pause {
        pauses.append(Pause(begun: Date(milliseconds: end), length: .milliseconds(start - end)))
      }
      if end == nil { first = Date(milliseconds: start) }
      end = max(end ?? stop, stop)
      let place = places[session] ?? sessions.count
      if place == sessions.count {
        sessions.append(Session(number: Int(session)))
        places[session] = place
      }
      if count == .success { sessions[place].written += 1 }
      if count == .failure { sessions[place].failed += 1 }
      let name = sessions[place].operatorName
      if let number = current[name], let shift = shifts[number].extended(start, stop) {
        shifts[number] = shift
      } else {
        current[name] = shifts.count
        shifts.append(
          Shift(
            operatorName: name, begun: Date(milliseconds: start), ended: Date(milliseconds: stop)))
      }
      shifts[current[name] ?? 0].add(count)
    }
    if let end { last = Date(milliseconds: end) }
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
