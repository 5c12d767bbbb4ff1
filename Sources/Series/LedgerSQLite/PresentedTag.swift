import Foundation
import Ledger
import TagMemory

/// A tag on an antenna, and whose antenna that is.
package struct PresentedTag: Hashable, Sendable {
  /// Nil when no single one could be told: several tags, or one that left at once.
  package let uid: UID?
  /// The product, in the words of `sim:`; nil when it is not known.
  package let tagType: String?
  /// The station's name.
  package let station: String
  /// The reader's connection.
  package let reader: String

  package init(uid: UID?, tagType: String?, station: String, reader: String) {
    self.uid = uid
    self.tagType = tagType
    self.station = station
    self.reader = reader
  }
}

/// When a tag was presented, and what its time was spent on.
package struct Timing: Hashable, Sendable {
  /// A part of the work: `identify`, `write`, `verify`, …
  package struct Step: Hashable, Sendable {
    package let name: String
    package let duration: Duration

    package init(_ name: String, _ duration: Duration) {
      self.name = name
      self.duration = duration
    }
  }

  /// When the tag was there.
  package let started: Date
  /// From then to the end of the work.
  package let duration: Duration
  package let steps: [Step]

  package init(started: Date, duration: Duration, steps: [Step] = []) {
    self.started = started
    self.duration = duration
    self.steps = steps
  }
}

/// Why a tag was not finished: a cause to count by, and what happened, in a sentence.
public struct TagTrouble: Hashable, Sendable {
  /// Stable, for programs: `lost`, `wrong-type`, `copy`, …
  public let cause: String
  /// Sentences: what happened, what the tag holds, what to do.
  public let text: String

  package init(_ cause: TagCause, _ text: String) {
    (self.cause, self.text) = (cause.rawValue, text)
  }

  /// As a store has it, where anybody may have written any word.
  package init(stored cause: String, _ text: String) { (self.cause, self.text) = (cause, text) }

  /// The cause; nil: none that is known here.
  package var known: TagCause? { TagCause(rawValue: cause) }
}

/// What a tag holds now, read back from it.
package struct VerifiedTag: Hashable, Sendable {
  /// The NDEF message's bytes.
  package let message: [UInt8]
  package let isLocked: Bool
  package let isProtected: Bool

  package init(message: [UInt8], isLocked: Bool, isProtected: Bool) {
    self.message = message
    self.isLocked = isLocked
    self.isProtected = isProtected
  }
}
