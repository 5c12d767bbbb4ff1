import Bytes
import PN532
import TagMemory

/// An error says what went wrong between the host and the tag: the code, the place, the cause.
public enum ReaderError: Error, Hashable, Sendable {
  /// The reader cannot be opened; `reason` is a sentence that says why and how to repair it.
  case cannotOpen(reader: String, reason: String)
  /// Another process holds the reader.
  case busy(reader: String, holder: String?)
  /// The board took the command and gave no answer, or took nothing, within the time allowed.
  case boardSilent(reader: String)
  /// The line is gone: unplugged, or closed under our feet.
  case boardLost(reader: String)
  /// The board's answer was damaged or not the answer to our command.
  case boardGarbled(reader: String)
  /// The board answered with the error frame: unknown command or wrong number of parameters.
  case boardRefused(reader: String)
  /// The agent through which the reader is used has ended, or does not answer: whether the board
  /// has carried out the last command is not known.
  case agentLost(reader: String)
  /// Somebody asked for the wait to end.
  case interrupted
  /// No tag lies in the field.
  case noTag
  /// More than one tag lies in the field.
  case severalTags([UID])
  /// The selected tag did not come back when it was selected again; another may lie there.
  case tagLost(expected: UID, found: UID?)
  /// The chip reports a failed exchange with the tag.
  case exchangeFailed(StatusCode)
  /// A FeliCa tag refuses: its two status flags (JIS X 6319-4; FeliCa Lite-S User's Manual, status
  /// flags).
  case feliCaStatus(UInt8, UInt8)
  /// A board that answers from a trace was asked what the trace does not say. `command`: what was
  /// sent, with `**` for secret bytes; `place`: where that is in the trace, a clause.
  ///
  /// Clients open such boards by their name (`sim:trace=FILE`), and it is neither a fault of a tag
  /// nor one of a board: nothing that is tried again or checked changes it.
  case notRecorded(command: String, place: String)
  /// A command, or the answer that it asks for, is longer than what passes the reader; `reason` is
  /// a clause that says which. Nothing was sent.
  ///
  /// Clients send commands of their own, and it is a fault of none of reader, cable and tag.
  case notCarried(reader: String, reason: String)
  /// The tag's answer has the wrong length.
  case wrongAnswerLength(expected: Int, received: Int)
}
