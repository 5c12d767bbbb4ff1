import JSON
import PN532Simulator

/// What was asked of a simulated board.
struct StatisticsJSON: OutputDocument {
  private let statistics: Statistics

  init(_ statistics: Statistics) { self.statistics = statistics }

  func encode(to encoder: any Encoder) throws { try statistics.encode(to: encoder) }
}
