import TagMemory

/// What a tag holds after a job that failed.
package enum Holds: Hashable, Sendable {
  /// What it held before.
  case unchanged
  /// What it held before, and a wrong password may have been counted: so many in a row close the
  /// tag for good (nil: not known).
  case passwordCounted(limit: Int?)
  /// Nobody knows.
  case notKnown
  /// A program stopped: in the write of a unit, which may be damaged (nil: before a write), and how
  /// far it had come.
  case stopped(writing: Torn?, Progress)
  /// The whole message, with the tag's ASCII mirror over a part of it.
  case messageBelowMirror
  /// The state of delivery everywhere but in the sectors that failed.
  case othersReset
  /// What the run wrote was put back: these sectors are as delivered, in those it has erased data
  /// that it had not looked at, others have the factory's keys again, and the rest holds what it
  /// held before.
  case putBack(asDelivered: [Sector], erased: [Sector], withKeys: [Sector])

  /// Is true if the job has left nothing on the tag.
  package var isPutBack: Bool {
    switch self {
    case .unchanged, .othersReset, .putBack: true
    case .passwordCounted, .notKnown, .stopped, .messageBelowMirror: false
    }
  }

  /// A unit whose write was cut short.
  package struct Torn: Hashable, Sendable {
    package let place: Place
    /// What it is to hold, where nothing else on the tag tells all of that; nil elsewhere.
    package let soleCopy: [UInt8]?
  }

  /// How far a program had come.
  package enum Progress: Hashable, Sendable {
    /// Everything is written; not all of it was read back.
    case allWritten
    /// Everything is written, and the tag does not hold all of it.
    case notAllStored
    /// The message is written, and the tag holds other bytes in its place.
    case messageDiffers
    /// The message was written, the tag held other bytes in its place, and then the message was
    /// taken away: an empty one is in its place.
    case messageWithdrawn
    /// Everything before the unit that was being written.
    case allBefore
    case oldMessage
    /// The message is there, and half a directory.
    case halfDirectory
    /// An empty message, after so many of the writes.
    case emptyMessage(Int, of: Int)
    /// The new message, after so many of the writes.
    case newMessage(Int, of: Int)
    /// An NDEF tag already, and no message on it.
    case noMessage
    /// No NDEF tag yet: the capability container comes last.
    case notFormatted
    /// No NDEF tag yet: so many sectors are formatted, and the directory comes last.
    case sectorsFormatted(Int, of: Int)
    /// So many sectors are as delivered.
    case sectorsReset(Int, of: Int)
    /// So many of a dump's writes are done.
    case dump(Int, of: Int)
    /// So many of the password's writes are done; `followsMessage`: the message is written.
    case password(Int, of: Int, followsMessage: Bool)
    /// So many of the writes of keys, and of the settings that go with them, are done.
    case keys(Int, of: Int, followsMessage: Bool)
    /// So many of the locks are set; `followsMessage`: the message is written.
    case locks(Int, of: Int, followsMessage: Bool)
    /// So many writes are done.
    case writes(Int, of: Int)
  }
}
