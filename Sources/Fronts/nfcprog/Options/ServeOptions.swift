import ArgumentParser

/// How an agent serves: `nfcprog serve` hands all of it on to the program that does.
package struct ServeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where to listen: 127.0.0.1:PORT, [::1]:PORT or unix:PATH (127.0.0.1:8411).",
      valueName: "place"))
  package var listen: String?

  @Option(
    name: .customLong("reader"),
    help: ArgumentHelp(
      "A reader to hold open: a connstring, tty or sim:TAG (repeatable; default: all that are plugged in).",
      valueName: "reader"), completion: .readers)
  package var readers: [String] = []

  @Option(
    help: ArgumentHelp(
      "Pages of this origin, such as https://shop.example, may be paired without a question (repeatable).",
      valueName: "url"))
  package var origin: [String] = []

  @Option(
    help: ArgumentHelp(
      "The file of the token, made at the first start (default: in ~/.local/state/nfcprog/agent).",
      valueName: "file"))
  package var tokenFile: String?

  package init() {}
}
