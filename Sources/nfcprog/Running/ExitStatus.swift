/// What the exit status says, after sysexits.h; scripts depend on the numbers.
enum ExitStatus: Int32 {
  /// Every tag asked for is in its wanted state, verified by reading it back.
  case success = 0
  case usage = 64
  /// A URL, a message, a key file or the like is not what it should be, or does not fit the tag.
  case badInput = 65
  /// An input file cannot be read.
  case noInput = 66
  /// No reader, or it is busy, forbidden or not answering.
  case unavailable = 69
  /// A mistake in nfcprog.
  case bug = 70
  /// An output file cannot be written.
  case cannotCreate = 73
  /// The tag was lost, removed, swapped or answered with errors, or several lay in the field.
  case tagTrouble = 74
  /// No tag was presented in time; or what was to be asked could not be, and may be another time.
  case noTag = 75
  /// What was read back is not what was written.
  case mismatch = 76
  /// The tag refused: authentication, locks, read-only, a password.
  case refused = 77
  /// The environment or a configuration file says something impossible.
  case configuration = 78
  /// Somebody asked for the run to end.
  case interrupted = 130
}

/// Why a command ends without having reached a tag: the status, and full sentences that say what to do.
struct CommandFailure: Error, Hashable {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}
