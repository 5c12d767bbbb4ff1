import Foundation
import HTTPServing

/// The file of an agent's token: made at the first start.
package enum TokenFile {
  /// Signatures of an agent are good for nothing else.
  static let purpose = "nfcprog-agent"

  /// Returns the path of the token where nobody names another one.
  package static func usual(in folder: String) -> String { "\(folder)/token" }

  /// Returns the token in the file at `path`; `fresh` is its text where the file has just been
  /// made. Throws where the file cannot be made or used, and where others may read it.
  package static func open(
    _ path: String
  ) throws(ServerMistake) -> (token: AccessToken, fresh: String?) {
    guard !FileManager.default.fileExists(atPath: path) else {
      return (try AccessToken(file: path, opensToGroup: false, signing: purpose), nil)
    }
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let text = Data(bytes).base64EncodedString()
    do throws(PrivateFile.Failure) {
      try PrivateFile.makeFolder((path as NSString).deletingLastPathComponent)
      try PrivateFile.write(Array("\(text)\n".utf8), to: path)
    } catch {
      throw ServerMistake(
        .unavailable, "The token file \(path) cannot be made: \(error.reason).")
    }
    return (try AccessToken(text, signing: purpose), text)
  }
}
