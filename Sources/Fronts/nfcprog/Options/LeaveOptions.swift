import ArgumentParser

/// The operator's permission for what a write does not do by itself.
struct LeaveOptions: ParsableArguments {
  @Flag(help: "Write even if the tag holds other data (neither blank nor NDEF); the data are lost.")
  var overwrite = false

  @Flag(
    help: ArgumentHelp(
      "Also format a blank tag of unknown type, for the smallest size it can have.",
      discussion: "The bits of its capability container can never be cleared."))
  var force = false

  @Flag(help: ArgumentHelp("Skip tags that hold a message.", visibility: .hidden))
  var ifEmpty = false
}

/// The operator's permission to replace what the tags of a series hold.
struct ReplacingOptions: ParsableArguments {
  @Flag(help: "Replace what the tags hold; it is lost.")
  var overwrite = false
}

/// The operator's permission to erase data that are no NDEF message.
struct ErasingOptions: ParsableArguments {
  @Flag(help: "Erase data that belong to no NDEF message, too; they are lost.")
  var overwrite = false
}

/// The operator's permission to format a tag whose content nobody looks at.
struct UncheckedOptions: ParsableArguments {
  @Flag(help: "Do not check for data on the tag; any data are lost.")
  var overwrite = false
}
