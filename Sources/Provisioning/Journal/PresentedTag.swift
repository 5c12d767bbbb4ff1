import Foundation
import TagMemory

/// A tag on an antenna, and whose antenna that is.
public struct PresentedTag: Hashable, Sendable {
  /// Nil when no single one could be told: several tags, or one that left at once.
  public let uid: UID?
  /// The product, in the words of `sim:`; nil when it is not known.
  public let tagType: String?
  /// The station's name.
  public let station: String
  /// The reader's connection.
  public let reader: String

  public init(uid: UID?, tagType: String?, station: String, reader: String) {
    self.uid = uid
    self.tagType = tagType
    self.station = station
    self.reader = reader
  }
}

/// When a tag was presented, and what its time was spent on.
public struct Timing: Hashable, Sendable {
  /// A part of the work: `identify`, `write`, `verify`, …
  public struct Step: Hashable, Sendable {
    public let name: String
    public let duration: Duration

    public init(_ name: String, _ duration: Duration) {
      self.name = name
      self.duration = duration
    }
  }

  /// When the tag was there.
  public let started: Date
  /// From then to the end of the work.
  public let duration: Duration
  public let steps: [Step]

  public init(started: Date, duration: Duration, steps: [Step] = []) {
    self.started = started
    self.duration = duration
    self.steps = steps
  }
}

/// Why a tag was not finished: a cause to count by, and what happened, in a sentence.
public struct TagTrouble: Hashable, Sendable {
  /// Stable, for programs: `lost`, `wrong-type`, `copy`, …
  public let cause: String
  public let text: String

  public init(_ cause: String, _ text: String) {
    self.cause = cause
    self.text = text
  }
}

/// What a tag holds now, read back from it.
public struct VerifiedTag: Hashable, Sendable {
  /// The NDEF message's bytes.
  public let message: [UInt8]
  public let isLocked: Bool
  public let isProtected: Bool

  public init(message: [UInt8], isLocked: Bool, isProtected: Bool) {
    self.message = message
    self.isLocked = isLocked
    self.isProtected = isProtected
  }
}
