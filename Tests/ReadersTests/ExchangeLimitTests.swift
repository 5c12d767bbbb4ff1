import PN532
import Readers
import TagMemory
import Testing

@Suite("What passes a reader in one exchange")
struct ExchangeLimitTests {
  static let limits: [ExchangeLimit] = [.pn532, .pn533, .acr122u]

  private func apdu(_ instruction: UInt8, data: Int = 0, _ expected: Int? = nil) -> TagCommand {
    .apdu(
      CommandAPDU(
        0x00, instruction, 0, 0, data: [UInt8](repeating: 0, count: data), expectedLength: expected)
    )
  }

  @Test("each command of up to its limit passes, and none beyond it", arguments: limits)
  func commands(_ limit: ExchangeLimit) {
    for count in 1...255 {
      let passes = 5 + count <= limit.command
      let excess = apdu(0xD6, data: count).excess(over: limit)
      #expect((excess == nil) == passes, "\(count)")
      if let excess { #expect("\(excess)".hasPrefix("\(limit.reader) carries at most ")) }
    }
  }

  @Test("an ACR122U passes 252 bytes and 250 back, its header among 255; a PN532 more")
  func numbers() {
    // Lc and Le of 250 and more, and FAST_READ of 65 pages.
    for count in [250, 251, 255] {
      #expect(apdu(0xD6, data: count).excess(over: .acr122u) != nil)
      #expect(apdu(0xB0, count).excess(over: .acr122u) != nil)
      #expect(apdu(0xB0, count).excess(over: .pn532) == nil)
    }
    #expect(apdu(0xD6, data: 247).excess(over: .acr122u) == nil)
    #expect(apdu(0xB0, 248).excess(over: .acr122u) == nil)
    #expect(
      apdu(0xB0, 249).excess(over: .acr122u)?.description
        == "an ACR122U carries at most 250 bytes from a tag, and the command asks for 251")
    #expect(
      apdu(0xD6, data: 250).excess(over: .acr122u)?.description
        == "an ACR122U carries at most 252 bytes to a tag, and the command has 255")
    func fastRead(_ last: UInt8) -> TagCommand {
      TagCommand(raw: [0x3A, 0x00, last], for: nil, inProtocol: false)
    }
    #expect(fastRead(0x40).excess(over: .acr122u) != nil)
    #expect(fastRead(0x3D).excess(over: .acr122u) == nil)
    #expect(fastRead(0x3E).excess(over: .acr122u) != nil)
    #expect(fastRead(0x40).excess(over: .pn532) == nil)
    #expect(fastRead(0x41).excess(over: .pn532) != nil)
  }

  @Test("Le of 00 is refused where files are read, and nowhere else: most answers are short")
  func wholeAnswers() {
    for instruction in UInt8.min...UInt8.max {
      let isRefused = apdu(instruction, 256).excess(over: .acr122u) != nil
      #expect(isRefused == (0xB0...0xB3).contains(instruction), "\(instruction)")
      #expect(apdu(instruction, 256).excess(over: .pn532) == nil)
    }
    #expect(TagCommand.apdu(.selectNDEFApplication(.current)).excess(over: .acr122u) == nil)
    #expect(apdu(0xB0, 0x1_0000).excess(over: .pn532) == nil)
    #expect(apdu(0xB0, 0x1_0000).excess(over: .acr122u) != nil)
  }

  @Test(
    "as many FeliCa blocks as are said to pass do pass, and one more does not", arguments: limits)
  func feliCa(_ limit: ExchangeLimit) {
    for count in 1...15 {
      let blocks = (0..<count).map { UInt16($0) + 0x100 }
      let passes = TagCommand.feliCaRead(blocks).excess(over: limit) == nil
      #expect(passes == (count <= limit.feliCaReads), "\(count)")
    }
    for count in 1...13 {
      let data = [UInt8](repeating: 0, count: 16 * count)
      let passes = TagCommand.feliCaWrite(block: 0x100, data: data).excess(over: limit) == nil
      #expect(passes == (count <= limit.feliCaWrites), "\(count)")
    }
    let raw = TagCommand(
      raw: [0x06, 1, 0x0B, 0, 15] + (0..<15).flatMap { [0x80, UInt8($0)] },
      for: .feliCa(
        FeliCaActivation(
          idm: [1, 2, 3, 4, 5, 6, 7, 8], pmm: [], systemCode: nil, bitRate: .kbit212)),
      inProtocol: false)
    #expect((raw.excess(over: limit) == nil) == (limit.feliCaReads == 15))
  }

  @Test("every command that the program itself knows passes every reader", arguments: limits)
  func own(_ limit: ExchangeLimit) {
    let commands: [TagCommand] = [
      .readPages(from: 0), .fastRead(0...TagReader.fastReadLimit - 1), .getVersion,
      .readSignature(byteCount: 48), .writePage(4, [1, 2, 3, 4]),
      .feliCaPolling(systemCode: 0x12FC),
    ]
    for command in commands { #expect(command.excess(over: limit) == nil, "\(command)") }
  }

  @Test("what does not pass is not sent, whoever asks for it")
  func notSent() throws {
    let link = ScriptedLink(limit: .acr122u)
    let reader = TagReader(link: link)
    let error = #expect(throws: ReaderError.self) {
      _ = try reader.send(apdu(0xB0, 250))
    }
    #expect(
      error
        == .notCarried(
          reader: "script",
          reason: "an ACR122U carries at most 250 bytes from a tag, and the command asks for 252"))
    #expect(link.timeouts.isEmpty)
  }
}
