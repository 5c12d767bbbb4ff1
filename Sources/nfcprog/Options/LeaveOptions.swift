import ArgumentParser

/// The operator's leave for what a write does not do by itself.
struct LeaveOptions: ParsableArguments {
  @Flag(help: "Write even where the tag holds data that is neither blank nor NDEF; they are lost.")
  var overwrite = false

  @Flag(
    help: ArgumentHelp(
      "Format a blank tag of unknown type, too, for the least size that it may have.",
      discussion: "The bits of its capability container can never be cleared."))
  var force = false
}
