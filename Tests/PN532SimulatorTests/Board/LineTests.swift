import Bytes
import PN532
import PN532Simulator
import Testing

@Suite("The serial line, UM0701-02 6.2 and 7.2.6")
struct LineTests {
  private let version = Hex.string(Command.getFirmwareVersion.framed)
  private let ack = Hex.string(Frame.ack.serialize())
  private let versionAnswer = Hex.string(Frame.answer([0x03, 0x32, 1, 6, 7]).serialize())

  @Test("SetSerialBaudRate answers at the old speed; both sides switch after the host's ACK")
  func handshake() {
    let bench = Bench()
    let command = Hex.string(Command.setSerialBaudRate(.baud921600).framed)
    #expect(bench.send(command) == ack + Hex.string(Frame.answer([0x11]).serialize()))
    #expect(bench.chip.speed == .baud115200)
    #expect(bench.send(ack).isEmpty)
    #expect(bench.chip.speed == .baud921600)
    #expect(bench.send(version).isEmpty)
    #expect(bench.send(version, speed: .baud921600) == ack + versionAnswer)
  }

  @Test("a chip that never sees the ACK stays at its speed")
  func handshakeBroken() {
    let bench = Bench()
    _ = bench.send(Hex.string(Command.setSerialBaudRate(.baud460800).framed))
    #expect(bench.send(version) == ack + versionAnswer)
    #expect(bench.send(ack).isEmpty)
    #expect(bench.chip.speed == .baud115200)
  }

  @Test("the ACK of the handshake may come when the host's side has switched already")
  func handshakeRace() {
    let bench = Bench()
    _ = bench.send(Hex.string(Command.setSerialBaudRate(.baud230400).framed))
    #expect(bench.send(ack, speed: .baud230400).isEmpty)
    #expect(bench.chip.speed == .baud230400)
  }

  @Test(
    "other frames do not pass at the announced speed, unless the host's flush may have cost the ACK"
  )
  func handshakeFlushed() {
    let bench = Bench()
    _ = bench.send(Hex.string(Command.setSerialBaudRate(.baud921600).framed))
    #expect(bench.send(version, speed: .baud921600).isEmpty)
    #expect(bench.chip.speed == .baud115200)
    bench.line.hostFlushes()
    #expect(bench.send(version, speed: .baud921600) == ack + versionAnswer)
    #expect(bench.chip.speed == .baud921600)
    bench.line.hostFlushes()
    #expect(bench.send(version, speed: .baud9600).isEmpty)
  }

  @Test("a frame may come in any pieces, damage is not acknowledged")
  func pieces() throws {
    let bench = Bench()
    let bytes = Command.getFirmwareVersion.framed
    let answers = bytes.map { bench.send(Hex.byte($0)) }
    #expect(answers.joined() == ack + versionAnswer)
    var damaged = bytes
    damaged[6] ^= 0x10
    #expect(bench.send(Hex.string(damaged)).isEmpty)
    #expect(bench.send(version) == ack + versionAnswer)
  }

  @Test("a frame that breaks off at another speed leaves nothing behind")
  func brokenOff() {
    let bench = Bench()
    #expect(bench.send("0000ff02fed4").isEmpty)
    #expect(bench.send("00", speed: .baud9600).isEmpty)
    #expect(bench.send(version) == ack + versionAnswer)
  }

  @Test("the error frame answers what is no command")
  func errorFrame() {
    let frame = Hex.string(Frame.command([0x18]).serialize())
    #expect(Bench().send(frame) == ack + "0000ff01ff7f8100")
  }

  @Test("answers above 254 bytes take the extended form")
  func extended() {
    let text = [UInt8](repeating: 0x41, count: 262)
    let answer = Bench().send(Hex.string(Command.lineTest(text).framed))
    #expect(answer.hasPrefix(ack + "0000ffffff0109f6d50100"))
  }
}
