import Bench

/// An option that takes a secret: in place, or as the name of where it is (`SecretSource`).
struct SecretInput {
  /// `--password`.
  let option: String
  /// Is true if it is to be set, and so asked for twice: nobody sees what is typed.
  var isNew = false

  /// Checks a secret that is given in place; what is elsewhere is read when it is needed.
  /// `derives`: derived:FILE may be given.
  static func check(
    _ text: String, derives: Bool = false, _ parse: (String) throws(SecretError) -> some Any
  ) throws(SecretError) {
    if derives, let file = Secret.derivation(text) {
      if file.isEmpty { throw .noName }
      return
    }
    switch SecretSource(text) {
    case nil: _ = try parse(text)
    case .file(""), .variable(""): throw .noName
    case .ask, .file, .variable: break
    }
  }

  /// The secret that `text` is or names. Fails as its source does, and never repeats it.
  func value<Value>(_ text: String, _ parse: (String) throws(SecretError) -> Value)
    throws(BenchError) -> Value
  {
    let (content, place, code) = try read(text)
    do throws(SecretError) {
      return try parse(content)
    } catch {
      throw BenchError(code, "\(place): \(error.description)")
    }
  }

  private func read(_ text: String) throws(BenchError) -> (String, String, BenchError.Code) {
    switch SecretSource(text) {
    case nil: return (text, "The command line", .usage)
    case .ask:
      let typed = try Prompt.secret(option)
      if isNew, try Prompt.secret("\(option), again") != typed {
        throw BenchError(.usage, "\(option): the two entries differ. Nothing was written.")
      }
      return (Secret.firstLine(typed), option, .usage)
    case .file(let path):
      let bytes = try SecretFiles.read(path)
      return (Secret.firstLine(String(decoding: bytes, as: UTF8.self)), path, .badInput)
    case .variable(let name):
      Environment.noteSecret(name)
      guard let value = Console.environment[name] else {
        throw BenchError(.configuration, "\(option): the variable \(name) is not set.")
      }
      return (Secret.firstLine(value), name, .configuration)
    }
  }
}

/// Files with keys or passwords. Those with the keys of a series are refused where others may read
/// them (`Files.requireSecret`); of any other it is said.
enum SecretFiles {
  /// The bytes of the file at `path`. Fails as `Files.read` does.
  static func read(_ path: String) throws(BenchError) -> [UInt8] {
    warn(path)
    return try Files.read(path)
  }

  /// Says on standard error that others may read the file at `path`, where they may.
  static func warn(_ path: String) {
    if let remark = Files.exposure(of: path) { Console().complain("Warning: \(remark)") }
  }
}
