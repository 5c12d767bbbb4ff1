import Foundation
import PN532
import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import LibNFCReaders

/// All that drive libnfc run one after another: what they measure is time.
@Suite("A board behind the real libnfc", .serialized)
struct BoardTests {}

extension BoardTests {
  @Suite("opening and closing", .serialized)
  struct Opening {
    @Test("names the chip, raises the line to 921600 baud and brings it home again")
    func openAndClose() throws {
      let bench = try Bench("ntag213")
      let link = try LibNFCLink(opening: bench.path)
      #expect(link.firmware.description == "PN532 v1.6")
      #expect(link.speed == .baud921600)
      #expect(bench.chipSpeed == .baud921600)
      #expect(link.name == bench.path)
      link.close()
      #expect(bench.chipSpeed == .baud115200)
      #expect(throws: ReaderError.boardLost(reader: bench.path)) {
        try link.transceive([0x02], timeout: .milliseconds(100))
      }
    }

    @Test("takes few commands, both ways")
    func commands() throws {
      let bench = try Bench("ntag213")
      let count = try bench.commands { try bench.open().close() }
      #expect(count <= 40)
    }

    @Test(
      "keeps to the speed it is told", arguments: [LinkSpeed.baud115200, .baud230400, .baud57600])
    func fixedSpeed(speed: LinkSpeed) throws {
      let bench = try Bench("ntag213")
      let link = try LibNFCLink(opening: bench.path, speed: .fixed(speed))
      #expect(link.speed == speed && bench.chipSpeed == speed)
      link.close()
      #expect(bench.chipSpeed == .baud115200)
    }

    @Test("works again after closing, and after a reader was just dropped")
    func again() throws {
      let bench = try Bench("ntag213")
      try bench.open().close()
      do { _ = try bench.open().look() }
      #expect(bench.chipSpeed == .baud115200)
      let reader = try bench.open()
      #expect(try reader.look().count == 1)
      reader.close()
    }

    @Test(
      "finds a board that a dead program left at another speed",
      arguments: [LinkSpeed.baud921600, .baud230400])
    func leftBehind(speed: LinkSpeed) throws {
      let bench = try Bench("ntag213")
      bench.leave(at: speed)
      let reader = try bench.open()
      #expect(try reader.look().count == 1)
      reader.close()
      #expect(bench.chipSpeed == .baud115200)
    }

    @Test("sees a tag that a dead program left selected in a field that is still on")
    func leftSelected() throws {
      let bench = try Bench("classic1k")
      bench.board.exclusively { chip in
        chip.wakeUp()
        // Found beside no other, which halts it, then woken to be read: at the next REQA it falls
        // back to HALT.
        for command in [
          Command.samConfiguration(), .activationRetries(passive: 1), .listTypeA(limit: 2),
          .inDataExchange([0x30, 0x00]),
        ] {
          _ = chip.process(command: command.bytes)
        }
      }
      bench.leave(at: .baud921600)
      let reader = try bench.open()
      #expect(try reader.look().count == 1)
      reader.close()
    }

    @Test("meets and leaves a board at the connection string's speed")
    func home() throws {
      let bench = try Bench("ntag213")
      bench.leave(at: .baud230400)
      let link = try LibNFCLink(opening: "pn532_uart:\(bench.path):230400")
      #expect(bench.chipSpeed == .baud921600)
      link.close()
      #expect(bench.chipSpeed == .baud230400)
    }

    @Test("goes through a symbolic link")
    func symbolicLink() throws {
      let bench = try Bench("ntag213")
      let tree = try FixtureTree()
      let name = "\(tree.root)/usb-0:1:9600"
      try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: bench.path)
      let reader = TagReader(link: try LibNFCLink(opening: "pn532_uart:\(name)"))
      #expect(try reader.look().count == 1)
      reader.close()
    }

    @Test("is refused while another holds the port, who is named, and not a moment longer")
    func busy() throws {
      let bench = try Bench("ntag213")
      let first = try bench.open()
      let error = #expect(throws: ReaderError.self) { _ = try bench.open() }
      guard case .busy(bench.path, let holder?) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(holder.hasPrefix("process \(getpid()) ("))
      #expect(try first.look().count == 1)
      first.close()
      try bench.open().close()
    }

    @Test("says after few commands that a hung board is silent")
    func dead() throws {
      let bench = try Bench("ntag213")
      bench.board.exclusively { $0.hang() }
      let count = bench.commands {
        #expect(throws: ReaderError.boardSilent(reader: bench.path)) { _ = try bench.open() }
      }
      #expect(count <= 40)
      // Nothing is left locked.
      bench.board.exclusively { $0.powerCycle() }
      try bench.open().close()
    }

    @Test("works through two contexts at once, and one closing leaves the other alone")
    func twoBoards() throws {
      let (one, two) = (try Bench("ntag213"), try Bench("classic1k"))
      let (first, second) = (try one.open(), try two.open())
      #expect(try first.look().map(\.sak) == [0x00])
      first.close()
      #expect(try second.look().map(\.sak) == [0x08])
      let third = try one.open()
      #expect(try third.look().count == 1)
      for reader in [second, third] { reader.close() }
    }

    @Test("leaves the terminal as it was")
    func settings() throws {
      let bench = try Bench("ntag213")
      func current() -> [UInt] {
        let descriptor = unsafe Glibc.open(bench.path, O_RDWR | O_NOCTTY)
        defer { Glibc.close(descriptor) }
        var settings = termios()
        unsafe tcgetattr(descriptor, &settings)
        return unsafe [
          UInt(settings.c_iflag), UInt(settings.c_oflag), UInt(settings.c_cflag),
          UInt(settings.c_lflag), UInt(cfgetospeed(&settings)),
        ]
      }
      let before = current()
      try bench.open().close()
      #expect(current() == before)
    }
  }
}
