import TagMemory
import TagProgramming

extension TagOptions {
  /// The keys and the password that were given in place or in files, which are read here.
  func credentials() throws(CommandFailure) -> Credentials {
    var keys = key.compactMap { try? Secret.key($0) }
    if let keyFile {
      let text = String(decoding: try Files.read(keyFile), as: UTF8.self)
      do throws(KeyFileError) {
        keys += try Secret.keys(inFile: text)
      } catch {
        throw CommandFailure(
          .badInput, "\(keyFile), line \(error.line): \(SecretError.notAKey.description)")
      }
    }
    var secret = password.flatMap { try? Secret.password($0) }
    if let passwordFile {
      let text = String(decoding: try Files.read(passwordFile), as: UTF8.self)
      do throws(SecretError) {
        secret = try Secret.password(Secret.firstLine(text))
      } catch {
        throw CommandFailure(.badInput, "\(passwordFile): \(error.description)")
      }
    }
    return Credentials(keys: keys, password: secret)
  }
}
