import ArgumentParser

/// The output of a command that reads no tag.
struct DocumentOptions: ParsableArguments {
  @Flag(help: "Print one JSON object on standard output.")
  var json = false
}
