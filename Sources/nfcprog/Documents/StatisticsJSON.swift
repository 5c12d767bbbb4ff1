import PN532Simulator

/// What was asked of a simulated board.
package struct StatisticsJSON: WireDocument {
  private let statistics: Statistics

  package init(_ statistics: Statistics) { self.statistics = statistics }

  package func encode(to encoder: any Encoder) throws { try statistics.encode(to: encoder) }
}
