import PN532
import Readers
import Synchronization
import Testing

@testable import LibNFCReaders
@testable import PN532Simulator

/// Something on a serial line that is no simulated board: `answer` gets what was sent and says what
/// comes back.
private final class Impostor: Sendable {
  let terminal: PseudoTerminal
  private let alarm: Alarm
  private let worker: Worker
  private let end = Flag()

  private final class Flag: Sendable { let isSet = Atomic(false) }

  init(_ answer: @escaping @Sendable ([UInt8]) -> [UInt8]) throws {
    let terminal = try PseudoTerminal()
    let alarm = try Alarm()
    (self.terminal, self.alarm) = (terminal, alarm)
    worker = try Worker { [end] in
      while !end.isSet.load(ordering: .relaxed) {
        terminal.wait(alarm: alarm.descriptor, timeout: .milliseconds(50))
        if case .sent(let bytes)? = terminal.read() { terminal.write(answer(bytes)) }
      }
    }
  }

  func stop() {
    end.isSet.store(true, ordering: .relaxed)
    alarm.ring()
    worker.join()
  }
}

@Suite("Why a board does not answer")
struct ProbeTests {
  private static let acknowledgement = Frame.ack.serialize()

  private static func contains(_ code: CommandCode, _ bytes: [UInt8]) -> Bool {
    FrameParser.frames(in: bytes).contains {
      if case .command(let command) = $0 { command.first == code.rawValue } else { false }
    }
  }

  private func obstacle(
    _ answer: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) throws -> Obstacle? {
    let impostor = try Impostor(answer)
    defer { impostor.stop() }
    let port = try TerminalPort(locking: impostor.terminal.path, reader: "board")
    return BoardProbe.obstacle(on: port, home: .baud115200)
  }

  @Test("Silence at every speed")
  func silence() throws { #expect(try obstacle { _ in [] } == .silent) }

  @Test("Bytes that are no frames")
  func noise() throws { #expect(try obstacle { _ in [0x80, 0xF8, 0x00, 0x7E] } == .noise) }

  @Test("A line that sends back what it is sent")
  func echo() throws { #expect(try obstacle { $0 } == .echo) }

  @Test("A board that acknowledges commands and answers none")
  func acknowledgements() throws {
    #expect(try obstacle { _ in Self.acknowledgement } == .onlyAcknowledges(overUSB: false))
  }

  @Test("A clone that refuses the short form of SAMConfiguration")
  func refusal() throws {
    let found = try obstacle { bytes in
      let answer: Frame =
        Self.contains(.getFirmwareVersion, bytes) ? .answer([0x03, 0x32, 1, 6, 7]) : .error
      return Self.acknowledgement + answer.serialize()
    }
    #expect(found == .refusesSAM)
  }

  @Test("Another chip of the family, and something else that speaks in frames")
  func otherChips() throws {
    func chip(_ firmware: [UInt8]) throws -> Obstacle? {
      try obstacle { bytes in
        let answer: Frame =
          Self.contains(.getFirmwareVersion, bytes) ? .answer([0x03] + firmware) : .answer([0x15])
        return Self.acknowledgement + answer.serialize()
      }
    }
    #expect(try chip([0x33, 2, 7, 7]) == nil)
    #expect(try chip([4, 2]) == .wrongChip("a PN531"))
    #expect(try chip([0x35, 1, 0, 7]) == .wrongChip("a PN535 v1.0"))
    #expect(try chip([4, 2, 1]) == .wrongChip("something else"))
    #expect(try chip([0x32, 1, 6, 7]) == nil)
  }

  @Test("A simulated board is well, passes its own tests, and says where it was left")
  func health() throws {
    let bench = try Bench("ntag213")
    bench.leave(at: .baud460800)
    var reader = ReaderDescription(
      connection: "pn532_uart:\(bench.path)", attachment: .usbSerial, device: bench.path)
    let checkup = Checkup(reader)
    #expect(checkup.obstacle == nil)
    #expect(checkup.firmware?.description == "PN532 v1.6")
    #expect(checkup.speed == .baud921600)
    #expect(checkup.strayedTo == .baud460800)
    reader.obstacle = .held(by: "process 1 (init)")
    #expect(Checkup(reader).obstacle == reader.obstacle)
  }

  @Test("A checkup names what it finds instead of a board")
  func checkup() throws {
    let impostor = try Impostor { _ in Self.acknowledgement }
    defer { impostor.stop() }
    let path = impostor.terminal.path
    let reader = ReaderDescription(
      connection: "pn532_uart:\(path)", attachment: .usbSerial, device: path)
    #expect(Checkup(reader).obstacle == .onlyAcknowledges(overUSB: false))
  }

  @Test("A USB reader's answers, as frames and in messages of CCID, tell what is wrong with it")
  func usbReplies() {
    let answer = Frame.answer([0x03, 0x33, 2, 7, 7])
    #expect(USBProbe.reply(in: [.ack, answer]) == .answer([0x33, 2, 7, 7]))
    #expect(USBProbe.reply(in: [answer]) == .answer([0x33, 2, 7, 7]))
    #expect(USBProbe.reply(in: [.ack, .answer([0x07, 0])]) == .acknowledgement)
    #expect(USBProbe.reply(in: [.error]) == .nothing)
    func message(_ data: [UInt8], _ kind: UInt8 = 0x80) -> [UInt8] {
      [kind, UInt8(data.count), 0, 0, 0, 0, 1, 0, 0, 0] + data
    }
    let good = message([0xD5, 0x03, 0x32, 1, 6, 7, 0x90, 0x00])
    #expect(USBProbe.reply(inMessage: good) == .answer([0x32, 1, 6, 7]))
    #expect(USBProbe.reply(inMessage: message([0x63, 0x00])) == .acknowledgement)
    #expect(USBProbe.reply(inMessage: message([])) == .acknowledgement)
    #expect(USBProbe.reply(inMessage: message([0x90, 0x00], 0x81)) == .nothing)
    #expect(USBProbe.reply(inMessage: [0x80]) == .nothing)
    #expect(USBProbe.obstacle(firmware: .answer([0x32, 1, 6, 7])) == nil)
    #expect(USBProbe.obstacle(firmware: .answer([4, 2])) == .wrongChip("a PN531"))
    #expect(USBProbe.obstacle(firmware: .acknowledgement) == .onlyAcknowledges(overUSB: true))
    #expect(USBProbe.obstacle(firmware: .nothing) == .takesNothing)
  }

  @Test("Every obstacle has a name of its own and a reason; the remedies name what is in the way")
  func texts() {
    let all: [Obstacle] = [
      .noPermission(path: "/dev/x", group: "dialout"),
      .loginAgain(path: "/dev/x", group: "dialout"),
      .held(by: "process 7 (picocom)"), .kernelDriver("pn533_usb"),
      .noPort(.ch34x, takenBy: "brltty"),

      .noUSB, .silent, .onlyAcknowledges(overUSB: false), .noise, .echo, .refusesSAM,
      .stuck(bitsPerSecond: 9600),
      .lostAt(bitsPerSecond: 921_600),
      .wrongChip("a PN531"), .halfDead("its RAM test fails"), .other("?"),
    ]
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(all.allSatisfy { !$0.reason.isEmpty && !$0.reason.hasSuffix(".") })
    #expect(Obstacle.held(by: "process 7 (picocom)").remedy == "end that program, or: kill 7")
    #expect(
      Obstacle.held(by: "process 812 (pcscd)").remedy
        == "sudo systemctl stop pcscd.socket pcscd")
    #expect(
      Obstacle.held(by: "process 9 (ModemManager)").remedy == "sudo systemctl stop ModemManager")
    #expect(Obstacle.noPort(.ch34x, takenBy: nil).remedy == "sudo modprobe ch341")
  }
}

extension FrameParser {
  fileprivate static func frames(in bytes: [UInt8]) -> [Frame] {
    var parser = FrameParser()
    return parser.feed(bytes).compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
  }
}
