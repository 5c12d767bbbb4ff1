import Foundation

/// A moment in UTC as reports write it; a report of a long series has some hundred thousand.
struct ReportTime {
  /// `2026-11-21T19:04:05.123Z` in ASCII.
  private let bytes: [UInt8]

  init(_ date: Date) {
    // Beyond these four digits do not do for a year.
    let clamped = min(max(date.milliseconds, -62_135_596_800_000), 253_402_300_799_999)
    let (days, rest) = Self.divided(clamped, by: 86_400_000)
    let (year, month, day) = Self.civil(days)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    func add(_ value: Int64, _ digits: Int, _ end: UInt8) {
      var power: Int64 = 1
      for _ in 1..<digits { power *= 10 }
      while power > 0 {
        bytes.append(0x30 + UInt8(value / power % 10))
        power /= 10
      }
      bytes.append(end)
    }
    add(year, 4, 0x2D)
    add(month, 2, 0x2D)
    add(day, 2, 0x54)
    add(rest / 3_600_000, 2, 0x3A)
    add(rest / 60_000 % 60, 2, 0x3A)
    add(rest / 1000 % 60, 2, 0x2E)
    add(rest % 1000, 3, 0x5A)
    self.bytes = bytes
  }

  /// To the millisecond: `2026-11-21T19:04:05.123Z`.
  var full: [UInt8] { bytes }
  /// `2026-11-21 19:04:05`.
  var second: String { String(decoding: bytes[..<10] + [0x20] + bytes[11..<19], as: UTF8.self) }

  private static func divided(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
    let quotient = (value - (value < 0 ? divisor - 1 : 0)) / divisor
    return (quotient, value - quotient * divisor)
  }

  /// Year, month and day of a day since 1970-01-01, in the Gregorian calendar: years begin in March
  /// here, so that the day a leap year adds is their last.
  private static func civil(_ days: Int64) -> (Int64, Int64, Int64) {
    let (era, dayOfEra) = divided(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }
}

/// Times for people are those of this machine when the program began, with the zone beside them.
extension ReportTime {
  /// Seconds east of Greenwich.
  private static let offset = TimeZone.current.secondsFromGMT()

  /// `UTC`, `UTC+01:00`.
  static let zone: String = {
    guard offset != 0 else { return "UTC" }
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    let minutes = abs(offset) / 60
    return "UTC\(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
  }()

  /// That of `date`, in this machine's zone.
  static func local(_ date: Date) -> ReportTime {
    ReportTime(date.addingTimeInterval(Double(offset)))
  }
}

extension Date {
  /// `2026-11-21T19:04:05.123Z`: to the millisecond, in UTC.
  package var reportText: String { String(decoding: ReportTime(self).full, as: UTF8.self) }

  /// `2026-11-21 20:04:05`, in the zone of `ReportTime.zone`.
  var reportSecond: String { ReportTime.local(self).second }

  /// `2026-11-21 20:04:05 UTC+01:00`.
  package var reportLocal: String { "\(reportSecond) \(ReportTime.zone)" }

  /// `2026-11-21 20:04`, likewise.
  var reportMinute: String { String(reportSecond.prefix(16)) }
}
