import JobLists

/// Why the file of the tags that are read cannot be used.
public enum CollectedFileError: Error, Hashable, Sendable {
  /// The file cannot be opened or written, and why.
  case cannotWrite(String, reason: String)
  /// It holds something else than tags that were read.
  case otherFile(String)
  /// Another process writes tags to it.
  case locked(String)
}

extension CollectedFileError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .cannotWrite(let path, let reason): "\(path) cannot be written: \(reason)."
    case .otherFile(let path):
      "\(path) is not a list of tags that nfcprog has read: its first line is different. The file was not changed. Name another file."
    case .locked(let path):
      "Another process writes the tags that it reads to \(path). End it, or name another file."
    }
  }
}

extension CollectedFileError {
  /// Runs `body`, with the errors of the system as sentences about the file at `path`.
  static func catching<Value>(
    _ path: String, _ body: () throws -> Value
  ) throws(CollectedFileError) -> Value {
    do {
      return try body()
    } catch let error as CollectedFileError {
      throw error
    } catch is AppendedFile.NotAFile {
      throw .cannotWrite(path, reason: "it is not a file")
    } catch {
      throw .cannotWrite(path, reason: FileTrouble.reason(error))
    }
  }
}
