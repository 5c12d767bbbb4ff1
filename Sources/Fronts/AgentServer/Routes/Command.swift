/// A command that the agent does at a reader, and the members of the object that asks for it.
struct Command: Sendable {
  /// As on the command line, and in the address.
  let name: String
  /// For people.
  let summary: String
  let members: [Member]
  /// Is true if it may change a tag.
  let writes: Bool
  /// Words of the command line that no client gives.
  let words: [String]

  init(
    _ name: String, _ summary: String, _ members: [Member], writes: Bool = true,
    isTyped: Bool = true, opens: Bool = true, words: [String] = []
  ) {
    (self.name, self.summary, self.writes, self.words) = (name, summary, writes, words)
    self.members =
      members + (isTyped ? [Member.tag] : []) + [Member.timeout] + (opens ? Member.openers : [])
      + (writes ? Member.writing : [])
  }

  static let info = Command(
    "info", "Everything that the tag says.",
    [Member("count", .flag, "Also show the tag's counters.")], writes: false)

  /// All of them.
  static let all: [Command] = [
    info,
    Command("read", "The tag's message and its records.", [], writes: false),
    Command(
      "write-url", "Write one URL; a blank tag is formatted first.",
      [
        Member("url", .text(4000), "The URL.", isRequired: true, isArgument: true),
        Member("android-app", .texts(255), "Android application records behind the URL."),
        Member("lint", .choice(["gs1"]), "What the link must be."),
      ] + Member.app + Member.afterwards),
    Command(
      "write", "Write a message of records.",
      [Member("records", .records, "The records, in their order.", isRequired: true)]
        + Member.afterwards),
    Command(
      "erase", "Put an empty message in place of the tag's own.",
      [
        Member("overwrite", .flag, "Erase data that belong to no NDEF message, too."),
        Member("sectors", .choice(["all", "fewest"]), "Sectors of a MIFARE Classic to format."),
      ]),
    Command(
      "lock", "Make the tag permanently read-only, with its message.",
      [Member("force", .flag, "Lock the tag even if it has no message.")]),
    Command(
      "protect", "Give the tag a password, without which nobody writes it.",
      [Member("set-password", .hex, "The password to set.", isRequired: true)]
        + Member.newPassword.filter { $0.name != "set-password" }),
    Command("unprotect", "Remove the tag's password.", []),
    Command(
      "format-classic", "Make a MIFARE Classic an NDEF tag.",
      [
        Member("mad", .choice(["auto", "1", "2"]), "MIFARE application directory."),
        Member("sectors", .choice(["all", "fewest"]), "Sectors to format."),
        Member("key-b", .hex, "Key B, which may change keys, access bits and directory."),
        Member("url", .text(4000), "Write this URL in the same pass."),
        Member("overwrite", .flag, "Do not check for data on the tag; any data are lost."),
      ], isTyped: false),
    Command(
      "format-felica", "Make a FeliCa Lite or Lite-S an NDEF tag.",
      [
        Member("url", .text(4000), "Write this URL in the same pass."),
        Member("overwrite", .flag, "Do not check for data on the tag; any data are lost."),
      ], isTyped: false),
    Command(
      "format-type4", "Make a blank DESFire an NDEF tag.",
      [
        Member("url", .text(4000), "Write this URL in the same pass."),
        Member("lock", .flag, "Make the message read-only after it is verified."),
      ], isTyped: false),
    Command(
      "phone", "What an iPhone does with the tag: the outcome is `wakes` where it wakes an app.",
      Member.app, writes: false, isTyped: false),
    Command(
      "dump", "The tag's memory, in Base64; keys and passwords are not in it.",
      [
        Member(
          "format", .choice(["nfc", "bin", "mfd", "json", "mct"]),
          "As the ending of a file's name says it.", isRequired: true, isArgument: true),
        Member("force", .flag, "Zeros for blocks and pages that are not known."),
      ], writes: false),
    Command(
      "restore", "Restore the tag's memory from a dump.",
      [
        Member("data", .content, "The dump, in any format that restore reads.", isRequired: true),
        Member(
          "force", .flag,
          "Also write what can never be undone or can close the tag: lock bits, configuration."),
      ], words: ["dump"]),
    Command(
      "apdu", "Send APDUs to a card (ISO/IEC 7816-4).",
      [
        Member("hex", .hexes, "The APDUs.", isRequired: true, isArgument: true),
        Member("aid", .hex, "Select this application first."),
        Member(
          "follow", .flag, "After 61xx, fetch the rest; after 6Cxx, repeat with the right Le."),
      ], opens: false),
    Command(
      "transceive", "Send the tag's own commands, such as 3004.",
      [
        Member(
          "hex", .hexes, "The commands, each without its CRC.", isRequired: true, isArgument: true)
      ], opens: false),
  ]
}
