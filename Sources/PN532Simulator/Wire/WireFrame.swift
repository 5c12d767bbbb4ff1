/// Bytes as they crossed the wire, for those who want to watch.
public struct WireFrame: Hashable, Sendable {
  public enum Direction: String, Hashable, Sendable {
    case toChip, toHost
  }

  public let direction: Direction
  /// What one side sent at one go: several frames, or part of one.
  public let bytes: [UInt8]

  public init(direction: Direction, bytes: [UInt8]) {
    self.direction = direction
    self.bytes = bytes
  }
}
