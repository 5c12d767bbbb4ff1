/// Why an input of this module is not what it should be.
public enum UniversalLinksError: Error, Hashable, Sendable {
  /// The site association is not JSON.
  case json(JSONError)
  /// The site association is JSON, but not an object; what it is instead.
  case notAnObject(String)
  /// The text is not a URL.
  case url(URLFault)
  /// The pattern can match nothing, or is too big to be tried.
  case pattern(PatternFault)
  /// The file cannot be written as it was asked for.
  case cannotWrite(WriterFault)

  /// Why a text is not a URL.
  public enum URLFault: Hashable, Sendable {
    case empty
    /// No `scheme:` at the start.
    case noScheme
    case controlCharacter(Unicode.Scalar)
    /// A space at the start or the end.
    case spaceAround
    /// A part of the host between dots that has more than 63 bytes in ASCII.
    case labelTooLong(String)
    /// A character that no host name holds.
    case hostCharacter(Unicode.Scalar)
    /// A character in the port that is no digit.
    case portCharacter(Unicode.Scalar)
  }

  /// Why a pattern cannot be tried.
  public enum PatternFault: Hashable, Sendable {
    /// `$(name)` names no variable of the file and none of Apple's.
    case undefinedVariable(String)
    /// More than `Pattern.sizeLimit` characters once its variables are put in.
    case tooLarge
  }

  /// Why a file cannot be written.
  public enum WriterFault: Hashable, Sendable {
    /// There is no app and no App Clip.
    case noApp
    /// The file would have these errors.
    case findings([Finding])
  }
}

extension UniversalLinksError: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .json(let error): "the site association is not JSON: \(error)"
    case .notAnObject(let found): "the site association is \(found), it must be a JSON object"
    case .url(let fault): "\(fault)"
    case .pattern(let fault): "\(fault)"
    case .cannotWrite(let fault): "\(fault)"
    }
  }
}

extension UniversalLinksError.URLFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty: "the URL is empty"
    case .noScheme: "the URL has no scheme; write it in full, such as https://example.com/t/1"
    case .controlCharacter(let scalar):
      "the URL holds the control character U+\(String(scalar.value, radix: 16, uppercase: true))"
    case .spaceAround: "a space stands before or after the URL"
    case .labelTooLong(let label):
      "\u{201C}\(label)\u{201D} is too long for a part of a host name, 63 bytes is the most"
    case .hostCharacter(let scalar):
      "a host name cannot hold \u{201C}\(Character(scalar))\u{201D}"
    case .portCharacter(let scalar):
      "a port is a number, it cannot hold \u{201C}\(Character(scalar))\u{201D}"
    }
  }
}

extension UniversalLinksError.PatternFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .undefinedVariable(let name): "$(\(name)) is not defined"
    case .tooLarge:
      "with its variables put in, the pattern has more than \(Pattern.sizeLimit) characters"
    }
  }
}

extension UniversalLinksError.WriterFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noApp: "a site association needs an app ID or an App Clip's"
    case .findings(let findings):
      findings.map { "\($0.message)" }.joined(separator: " ")
    }
  }
}
