/// What a tag does with a command, as far as its cost goes.
package enum TagWork: Hashable, Sendable {
  /// It answers at once.
  case answer
  /// Both passes of a MIFARE Classic authentication.
  case classicAuthentication
  /// A MIFARE Classic WRITE: two frames, each acknowledged, and one programming cycle.
  case classicWrite
  /// One programming cycle of any other tag.
  case programming
}
