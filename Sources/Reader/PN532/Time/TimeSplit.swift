/// Modelled time, by where it is spent.
package struct TimeSplit: Hashable, Sendable {
  /// Bytes on the serial line, both ways.
  package var link = Duration.zero
  /// The adapter's latency.
  package var adapter = Duration.zero
  /// Frames on the air, waiting times included.
  package var rf = Duration.zero
  /// Tags programming their memory.
  package var eeprom = Duration.zero
  /// The chip's own work.
  package var chip = Duration.zero

  package init() {}

  package var total: Duration { link + adapter + rf + eeprom + chip }

  package static func += (left: inout TimeSplit, right: TimeSplit) {
    left.link += right.link
    left.adapter += right.adapter
    left.rf += right.rf
    left.eeprom += right.eeprom
    left.chip += right.chip
  }

  /// An equal share of it.
  package static func / (time: TimeSplit, count: Int) -> TimeSplit {
    var share = time
    share.link /= count
    share.adapter /= count
    share.rf /= count
    share.eeprom /= count
    share.chip /= count
    return share
  }

  package static func - (left: TimeSplit, right: TimeSplit) -> TimeSplit {
    var difference = TimeSplit()
    difference.link = left.link - right.link
    difference.adapter = left.adapter - right.adapter
    difference.rf = left.rf - right.rf
    difference.eeprom = left.eeprom - right.eeprom
    difference.chip = left.chip - right.chip
    return difference
  }
}

extension TimeSplit: Codable {
  private enum CodingKeys: String, CodingKey {
    case linkMs, adapterMs, rfMs, eepromMs, chipMs, totalMs
  }

  /// Milliseconds.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(link / .milliseconds(1), forKey: .linkMs)
    try container.encode(adapter / .milliseconds(1), forKey: .adapterMs)
    try container.encode(rf / .milliseconds(1), forKey: .rfMs)
    try container.encode(eeprom / .milliseconds(1), forKey: .eepromMs)
    try container.encode(chip / .milliseconds(1), forKey: .chipMs)
    try container.encode(total / .milliseconds(1), forKey: .totalMs)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func duration(_ key: CodingKeys) throws -> Duration {
      .milliseconds(try container.decode(Double.self, forKey: key))
    }
    link = try duration(.linkMs)
    adapter = try duration(.adapterMs)
    rf = try duration(.rfMs)
    eeprom = try duration(.eepromMs)
    chip = try duration(.chipMs)
  }
}
