import Bytes
import PN532
import Readers

/// A link that plays a table: each command must be the next one of the table, byte for byte.
final class ScriptedLink: ChipLink {
  enum Answer {
    case bytes(String)
    case failure(ReaderError)
  }

  let name = "script"
  let limit: ExchangeLimit
  private(set) var isClosed = false
  /// Commands that came where the table has others, or nothing.
  private(set) var unexpected: [String] = []
  private(set) var timeouts: [Duration] = []
  private var script: [(command: String, answer: Answer)]
  /// Answers every command that comes after the table's end.
  var afterwards: ((String) -> Answer)?

  init(_ script: [(String, Answer)] = [], limit: ExchangeLimit = .pn532) {
    self.limit = limit
    self.script = script.map { ($0.0.filter { $0 != " " }, $0.1) }
  }

  /// What of the table was not asked for.
  var left: [String] { script.map(\.command) }

  func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] {
    timeouts.append(timeout)
    let sent = Hex.string(command)
    let answer: Answer
    if script.isEmpty, let afterwards {
      answer = afterwards(sent)
    } else if let next = script.first, next.command == sent {
      answer = next.answer
      script.removeFirst()
    } else {
      unexpected.append(sent)
      throw .boardRefused(reader: name)
    }
    switch answer {
    case .bytes(let text):
      guard let bytes = try? Hex.bytes(text) else { throw .boardGarbled(reader: name) }
      return bytes
    case .failure(let error): throw error
    }
  }

  func close() { isClosed = true }
}

/// The commands that set the chip up before its first look.
let setUp: [(String, ScriptedLink.Answer)] = [
  ("320100", .bytes("")),
  ("32 05 00 01 01", .bytes("")), ("32 02 00 0b 08", .bytes("")), ("320101", .bytes("")),
]

/// An NTAG, as a look finds it.
let ntag = "01 01 0044 00 07 04a1b2c3d4e5f6"
/// A MIFARE Classic 1K.
let classic = "01 01 0004 08 04 278b7034"
