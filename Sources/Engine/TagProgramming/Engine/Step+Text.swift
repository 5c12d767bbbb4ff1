import Bytes
import TagMemory

extension TagProgram.Step: CustomStringConvertible {
  /// As a plan prints it; keys by their names, the keys inside a sector trailer not at all.
  public var description: String {
    switch action {
    case .authenticate(let credential): Self.text(credential, at: place)
    case .write(_, .secret): "write \(place): \(TagProgram.Purpose.secret)"
    case .write(let bytes, let purpose): "write \(place): \(text(bytes, purpose))"
    case .check(let bytes): "read \(place.words(byteCount: bytes.count)) back"
    case .checkDigits(_, let count): "read \(place): the tag must show \(count) digits there"
    case .checkRefusal:
      "select the tag again and rewrite \(place) without \(secret), which the tag must refuse"
    case .prove(let expected):
      "select the tag again and read \(place.words(byteCount: expected.stored.count)) as a telephone does: the message must prove the tag"
    // Their commands' names say it all.
    case .perform(let command, .secret), .perform(let command, .configuration): command.name
    case .perform(let command, let purpose): "\(command.name)  \(purpose)"
    }
  }

  /// What opens the tag for writing.
  private var secret: String { if case .file = place { "a key" } else { "the password" } }

  private static func text(_ credential: TagProgram.Credential, at place: Place) -> String {
    switch credential {
    case .key(let candidate): "open \(place): \(candidate)"
    case .password(_, let pack):
      pack.isEmpty
        ? "select the tag again and prove the key, as the tag does"
        : "give the password, which the tag acknowledges"
    case .desFire(let number, let key): "open \(place) with key \(number): \(key)"
    }
  }

  /// The bytes and what they are for. Of a sector trailer, whatever it is written for, all but the
  /// keys.
  private func text(_ bytes: [UInt8], _ purpose: TagProgram.Purpose) -> String {
    guard bytes.indices.contains(where: place.holdsKey), bytes.count == Block.byteCount else {
      return Self.text(Hex.string(bytes, separator: " ").uppercased(), for: purpose)
    }
    let rest =
      "access bits \(Hex.string(bytes[6..<9]).uppercased()), "
      + "general purpose byte \(Hex.byte(bytes[9]).uppercased())"
    switch purpose {
    case .trailer: return "keys and " + rest
    case .lock: return Self.text(rest, for: purpose)
    default: return Self.text("keys and " + rest, for: purpose)
    }
  }

  /// Raw bytes are for nothing that is known.
  private static func text(_ words: String, for purpose: TagProgram.Purpose) -> String {
    let reason = "\(purpose)"
    return reason.isEmpty ? words : "\(words)  \(reason)"
  }
}

/// Reflection shows what a plan prints, and no key or password.
extension TagProgram.Step: CustomReflectable {
  /// Has no children: the description says what may be seen.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TagProgram: CustomStringConvertible, CustomReflectable {
  /// In one line: `7 steps, 6 of them writes`.
  public var description: String {
    let writes = steps.count(where: \.isWrite)
    return "\(steps.count) \(steps.count == 1 ? "step" : "steps"), \(writes) of them writes"
  }

  /// Has the steps as a plan prints them.
  public var customMirror: Mirror { Mirror(self, children: ["steps": steps.map(\.description)]) }
}
