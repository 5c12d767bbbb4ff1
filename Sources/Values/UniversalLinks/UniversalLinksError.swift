import JSON

/// Why an input of this module is not what it should be.
public enum UniversalLinksError: Error, Hashable, Sendable {
  /// The site association is not JSON.
  case json(JSONError)
  /// The site association is JSON, but not an object; what it is instead.
  case notAnObject(String)
  /// The pattern can match nothing, or is too big to be tried.
  case pattern(PatternFault)
  /// The file cannot be written as it was asked for.
  case cannotWrite(WriterFault)

  /// Why a pattern cannot be tried.
  public enum PatternFault: Hashable, Sendable {
    /// `$(name)` names no variable of the file and none of Apple's.
    case undefinedVariable(String)
    /// More than 1,048,576 characters once its variables are put in.
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
    case .pattern(let fault): "\(fault)"
    case .cannotWrite(let fault): "\(fault)"
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
