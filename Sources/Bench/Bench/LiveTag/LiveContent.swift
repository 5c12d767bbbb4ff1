import NDEF
import TagMemory

/// What a board that plays a tag holds: one message, one that a file says anew for each tap, or
/// what a telephone wrote last.
package protocol LiveContent: AnyObject {
  /// What the next tap is to read. Looked at before each tap; what cannot be used any more is
  /// reported, and the message stays as it was.
  func message() -> [UInt8]

  /// What this selection is to read in place of `message`, as long as it; with its number. Called
  /// once before the first byte is given out; nil: the message as it is.
  func reading() throws(BenchError) -> (message: [UInt8], counter: Int)?

  /// Takes over what a telephone has written. Fails where it cannot be kept.
  func keep(_ message: [UInt8]) throws(BenchError)
}

/// One message, which telephones may replace where there is a file that keeps what they write.
package final class FixedContent: LiveContent {
  private var bytes: [UInt8]
  private let file: NamedFile?

  package init(_ message: [UInt8], keptIn file: NamedFile? = nil) {
    (bytes, self.file) = (message, file)
  }

  package func message() -> [UInt8] { bytes }
  package func reading() throws(BenchError) -> (message: [UInt8], counter: Int)? { nil }

  package func keep(_ message: [UInt8]) throws(BenchError) {
    try file?.write(message, isSecret: false)
    bytes = message
  }
}

/// What a file says: a message, or a text that `link` makes a message of.
package final class FollowedContent: LiveContent {
  private let path: String
  private let link: (String) throws(BenchError) -> Message
  private let onTrouble: (BenchError) -> Void
  private var bytes: [UInt8]
  private var source: [UInt8]

  /// Reads the file. Fails with `noInput`, and with `badInput` for what is no message.
  package init(
    _ path: String, link: @escaping (String) throws(BenchError) -> Message,
    onTrouble: @escaping (BenchError) -> Void
  ) throws(BenchError) {
    (self.path, self.link, self.onTrouble) = (path, link, onTrouble)
    source = try Files.read(path)
    bytes = try Self.message(source, at: path, link)
  }

  /// The file as it stands now. Half of one, as it may be found while it is written, is none.
  package func message() -> [UInt8] {
    do throws(BenchError) {
      let now = try Files.read(path)
      guard now != source else { return bytes }
      source = now
      bytes = try Self.message(now, at: path, link)
    } catch {
      onTrouble(error)
    }
    return bytes
  }

  package func reading() throws(BenchError) -> (message: [UInt8], counter: Int)? { nil }
  package func keep(_ message: [UInt8]) throws(BenchError) {}

  private static func message(
    _ source: [UInt8], at path: String, _ link: (String) throws(BenchError) -> Message
  ) throws(BenchError) -> [UInt8] {
    if !source.isEmpty, RawMessage(parsing: source).faults.isEmpty {
      return try LiveTag.fitting(source)
    }
    guard let text = String(validating: source, as: UTF8.self) else {
      throw BenchError(.badInput, "\(path) holds neither an NDEF message nor a URL.")
    }
    let line = text.trimmingSpace
    guard !line.isEmpty, !line.contains(where: \.isNewline) else {
      throw BenchError(.badInput, "\(path) is to hold one URL, in one line, or an NDEF message.")
    }
    return try LiveTag.fitting(try link(line).serialize())
  }
}

extension String {
  /// Without what stands around it and nobody sees.
  fileprivate var trimmingSpace: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
