import Bench
import TagMemory
import TagProgramming

extension TagOptions {
  /// The keys and the password that were given in place, in files, which are read here, or in the
  /// environment.
  func credentials() throws(BenchError) -> Credentials {
    var keys: [Secret.AnyKey] = []
    for text in key { keys.append(try SecretInput(option: "--key").value(text, Secret.anyKey)) }
    if let keyFile {
      let text = String(decoding: try SecretFiles.read(keyFile), as: UTF8.self)
      do throws(KeyFileError) {
        keys += try Secret.keys(inFile: text)
      } catch {
        throw BenchError(
          .badInput, "\(keyFile), line \(error.line): \(SecretError.notAnyKey.description)")
      }
    }
    keys += try Secret.keys(inVariable: "NFCPROG_KEYS", of: Console.environment)
    let derivation = Secret.derivation(self.password)
    var credentials = Credentials(password: nil)
    if let text = self.password, SecretSource(text) != nil {
      credentials.password = try SecretInput(option: "--password").value(text, Secret.password)
    } else if derivation == nil {
      credentials.password = try Secret.password(
        self.password, variable: "NFCPROG_PASSWORD", of: Console.environment)
    }
    credentials.derivedPassword = try derivation.map { file throws(BenchError) in
      try Secret.derivedPassword(file: file)
    }
    for key in keys {
      switch key {
      case .classic(let key): credentials.keys.append(key)
      case .card(let bytes): credentials.cardKeys.append(bytes)
      }
    }
    return credentials
  }
}
