/// A member of the object that a client sends: an option of the command line, by its name there.
struct Member: Sendable {
  /// What its value may be.
  enum Kind: Sendable {
    case flag
    /// A text of so many characters at most.
    case text(Int)
    /// One of these words.
    case choice([String])
    /// A text that begins so, or this word: nothing that could name a file.
    case address(word: String)
    /// Bytes in hexadecimal digits.
    case hex
    case texts(Int)
    case hexes
    /// Seconds.
    case seconds(upTo: Int)
    /// Records, each an object with one option of `write`.
    case records
    /// The content of a file, in Base64.
    case content
  }

  let name: String
  let kind: Kind
  /// For people, as the command's help says it.
  let text: String
  var isRequired = false
  /// Is true if it is no option, but stands behind all of them.
  var isArgument = false

  init(
    _ name: String, _ kind: Kind, _ text: String, isRequired: Bool = false,
    isArgument: Bool = false
  ) {
    (self.name, self.kind, self.text) = (name, kind, text)
    (self.isRequired, self.isArgument) = (isRequired, isArgument)
  }
}

extension Member {
  static let tag = Member("tag", .text(40), "The expected tag type, such as ntag213.")

  static let timeout = Member(
    "timeout", .seconds(upTo: 60), "Time to wait for a tag; 0 looks once (0).")

  /// What opens a tag.
  static let openers: [Member] = [
    Member("key", .hexes, "MIFARE Classic or DESFire keys to try."),
    Member("password", .hex, "The tag's password."),
  ]

  /// What every command that writes takes.
  static let writing: [Member] = [
    Member("dry-run", .flag, "Give the plan with its cost, and write nothing."),
    Member(
      "confirm", .text(200),
      "The member of this name of the answer to a dry run: yes to what cannot be undone."),
  ]

  /// What is done to a tag once its message is on it.
  static let afterwards: [Member] =
    [
      Member("overwrite", .flag, "Write even if the tag holds other data; they are lost."),
      Member("force", .flag, "Also format a blank tag of unknown type."),
      Member("if-empty", .flag, "Refuse a tag that holds a message."),
      Member("lock", .flag, "Once verified, make the tag permanently read-only."),
      Member("genuine", .flag, "Refuse a tag whose UID is not signed by its maker."),
      Member("freeze-mirror", .flag, "With lock and a mirror: freeze the configuration, too."),
      Member("sectors", .choice(["all", "fewest"]), "Sectors of a MIFARE Classic to format."),
    ] + newPassword

  static let newPassword: [Member] = [
    Member("set-password", .hex, "The password to set."),
    Member("pack", .hex, "PACK, the tag's acknowledgement of the password."),
    Member("read-too", .flag, "Also protect reading with the password."),
  ]

  static let app: [Member] = [
    Member(
      "aasa", .address(word: "auto"),
      "The apple-app-site-association: an https address, or auto for the link's own host."),
    Member("app-id", .texts(200), "Apps that the link must wake: any one of them."),
    Member("entitlement", .texts(300), "Lines of the app's Associated Domains."),
    Member("domain", .text(253), "The domain that will serve the file."),
    Member("assume-served", .flag, "Assume that the link's host serves the file."),
    Member("trust-site", .flag, "Use the site's own file instead of the one from Apple's CDN."),
    Member("allow-http", .flag, "Let http links count."),
  ]
}
