import JSON

/// What cannot be used of what was given about an Android app.
package enum AppLinksError: Error, Hashable, Sendable {
  /// The text is no package name.
  case notAPackageName(String)
  /// A package name with a word that documentation uses where the app's own belongs.
  case placeholder(String, in: String)
  /// The text is no SHA-256 of a certificate.
  case notAFingerprint(String)
  /// The fingerprint of Google's documentation.
  case exampleFingerprint
  /// The asset links file is no JSON.
  case json(JSONError)
  /// The asset links file is JSON, and not a list; what it is.
  case notAList(String)
  /// The manifest cannot be read: why, and in which line.
  case manifest(String, line: Int)
  /// What is to be written has no app or no fingerprint.
  case nothingToWrite(String)
}

extension AppLinksError: CustomStringConvertible {
  /// A whole sentence or several.
  package var description: String {
    switch self {
    case .notAPackageName(let text):
      "\u{201C}\(text)\u{201D} is not a package name such as com.example.app."
    case .placeholder(let part, let name):
      "\u{201C}\(part)\u{201D} in \(name) is a placeholder. Give the app's own package name."
    case .notAFingerprint(let text):
      """
      \u{201C}\(text)\u{201D} is not a SHA-256 fingerprint of a certificate: 32 bytes in hexadecimal, as \
      `keytool -list -v` or the Play Console shows it.
      """
    case .exampleFingerprint:
      """
      14:6D:E9:…:44:E5 is the fingerprint of Google's documentation, which signs no app. Give the one of your certificate, \
      as `keytool -list -v` or the Play Console shows it.
      """
    case .json(let error): "The asset links file is not JSON: \(error)."
    case .notAList(let type):
      "The asset links file is \(type); Android takes a list of statements: [ { … } ]."
    case .manifest(let reason, let line): "Line \(line) of the manifest: \(reason)."
    case .nothingToWrite(let what): what
    }
  }
}
