import TagMemory

/// A planned job is what one tag of a series is to become: one row of the job source, checked, its
/// own fields filled in.
///
/// It names no secret: a row's password stays in the source and is read from there when a tag is
/// protected.
public struct PlannedJob: Hashable, Sendable {
  /// A named value of the row, for labels and the result command.
  package struct Column: Hashable, Sendable, Codable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Position in the source, from 1; it never changes.
  public let number: Int
  /// Line of the source, from 1, in which the row begins.
  package let line: Int
  /// Offset in bytes of the row in the source.
  package let offset: UInt64
  /// How operators call it: the code, else the URL; fit for one line of a terminal.
  public let name: String
  /// What is to be written; fields that only the tag can fill may be left.
  package let message: MessageTemplate
  /// The type of tag it belongs on, as `sim:` calls it; nil: any.
  package let tagType: String?
  /// The one tag it belongs on; nil: any.
  package let uid: UID?
  /// Make the tag read-only for good once it is verified.
  package let locks: Bool
  /// Is true if the row has a password to protect the tag with.
  package let hasPassword: Bool
  /// The row's columns, secret ones left out.
  package let columns: [Column]
  /// SHA-256 over what the row says, its password left out: journals keep it, and the four bytes of
  /// a password could be found again by trying them all against it.
  package let digest: [UInt8]

  /// `digest` nil: that of what is given here.
  package init(
    number: Int, line: Int, offset: UInt64, name: String, message: MessageTemplate,
    tagType: String?, uid: UID? = nil, locks: Bool, hasPassword: Bool, columns: [Column],
    digest: [UInt8]? = nil
  ) {
    self.number = number
    self.line = line
    self.offset = offset
    self.name = name
    self.message = message
    (self.tagType, self.uid) = (tagType, uid)
    self.locks = locks
    self.hasPassword = hasPassword
    self.columns = columns
    self.digest = digest ?? Self.digest(message, tagType, locks, hasPassword, columns)
  }

  /// The tags it may go on.
  package var wanted: WantedTag { WantedTag(uid: uid, type: tagType) }
}
