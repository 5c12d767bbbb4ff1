import Bytes
import PN532

/// What was asked of a simulated board since it was made, and what it would have cost on a bench.
package struct Statistics: Hashable, Sendable, Codable {
  /// Commands, by the manual's names; unknown codes as `command 18h`.
  package var commands: [String: Int] = [:]
  /// Frames to tags that had a tag to hear them; an activation counts as one.
  package var rfExchanges = 0
  /// MIFARE Classic authentications, refused ones included.
  package var authentications = 0
  /// Programming cycles of all tags.
  package var eepromWrites = 0
  /// Presentations laid down so far.
  package var presentations = 0
  /// Modelled time.
  package var time = TimeSplit()
  /// Of all this, what was asked from the first look for a tag to the last exchange with one:
  /// without what opening and closing a reader cost.
  package var work = Work()

  /// A part of what was asked.
  package struct Work: Hashable, Sendable, Codable {
    package var commands = 0
    package var rfExchanges = 0
    package var eepromWrites = 0
    package var time = TimeSplit()

    package init() {}

    static func - (left: Work, right: Work) -> Work {
      var difference = Work()
      difference.commands = left.commands - right.commands
      difference.rfExchanges = left.rfExchanges - right.rfExchanges
      difference.eepromWrites = left.eepromWrites - right.eepromWrites
      difference.time = left.time - right.time
      return difference
    }
  }

  /// All that was asked.
  var sum: Work {
    var sum = Work()
    (sum.commands, sum.rfExchanges) = (commandCount, rfExchanges)
    (sum.eepromWrites, sum.time) = (eepromWrites, time)
    return sum
  }

  package init() {}

  /// All commands together.
  package var commandCount: Int { commands.values.reduce(0, +) }
}

extension Statistics: CustomStringConvertible {
  /// A few lines for a person.
  package var description: String {
    let busiest = commands.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "  \($0.key): \($0.value)" }
    let parts = [
      ("link", time.link), ("adapter", time.adapter), ("RF", time.rf), ("EEPROM", time.eeprom),
      ("chip", time.chip),
    ]
    .filter { $0.1 > .zero }.map { "\($0.0) \(Self.milliseconds($0.1))" }
    return
      ([
        "\(counted(commandCount, "command")), \(counted(rfExchanges, "RF exchange")), "
          + "\(counted(authentications, "authentication")), \(counted(eepromWrites, "EEPROM write")), "
          + counted(presentations, "presentation"),
        "modelled time \(Self.milliseconds(time.total)): \(parts.joined(separator: ", "))",
      ] + busiest).joined(separator: "\n")
  }

  /// `12.3 ms`.
  private static func milliseconds(_ duration: Duration) -> String {
    let tenths = Int((duration / .microseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
