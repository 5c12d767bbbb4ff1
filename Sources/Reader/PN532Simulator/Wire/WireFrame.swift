/// Bytes as they crossed the wire, for those who want to watch.
package struct WireFrame: Hashable, Sendable {
  package enum Direction: String, Hashable, Sendable {
    case toChip, toHost
  }

  package let direction: Direction
  /// What one side sent at one go: several frames, or part of one.
  package let bytes: [UInt8]

  package init(direction: Direction, bytes: [UInt8]) {
    self.direction = direction
    self.bytes = bytes
  }
}
