import Foundation
import PN532
import PN532Simulator
import Pace
import Synchronization
import Testing

@Suite("A board on a pseudo-terminal")
struct SimulatedBoardTests {
  private let wakeUp: [UInt8] = [0x55, 0x55] + [UInt8](repeating: 0, count: 14)
  private let ack = Frame.ack.serialize()

  @Test("answers whoever opens the port, one after the other, and keeps its state between them")
  func clients() throws {
    let board = SimulatedBoard(field: Field(TestTag.type2()))
    let path = try board.start()
    for round in 0..<3 {
      let port = try SerialPort(path, baud: 115_200)
      if round == 0 {
        port.write(wakeUp + Command.samConfiguration().framed)
        #expect(port.read(6 + 9) == ack + Frame.answer([0x15]).serialize())
        port.write(Command.writeRegister([(.txAuto, 0x40)]).framed)
        #expect(port.read(6 + 9) == ack + Frame.answer([0x09]).serialize())
      }
      port.write(Command.readRegister([.txAuto]).framed)
      #expect(port.read(6 + 10) == ack + Frame.answer([0x07, 0x40]).serialize())
    }
    #expect(board.statistics.commandCount == 5)
    #expect(board.places.commands == 5)
  }

  @Test("is deaf at another speed, and follows to 921600 after the handshake")
  func speed() throws {
    let heard = Mutex(0)
    let board = SimulatedBoard(
      field: Field(),
      recorder: { frame in
        if frame.direction == .toChip { heard.withLock { $0 += frame.bytes.count } }
      })
    let path = try board.start()
    let slow = try SerialPort(path, baud: 9600)
    let first = wakeUp + Command.samConfiguration().framed
    slow.write(first)
    #expect(slow.read(1, within: 0.1).isEmpty)
    // The line's speed counts at the time when the board looks at it.
    #expect(Pace.wait { heard.withLock { $0 } >= first.count })
    let port = try SerialPort(path, baud: 115_200)
    port.write(wakeUp + Command.samConfiguration().framed)
    #expect(port.read(15).count == 15)
    port.write(Command.setSerialBaudRate(.baud921600).framed)
    #expect(port.read(15) == ack + Frame.answer([0x11]).serialize())
    port.write(ack)
    port.setSpeed(921_600)
    port.write(Command.getFirmwareVersion.framed)
    #expect(port.read(6 + 13) == ack + Frame.answer([0x03, 0x32, 1, 6, 7]).serialize())
    port.setSpeed(115_200)
    port.write(Command.getFirmwareVersion.framed)
    #expect(port.read(1, within: 0.1).isEmpty)
  }

  @Test("in real time a new command and an ACK end what runs, and no stale answer follows")
  func abort() throws {
    let board = SimulatedBoard(field: Field(), realtime: true)
    let port = try SerialPort(try board.start(), baud: 115_200)
    port.write(wakeUp + Command.samConfiguration().framed)
    #expect(port.read(15).count == 15)
    // 200 looks at an empty field take a second.
    port.write(Frame.command([0x32, 0x05, 0xFF, 0x01, 200]).serialize())
    #expect(port.read(15).count == 15)
    let version = ack + Frame.answer([0x03, 0x32, 1, 6, 7]).serialize()
    for isAborted in [false, true] {
      port.write(Command.listTypeA().framed)
      #expect(port.read(6) == ack)
      if isAborted {
        port.write(ack)
        #expect(port.read(1, within: 0.1).isEmpty)
      }
      port.write(Command.getFirmwareVersion.framed)
      #expect(port.read(version.count) == version)
    }
    #expect(port.read(1, within: 1.2).isEmpty)
  }

  @Test("in real time a new command is not kept waiting by one that would take hours")
  func prompt() throws {
    var model = TimeModel()
    model.emptyRequest = .seconds(3600)
    let board = SimulatedBoard(field: Field(), timeModel: model, realtime: true)
    let port = try SerialPort(try board.start(), baud: 115_200)
    port.write(wakeUp + Command.samConfiguration().framed)
    #expect(port.read(15).count == 15)
    port.write(Command.activationRetries(passive: 9).framed)
    #expect(port.read(15).count == 15)
    port.write(Command.listTypeA().framed)
    #expect(port.read(6) == ack)
    port.write(Command.getFirmwareVersion.framed)
    #expect(port.read(19) == ack + Frame.answer([0x03, 0x32, 1, 6, 7]).serialize())
  }

  @Test("a command that waits is answered when a tag is laid down while the board runs")
  func waiting() throws {
    let board = SimulatedBoard(field: Field(count: 1) { _ in [TestTag.type2()] })
    let port = try SerialPort(try board.start(), baud: 115_200)
    board.exclusively { chip in chip.field.remove() }
    port.write(wakeUp + Command.samConfiguration().framed)
    #expect(port.read(15).count == 15)
    port.write(Command.listTypeA().framed)
    #expect(port.read(6) == ack)
    #expect(port.read(1, within: 0.1).isEmpty)
    board.exclusively { chip in chip.field.place([TestTag.type2()]) }
    #expect(port.read(22).count == 22)
  }

  @Test("unplugged, the port hangs up; started again, it has lost its state and keeps its link")
  func unplugged() throws {
    let link = NSTemporaryDirectory() + "board-\(UUID().uuidString)"
    let board = SimulatedBoard(field: Field(TestTag.type2()))
    let path = try board.start(link: link)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
    let port = try SerialPort(link, baud: 115_200)
    port.write(wakeUp + Command.samConfiguration().framed)
    #expect(port.read(15).count == 15)
    board.unplug()
    #expect(board.path == nil)
    #expect(port.isHungUp)
    #expect(throws: (any Error).self) {
      try FileManager.default.destinationOfSymbolicLink(atPath: link)
    }
    try board.start(link: link)
    let again = try SerialPort(link, baud: 115_200)
    again.write(Command.getFirmwareVersion.framed)
    #expect(again.read(1, within: 0.1).isEmpty, "it has to be woken again")
    again.write(wakeUp + Command.getFirmwareVersion.framed)
    #expect(again.read(19).count == 19)
    board.stop()
    #expect(board.exclusively { chip in chip.powerMode } == .awake, "stopping leaves it its power")
  }

  @Test("the fault `unplugged` does the same from within")
  func unplugFault() throws {
    var faults = FaultPlan()
    faults.commands = [(.at(1), .unplugged)]
    let board = SimulatedBoard(field: Field(), faults: faults)
    let port = try SerialPort(try board.start(), baud: 115_200)
    port.write(wakeUp + Command.samConfiguration().framed)
    #expect(port.read(15).count == 15)
    port.write(Command.getFirmwareVersion.framed)
    #expect(port.read(1).isEmpty)
    #expect(port.isHungUp)
    try board.start()
    #expect(board.exclusively { chip in chip.powerMode } == .lowVbat)
  }

  @Test("a link is not laid over a file")
  func linkOverFile() throws {
    let file = NSTemporaryDirectory() + "file-\(UUID().uuidString)"
    try "precious".write(toFile: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: file) }
    let board = SimulatedBoard(field: Field())
    #expect(throws: SimulatorError.link(path: file, errno: EEXIST)) { try board.start(link: file) }
    #expect(board.path == nil)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
    #expect(
      SimulatorError.link(path: "/x", errno: EEXIST).description
        == "the link /x to the simulated board cannot be made (File exists)")
  }

  @Test("in real time an answer takes as long as the model says; otherwise it comes at once")
  func realtime() throws {
    func duration(_ isRealtime: Bool, look: Duration) throws -> Duration {
      var model = TimeModel()
      model.emptyRequest = look
      let board = SimulatedBoard(field: Field(), timeModel: model, realtime: isRealtime)
      let port = try SerialPort(try board.start(), baud: 115_200)
      port.write(wakeUp + Command.samConfiguration().framed)
      _ = port.read(15)
      port.write(Command.activationRetries(passive: 9).framed)
      _ = port.read(15)
      return ContinuousClock().measure {
        // Ten looks at an empty field.
        port.write(Command.listTypeA().framed)
        #expect(port.read(16).count == 16)
      }
    }
    #expect(try duration(true, look: .milliseconds(5)) >= .milliseconds(50))
    // Far less than a look, however busy the machine is.
    #expect(try duration(false, look: .seconds(3600)) < .seconds(3600))
  }

  @Test("an answer can come late, and everything behind it")
  func late() throws {
    var faults = FaultPlan()
    faults.answers = [(.at(1), .late(.seconds(2)))]
    let board = SimulatedBoard(field: Field(), faults: faults)
    let port = try SerialPort(try board.start(), baud: 115_200)
    port.write(wakeUp + Command.samConfiguration().framed)
    _ = port.read(15)
    port.write(Command.getFirmwareVersion.framed)
    #expect(port.read(6) == ack)
    #expect(port.read(1, within: 0.1).isEmpty)
    port.write(Command.getGeneralStatus.framed)
    let rest = port.read(13 + 6 + 12)
    #expect(rest.starts(with: Frame.answer([0x03, 0x32, 1, 6, 7]).serialize() + ack))
  }

  @Test("a recorder sees both directions")
  func recorder() throws {
    let seen = Mutex<[WireFrame]>([])
    let board = SimulatedBoard(
      field: Field(), recorder: { frame in seen.withLock { $0.append(frame) } })
    let port = try SerialPort(try board.start(), baud: 115_200)
    port.write(wakeUp)
    port.write(Command.samConfiguration().framed)
    _ = port.read(15)
    board.stop()
    let frames = seen.withLock { $0 }
    func bytes(_ direction: WireFrame.Direction) -> [UInt8] {
      frames.filter { $0.direction == direction }.flatMap(\.bytes)
    }
    #expect(bytes(.toChip) == wakeUp + Command.samConfiguration().framed)
    #expect(bytes(.toHost) == ack + Frame.answer([0x15]).serialize())
  }

  @Test("many boards may run at once, and start and stop as often as one likes")
  func many() throws {
    let boards = (0..<8).map { _ in SimulatedBoard(field: Field()) }
    for _ in 0..<3 {
      let paths = try boards.map { try $0.start() }
      #expect(Set(paths).count == boards.count)
      for board in boards { board.stop() }
    }
  }
}
