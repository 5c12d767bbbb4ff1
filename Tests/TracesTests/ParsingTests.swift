import Foundation
import Testing
import Traces

/// Lines of a trace of nfcprog, from commands and answers.
func trace(_ exchanges: [(command: String, answer: String)]) -> String {
  exchanges.enumerated().map { index, exchange in
    """
    {"answer":"\(exchange.answer)","command":"\(exchange.command)","durationMs":2.1,"schema":1,"time":\(1_763_690_000 + index)}

    """
  }.joined()
}

/// The session in a text.
func session(_ text: String) throws -> RecordedSession {
  try TraceFile(parsing: Array(text.utf8)).session(named: nil)
}

@Suite("Traces, read")
struct ParsingTests {
  private let uid = "04416d412b0289"

  /// Command and answer of each exchange.
  private func shown(_ session: RecordedSession) -> [String] {
    session.exchanges.map { exchange in
      let answer =
        exchange.answer.map(MaskedBytes.text) ?? "\(exchange.outcome)"
      return "\(MaskedBytes.text(exchange.command)) \(answer)"
    }
  }

  @Test("of the program's own: bytes, masked bytes, times, and how an exchange failed")
  func own() throws {
    let text =
      trace([("4a0200", "010100440007\(uid)"), ("421b********", "00****")])
        + """
        {"command":"40013004","durationMs":500,"error":"the board on pn532_uart:/dev/ttyUSB0 does not answer","schema":1,"time":1763690003}
        """
    let session = try session(text)
    #expect(
      shown(session) == [
        "4a0200 010100440007\(uid)", "421b******** 00****", "40013004 silence",
      ])
    #expect(session.exchanges.map(\.line) == [1, 2, 3])
    #expect(session.exchanges[1].start == .seconds(1))
    #expect(session.exchanges[0].duration == .microseconds(2100))
  }

  @Test("within a problem report, between its other lines")
  func report() throws {
    let text =
      "Problem report of nfcprog\n\nReaders\n-------\n{\"connection\":\"x\"}\n\nTrace (x)\n---\n"
      + trace([("4a0100", "00")])
    #expect(try shown(session(text)) == ["4a0100 00"])
    #expect(try session(text).exchanges[0].line == 9)
  }

  @Test("cut off in its last line is used until there; damaged before that, the line is named")
  func cutOff() throws {
    let whole = trace([("4a0100", "00"), ("320100", "")])
    let session = try session(String(whole.dropLast(20)))
    #expect(shown(session) == ["4a0100 00"])
    #expect(session.remarks.map(\.line) == [2])
    let damaged = whole.replacing("\"320100\"", with: "\"32010\"") + trace([("4a0100", "00")])
    #expect(throws: TraceError.badLine(2, "command and answer are not hexadecimal")) {
      try TraceFile(parsing: Array(damaged.utf8))
    }
  }

  @Test(
    "what is none is refused",
    arguments: [
      "", "\n\n", "hello\n", "{\"a\":1}\n", "%PDF-1.7\n", "a,b\n1,2\n",
      "0 | 1 | Rdr |  |  | WUPA\n", "TX: none\n",
    ])
  func foreign(text: String) {
    #expect(throws: TraceError.self) { try TraceFile(parsing: Array(text.utf8)) }
  }

  @Test("libnfc's log: answers in pieces, ACK and answer in one, a time-out")
  func libnfc() throws {
    let text = """
      debug\tlibnfc.chip.pn53x\tGetFirmwareVersion
      debug\tlibnfc.bus.uart\tTX: 55 55 00 00 00 00 00 00 00 00 00 00 00 00 00 00 
      debug\tlibnfc.bus.uart\tTX: 00 00 ff 02 fe d4 02 2a 00 
      debug\tlibnfc.bus.uart\tRX: 00 00 ff 00 ff 00 
      debug\tlibnfc.bus.uart\tRX: 00 00 ff 06 fa 
      debug\tlibnfc.bus.uart\tRX: d5 03 
      debug\tlibnfc.bus.uart\tRX: 32 01 06 07 
      debug\tlibnfc.bus.uart\tRX: e8 00 
       TX: 00  00  ff  04  fc  d4  4a  01  00  e1  00  
       RX: 00  00  ff  00  ff  00  00  00  ff  03  fd  d5  4b  00  e0  00  
       RX: 00  00  ff  03  fd  d5  4b  00  e0  00  
      debug\tlibnfc.bus.uart\tTX: 00 00 ff 05 fb d4 40 01 30 04 b7 00 
      debug\tlibnfc.bus.uart\tTimeout!

      """
    let session = try session(text)
    #expect(shown(session) == ["02 32010607", "4a0100 00", "40013004 silence"])
    #expect(session.remarks.isEmpty)
  }

  @Test("an ACR122's log: CCID blocks, and the reader's own 90 00")
  func acr122() throws {
    let text = """
      debug\tlibnfc.driver.acr122_usb\tTX: 6f 09 00 00 00 00 00 00 00 00 ff 00 00 00 04 d4 4a 01 00 
      debug\tlibnfc.driver.acr122_usb\tRX: 80 0e 00 00 00 00 00 00 81 00 d5 4b 01 01 00 04 08 04 79 84 34 8e 90 00 
       TX: ff 00 00 00 03 d4 12 14
       RX: d5 13 90 00

      """
    #expect(try shown(session(text)) == ["4a0100 0101000408047984348e", "1214 "])
  }

  @Test("nfcpy's log, with its times")
  func nfcpy() throws {
    let text = """
      626 ms [nfc.clf.transport] >>> 000000000000000000000000ff02fed4022a00
      626 ms [nfc.clf.pn532] wait 100 ms for data on /dev/ttyAMA0
      630 ms [nfc.clf.transport] <<< 0000ff00ff00
      631 ms [nfc.clf.transport] <<< 0000ff06fad50332010607e800
      """
    let session = try session(text)
    #expect(shown(session) == ["02 32010607"])
    #expect(session.exchanges[0].duration == .milliseconds(5))
  }

  @Test(
    "nfcpy's log in other forms: levels, dates, colours, CR LF, a mark of byte order, UTF-16",
    arguments: [
      "DEBUG:nfc.clf.transport:%@ ", "[nfc.clf.transport] %@ ",
      "2016-02-01 12:00:00,100 DEBUG nfc.clf.transport %@ ",
      "\u{1B}[0;32m2016-02-01T12:00:00.100Z\u{1B}[0m nfc.clf.transport %@ ",
    ])
  func nfcpyForms(start: String) throws {
    let frames = [
      (">>>", "0000ff04fcd44a0100e100"),
      ("<<<", "0000ff00ff00"), ("<<<", "0000ff03fdd54b00e000"),
      (">>>", "0000ff02fed4022a00"), ("<<<", "0000ff06fad50332010607e800"),
    ]
    let lines = frames.map { start.replacing("%@", with: $0.0) + $0.1 }
    for text in [lines.joined(separator: "\n"), lines.joined(separator: "\r\n") + "\r\n"] {
      for bytes in Self.encodings(of: text) {
        let session = try TraceFile(parsing: bytes).session(named: nil)
        #expect(shown(session) == ["4a0100 00", "02 32010607"], "\(start)")
        #expect(session.remarks.isEmpty)
      }
    }
    // Cut off within its last byte.
    let cut = try session(String(lines.joined(separator: "\n").dropLast(5)))
    #expect(shown(cut) == ["4a0100 00", "02 untold"])
    #expect(cut.remarks.map(\.line) == [5])
  }

  /// UTF-8 without and with its mark, and UTF-16 both ways.
  private static func encodings(of text: String) -> [[UInt8]] {
    let units = [0xFEFF] + Array(text.utf16)
    return [
      Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8),
      units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
      units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
    ]
  }

  @Test("of a clock among the first words the time between frames is known")
  func clocks() throws {
    let session = try session(
      """
      2016-02-01 12:00:00,100 DEBUG nfc.clf.transport >>> 0000ff02fed4022a00
      2016-02-01 12:00:00,105 DEBUG nfc.clf.transport <<< 0000ff06fad50332010607e800
      """)
    #expect(session.exchanges[0].duration == .milliseconds(5))
  }

  @Test("lines of two programs in one file are refused with the first of the second")
  func mixed() {
    let own = trace([("4a0100", "00")])
    let host = "debug\tlibnfc.bus.uart\tTX: 00 00 ff 02 fe d4 02 2a 00\n"
    let nfcpy = "626 ms [nfc.clf.transport] >>> 0000ff02fed4022a00\n"
    for (text, line) in [(own + host, 2), (host + host + nfcpy, 3), (nfcpy + own, 2)] {
      #expect {
        try TraceFile(parsing: Array(text.utf8))
      } throws: { error in
        guard case .badLine(line, _) = error as? TraceError else { return false }
        return true
      }
    }
  }

  @Test(
    "Proxmark3's list in other forms: short frames marked ', no CRC column, gaps, the oldest",
    arguments: [
      """
            Start |        End | Src | Data (! denotes parity error, ' denotes short bytes)
                0 |        992 | Rdr | 26'
             2228 |       4596 | Tag | 44  00
             7040 |      17504 | Rdr | 93  70  04  16  6d  41  3e  00  00
            18000 |      21000 | Tag | 00  fe  51
            30000 |      34000 | Rdr | 60  f8  32
      """,
      """
              Gap |   Duration | Src | Data (! denotes parity error)  | CRC | Annotation
                0 |        992 | RDR |26(7)                           |     | REQA
             1236 |       2368 | TAG |44  00                          |     |
             2444 |      10464 | RDR |93  70  04  16  6d  41  3e  00  00 |  ok | SELECT_UID
              496 |       3000 | TAG |00  fe  51                      |  ok |
             9000 |       4000 | RDR |60  f8  32                      |  ok | GET_VERSION
      """,
      """
       ETU     :nbits: who bytes
      ---------+---------+-----+-----------
       +      0:    7:     26
       +     64:    0: TAG 44  00
       +    100:    0:     93  70  04  16  6d  41  3e  00  00
       +     64:    0: TAG 00  fe  51
       +    200:    0:     60  f8  32
      """,
    ])
  func proxmarkForms(text: String) throws {
    let session = try session(text)
    #expect(shown(session) == ["4a0100 0101004400" + "0404166d41", "4260 01"])
    let starts = session.exchanges.compactMap(\.start)
    #expect(starts.count == 2 && starts[0] < starts[1])
  }

  @Test("Proxmark3's list: the selection becomes a look, a READ an exchange, an unanswered one 01")
  func proxmark() throws {
    let text = """
            Start |        End | Src | Data (! denotes parity error)               | CRC | Annotation
      ------------+------------+-----+---------------------------------------------+-----+-----------
                0 |        992 | Rdr |52(7)                                        |     | WUPA
             2228 |       4596 | Tag |44  00                                       |     |
             7040 |       9504 | Rdr |93  20                                       |     | ANTICOLL
            10676 |      16500 | Tag |88  04  b7  80  bb                           |     |
            18560 |      29024 | Rdr |93  70  88  04  b7  80  bb  d6  fa           |  ok | SELECT_UID
            30260 |      33780 | Tag |04  da  17                                   |     |
            45000 |      55000 | Rdr |95  70  6a  e9  4c  80  4f  5a  9b           |     | SELECT_UID-2
            56000 |      59000 | Tag |00  fe  51                                   |     |
            60000 |      64000 | Rdr |30  04  26  ee                               |  ok | READBLOCK(4)
            65000 |      85000 | Tag |03  0f  d1  01  0b  55  04  65               |     |
                  |            |     |78  61  6d  70  6c  65  2e  63               |     |
            90000 |      94000 | Rdr |60  f8  32                                   |  ok | GET_VERSION
      """
    let session = try session(text)
    #expect(session.level == .air)
    #expect(
      shown(session) == [
        "4a0100 01010044000704b7806ae94c80", "40013004 00030fd1010b550465" + "78616d706c652e63",
        "4260 01",
      ])
  }

  @Test("a report of bring-up: frames by their point")
  func bringUp() throws {
    let text = """
      Bring-up of sim:ntag213
      firmware PN532 v1.6

      refusals: how is a NAK reported
        set-up: 32 01 00 →   (2 ms)
        read: 40 01 30 FF → 13  (3 ms)
        read: 40 01 30 FF → the board on x does not answer  (500 ms)
      """
    let session = try session(text)
    #expect(shown(session) == ["320100 ", "400130ff 13", "400130ff silence"])
    #expect(session.exchanges.map(\.part) == ["refusals", "refusals", "refusals"])
    #expect(session.exchanges[1].duration == .milliseconds(3))
  }

  /// The captures that the simulator is held to.
  private static let captures = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "PN532SimulatorTests/Board/captures.jsonl")

  @Test("captures of real boards: all are read, and every whole frame of them is there")
  func captures() throws {
    let bytes = Array(try Data(contentsOf: Self.captures))
    let file = try TraceFile(parsing: bytes)
    #expect(file.format == .captures)
    #expect(file.sessions.count == bytes.split(separator: 10).count)
    // One was taken at a wrong speed.
    for session in file.sessions where session.name != "libnfc-355" {
      #expect(!session.exchanges.isEmpty, "\(session.name ?? "")")
    }
    // The commands of the longest, by the frames that a parser of its own finds.
    let whole = try #require(file.sessions.first { $0.name == "rpinet-uart-nfclist" })
    #expect(whole.exchanges.count == 41)
    #expect(whole.exchanges.allSatisfy { $0.answer != nil })
    #expect(whole.remarks.isEmpty)
    #expect(throws: TraceError.self) { try file.session(named: nil) }
    #expect(try file.session(named: "libnfc-564").exchanges.count == 4)
  }
}
