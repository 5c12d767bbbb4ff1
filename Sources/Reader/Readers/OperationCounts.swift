import PN532

/// How much was asked of a reader since it was opened.
public struct OperationCounts: Hashable, Sendable {
  /// Commands sent to the chip.
  public var frames = 0
  /// MIFARE Classic authentications and password authentications.
  public var authentications = 0
  /// Read commands to a tag.
  public var reads = 0
  /// Write commands to a tag.
  public var writes = 0
  /// What all of it costs on a bench, modelled: in which the host, and whoever lays tags down, have
  /// no part.
  package var modelledTime = TimeSplit()

  package init() {}

  /// Takes note of one command to the chip; `kind`: what it asks of a tag, nil where it is the
  /// chip's own.
  mutating func note(_ kind: TagCommand.Kind?) {
    frames += 1
    switch kind {
    case .authentication: authentications += 1
    case .read: reads += 1
    case .write: writes += 1
    case .other, nil: break
    }
  }

  package static func - (left: OperationCounts, right: OperationCounts) -> OperationCounts {
    var difference = OperationCounts()
    difference.frames = left.frames - right.frames
    difference.authentications = left.authentications - right.authentications
    difference.reads = left.reads - right.reads
    difference.writes = left.writes - right.writes
    difference.modelledTime = left.modelledTime - right.modelledTime
    return difference
  }
}
