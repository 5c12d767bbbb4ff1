import PN532

/// Modelled time for people.
enum TimeText {
  /// `57 ms at 921600 baud (link 4, RF 20, EEPROM 25, chip 8)`.
  static func modelled(_ time: TimeSplit, at speed: LinkSpeed?) -> String {
    let line = speed.map { " at \($0.bitsPerSecond) baud" } ?? ""
    return "\(milliseconds(time.total)) ms\(line) (\(split(time)))"
  }

  /// `link 4, RF 20, EEPROM 25, chip 8`, in milliseconds.
  static func split(_ time: TimeSplit) -> String {
    [("link", time.link), ("RF", time.rf), ("EEPROM", time.eeprom), ("chip", time.chip)]
      .filter { $0.1 > .zero }
      .map { "\($0.0) \(milliseconds($0.1))" }.joined(separator: ", ")
  }

  static func milliseconds(_ duration: Duration) -> Int {
    Int((duration / .milliseconds(1)).rounded())
  }
}
