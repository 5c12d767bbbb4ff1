import Bytes
import PN532
import PN532Simulator
import Testing

/// Every capture in `captures.jsonl`. Those of PN532 boards are replayed byte for byte, with the
/// chip in the state that the capture leaves untold. Of PN533 readers, of emulated cards and of an
/// iPhone only what carries over is checked: their tests say what.
@Suite("Captures of real boards")
struct CaptureTests {
  private func capture(_ id: String) throws -> Capture { try #require(Capture.all[id]) }

  /// Sends what the host sent and expects what came back; where the capture breaks off, its
  /// beginning.
  private func replay(_ capture: Capture, on bench: Bench, speed: LinkSpeed = .baud115200) {
    for turn in capture.turns {
      let answer = bench.send(Hex.string(turn.sent), speed: speed)
      let isPartial = turn.event != nil || capture.id == "nxp-388265"
      let expected = Hex.string(turn.received)
      #expect(
        isPartial ? answer.hasPrefix(expected) : answer == expected,
        "after \(Hex.string(turn.sent)) \(turn.event ?? "")")
    }
  }

  @Test("all are here, and each is dealt with below")
  func complete() {
    #expect(
      Set(Capture.all.keys) == [
        "rpinet-uart-nfclist", "libnfc-86", "libnfc-355", "libnfc-528", "libnfc-167", "libnfc-617",
        "nfcpy-131", "node-pn532-12", "seeed-30", "libnfc-671", "libnfc-564", "so-24777810",
        "ggroups-ynnIZX5LpiA", "martin-eden-7b", "stm32-i2c", "nxp-388265", "momentum-538",
      ])
  }

  @Test("a whole libnfc session without a tag, from wake-up to PowerDown")
  func session() throws {
    let bench = Bench(cold: true)
    bench.field.remove()
    replay(try capture("rpinet-uart-nfclist"), on: bench)
    #expect(bench.chip.powerMode == .powerDown)
  }

  @Test("libnfc's second round of polls; ACK and answer come in one read")
  func emptyPolls() throws { replay(try capture("libnfc-86"), on: Bench()) }

  @Test("at a wrong speed the chip hears nothing, and what came back is no frame either")
  func wrongSpeed() throws {
    let capture = try capture("libnfc-355")
    let bench = Bench(cold: true)
    for turn in capture.turns {
      #expect(bench.send(Hex.string(turn.sent), speed: .baud230400).isEmpty)
      var parser = FrameParser()
      #expect(parser.feed(turn.received).isEmpty)
    }
  }

  @Test("an ACK and never an answer: the fault `hang`")
  func hang() throws {
    var faults = FaultPlan()
    faults.commands = [(.at(0), .hang)]
    let bench = Bench(faults: faults, cold: true)
    let turns = try capture("libnfc-528").turns
    #expect(turns.map { bench.send(Hex.string($0.sent)) } == ["", "0000ff00ff00"])
    #expect(bench.send("0000ff02fed4022a00").isEmpty)
  }

  @Test("emulation aborted by an ACK; the real line then lost a frame, as `lost` does")
  func aborted() throws {
    var faults = FaultPlan()
    faults.commands = [(.at(1), .lost)]
    let bench = Bench(faults: faults)
    replay(try capture("libnfc-167"), on: bench)
    #expect(!bench.chip.isPending)
  }

  @Test("the malformed InListPassiveTarget gets the error frame")
  func malformed() throws { replay(try capture("libnfc-671"), on: Bench()) }

  @Test("READ without a target: 27h (the capture leaves an answer out)")
  func noTarget() throws { replay(try capture("nxp-388265"), on: Bench()) }

  @Test("SAMConfiguration with three parameters; a write whose answer arrives damaged: 02h")
  func damagedAnswer() throws {
    // The log does not say why. A NAK would more likely be 13h, as it is for READ.
    var faults = FaultPlan()
    faults.exchanges = [(.at(2), .answerCorrupt)]
    let bench = Bench(try TagCatalog.tag("ntag213", uid: Self.uid7), faults: faults)
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    let turns = try capture("node-pn532-12").turns
    #expect(bench.send(Hex.string(turns[0].sent)) == Hex.string(turns[0].received))
    #expect(bench.ask("4a0100") == "4b00")
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    #expect(bench.send(Hex.string(turns[1].sent)).hasPrefix(Hex.string(turns[1].received)))
  }

  private static let uid7: [UInt8] = [0x04, 0x7F, 0xA9, 0x9A, 0x1F, 0x66, 0x80]

  @Test("nfcpy opens, goes to 921600 and reads an NTAG203, its CRCs included")
  func nfcpy() throws {
    let uid = try Hex.bytes("04087a04042019")
    let tag = try TagCatalog.tag("ntag203", uid: uid)
    var memory = tag.eeprom.bytes
    memory.replaceSubrange(0..<16, with: try Hex.bytes("04087afe0404201939000000e1101200"))
    memory.replaceSubrange(80..<96, with: try Hex.bytes("3a313233343536fe0000000000000000"))
    tag.eeprom.load(memory)
    let bench = Bench(tag, cold: true)
    let turns = try capture("nfcpy-131").turns
    for turn in turns.prefix(4) {
      #expect(bench.send(Hex.string(turn.sent)) == Hex.string(turn.received))
    }
    #expect(bench.chip.speed == .baud921600)
    // Not in the excerpt: the tag is found, and TxAuto is set by the analogue settings.
    #expect(bench.ask("4a0100") == "4b01010044000704087a04042019")
    #expect(bench.ask("0863054b") == "09")
    for turn in turns.dropFirst(4) {
      let answer = bench.send(Hex.string(turn.sent), speed: .baud921600)
      #expect(answer.hasPrefix(Hex.string(turn.received)), "after \(Hex.string(turn.sent))")
    }
  }

  @Test(
    "ACR122U: the PN532 inside refuses RATS to a Classic, authenticates and writes (CCID taken off)"
  )
  func acr122() throws {
    let card = try TagCatalog.tag("classic1k", uid: Hex.bytes("7984348e"))
    let bench = Bench(card)
    #expect(bench.ask("320501ff02") == "33")
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    for turn in try capture("libnfc-564").turns {
      // 10 bytes of CCID, FF 00 00 00 Lc, D4; 10 bytes of CCID, D5, …, 90 00.
      let (sent, received) = (turn.sent.dropFirst(16), turn.received.dropFirst(11).dropLast(2))
      #expect(bench.ask(Hex.string(sent)) == Hex.string(received))
    }
    #expect(Hex.string(card.eeprom.bytes[64..<80]) == "deadbeefdeadbeefdeadbeefdeadbeef")
  }

  @Test("a 7-byte UID: its last four bytes authenticate, all seven get the error frame")
  func sevenByteUID() throws {
    let card = try TagCatalog.tag("classic1k7b", uid: Hex.bytes("043318ea703280"))
    var memory = card.eeprom.bytes
    memory.replaceSubrange(112..<118, with: try Hex.bytes("a73f5dc1d333"))
    card.eeprom.load(memory)
    let bench = Bench(card)
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    let turns = try capture("martin-eden-7b").turns
    #expect(bench.ask(Hex.string(turns[0].sent.dropFirst())) == "4100")
    #expect(bench.ask(Hex.string(turns[1].sent.dropFirst())) == "syntax error")
  }

  @Test(
    "an I2C driver reads a Classic; its tag is gone at the PWD_AUTH (the READ of block 1F is left out there)"
  )
  func i2cDriver() throws {
    let card = try TagCatalog.tag("classic1k", uid: Hex.bytes("5cbbe5d5"))
    var memory = card.eeprom.bytes
    let trailer = try Hex.bytes("fee1defec8edff078069fee1defec8ed")
    memory.replaceSubrange(0x1F * 16..<0x20 * 16, with: trailer)
    card.eeprom.load(memory)
    let bench = Bench(card)
    let turns = try capture("stm32-i2c").turns
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    for turn in turns.prefix(4) {
      #expect(bench.send(Hex.string(turn.sent)) == Hex.string(turn.received))
    }
    #expect(bench.send(Hex.string(turns[4].sent)).hasSuffix("0000ff03fdd54100ea00"))
    let read = Hex.string(Frame.command([0x40, 0x01, 0x30, 0x1F]).serialize())
    #expect(bench.send(read) == Hex.string(turns[4].received))
    bench.field.remove()
    #expect(bench.send(Hex.string(turns[5].sent)) == Hex.string(turns[5].received))
  }

  @Test("an NTAG216 with AUTH0 = E3h: the same commands through InCommunicateThru")
  func protectedTag() throws {
    let tag = try TagCatalog.tag("ntag216", uid: Self.uid7)
    var memory = tag.eeprom.bytes
    memory.replaceSubrange(
      12..<24, with: try Hex.bytes("e1106d00030ad101065402656e4c6c6c").prefix(12))
    memory.replaceSubrange(24..<28, with: try Hex.bytes("6e4c6c6c"))
    memory.replaceSubrange(
      227 * 4..<231 * 4, with: try Hex.bytes("040000e3000500004e45585400000000"))
    tag.eeprom.load(memory)
    let bench = Bench(tag)
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    for turn in try capture("momentum-538").turns {
      #expect(bench.ask("42" + Hex.string(turn.sent)).hasPrefix("4300" + Hex.string(turn.received)))
    }
  }

  @Test("PN533: its host's frames are understood; only it puts a status before registers")
  func pn533() throws {
    let bench = Bench()
    bench.field.remove()
    for turn in try capture("libnfc-617").turns {
      let answer = try Hex.bytes(bench.send(Hex.string(turn.sent)))
      var parser = FrameParser()
      guard case .frame(.answer(let payload)) = parser.feed(answer).last else {
        Issue.record("no answer to \(Hex.string(turn.sent))")
        continue
      }
      #expect(payload[0] == turn.sent[6] + 1)
    }
    // The 7-bit REQA of the capture: nobody answers here either.
    #expect(bench.ask("4226") == "4301")
  }

  @Test("NACK brings the last answer again (there a PN533's, here our own)")
  func nack() throws {
    let turns = try capture("ggroups-ynnIZX5LpiA").turns
    let bench = Bench()
    #expect(bench.send(Hex.string(turns[0].sent)).isEmpty)
    let answer = "0000ff06fad50332010607e800"
    #expect(bench.send(Hex.string(turns[1].sent)) == "0000ff00ff00" + answer)
    #expect(bench.send(Hex.string(turns[2].sent)) == answer)
  }

  @Test(
    "card emulation: commands are taken; as nobody ever activates the board, it waits",
    arguments: ["seeed-30", "so-24777810"])
  func emulation(id: String) throws {
    let bench = Bench()
    for turn in try capture(id).turns {
      let command = turn.sent.first == 0xD4 ? Array(turn.sent.dropFirst()) : turn.sent
      let outcome = bench.chip.process(command: command)
      switch command[0] {
      case 0x8C:
        #expect(outcome == .pending)
        // It sleeps now; there a reader woke it, here the host does.
        bench.chip.wakeUp()
      case 0x86, 0x8E:
        let statuses: [UInt8] = [0x25, 0x27]
        #expect(statuses.contains { outcome == .answer([command[0] + 1, $0]) })
      default:
        guard case .answer(let bytes) = outcome else {
          Issue.record("\(Hex.string(command)): \(outcome)")
          continue
        }
        #expect(bytes[0] == command[0] + 1)
      }
    }
  }
}
