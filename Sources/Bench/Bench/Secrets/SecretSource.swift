/// Where an option's secret is, so that it does not stand in the command line, which other users of
/// the machine can read.
package enum SecretSource: Hashable {
  /// `ask`: a person types it.
  case ask
  /// `file:PATH`: the first line of a file; `-` is standard input.
  case file(String)
  /// `env:NAME`: a variable of the environment.
  case variable(String)

  /// Nil where `text` names no source: then it is the secret itself.
  package init?(_ text: String) {
    if text == "ask" {
      self = .ask
    } else if text.hasPrefix("file:") {
      self = .file(String(text.dropFirst(5)))
    } else if text.hasPrefix("env:") {
      self = .variable(String(text.dropFirst(4)))
    } else {
      return nil
    }
  }
}
