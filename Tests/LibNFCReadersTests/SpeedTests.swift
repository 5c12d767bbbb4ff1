import Foundation
import PN532
import PN532Simulator
import Readers
import Testing

@testable import LibNFCReaders

extension BoardTests {
  @Suite("the line's speed", .serialized)
  struct Speed {
    @Test("A wire that is good for short frames only is driven at a speed that carries long ones")
    func longFrames() throws {
      let bench = try Bench(spec: "ntag216,longframes=damaged")
      let count = try bench.commands {
        let link = try LibNFCLink(opening: bench.path)
        #expect(link.speed == .baud230400 && bench.chipSpeed == .baud230400)
        link.close()
      }
      #expect(count <= 80)
      #expect(bench.chipSpeed == .baud115200)
    }

    @Test("A speed that the operator names is taken, be the line as it may")
    func explicit() throws {
      let bench = try Bench(spec: "ntag213,longframes=damaged")
      let link = try LibNFCLink(opening: bench.path, speed: .fixed(.baud921600))
      #expect(link.speed == .baud921600)
      #expect(link.automaticSpeed == nil)
      // Nor is it left by itself.
      link.slowDown()
      #expect(link.speed == .baud921600)
      link.close()
    }

    @Test("A speed in the connection string is taken once it has carried long frames")
    func inConnectionString() throws {
      let bench = try Bench("ntag213")
      for _ in 1...2 {
        // Raised the first time; found there the second.
        let link = try LibNFCLink(
          opening: "pn532_uart:\(bench.path):460800", speed: .fixed(.baud460800))
        #expect(link.speed == .baud460800)
        #expect(try TagReader(link: link).select().sak == 0x00)
        link.close()
        #expect(bench.chipSpeed == .baud460800)
      }
    }

    @Test(
      "One that the line does not carry is refused, and the board answers at the old one",
      arguments: [LinkSpeed.baud115200, .baud460800])
    func badConnectionString(found: LinkSpeed) throws {
      let bench = try Bench(spec: "ntag213,longframes=damaged")
      bench.leave(at: found)
      let name = "pn532_uart:\(bench.path):460800"
      let expected = ReaderError.cannotOpen(
        reader: name, reason: "the board or its port does not work at 460800 baud")
      #expect(throws: expected) { try LibNFCLink(opening: name) }
      #expect(bench.chipSpeed == .baud115200)
      let link = try LibNFCLink(opening: bench.path, speed: .fixed(.baud115200))
      link.close()
    }

    @Test("A line that fails in the middle of the work is brought home, and the work goes on")
    func slowDown() throws {
      let bench = try Bench("ntag213")
      let link = try LibNFCLink(opening: bench.path)
      let reader = TagReader(link: link)
      let tag = try reader.select()
      #expect(reader.speed == .baud921600)
      link.slowDown()
      #expect(reader.speed == .baud115200 && bench.chipSpeed == .baud115200)
      #expect(try reader.readPages(from: 0).count == 16)
      try reader.reselect(tag)
      link.slowDown()
      reader.close()
      #expect(bench.chipSpeed == .baud115200)
    }

    @Test("A board that hangs while its line is slowed down is silent, after few commands")
    func slowDownHanging() throws {
      let bench = try Bench("ntag213")
      let link = try LibNFCLink(opening: bench.path)
      bench.board.exclusively { $0.hang() }
      #expect(bench.commands { link.slowDown() } <= 20)
      #expect(link.speed == .baud921600)
      link.close()
    }

    @Test("A line that was proven is not proven again where it is known by a name that lasts")
    func proven() throws {
      let tree = try FixtureTree()
      let memory = AdapterMemory(path: "\(tree.root)/state/nfcprog/lost-boards")
      let bench = try Bench("ntag213")
      let name = "\(tree.root)/bench-1"
      try FileManager.default.createSymbolicLink(
        atPath: name, withDestinationPath: bench.path)
      func open(_ name: String, _ speed: LineSpeed = .automatic) throws -> Int {
        try bench.commands {
          let link = try LibNFCLink(opening: name, speed: speed, memory: memory)
          #expect(link.speed == .baud921600)
          link.close()
        }
      }
      // A board whose power comes on wakes up in other ways.
      _ = try open(bench.path)
      let whole = try open(bench.path)
      #expect(memory.provenLines.isEmpty, "what is another line tomorrow is not remembered")
      #expect(try open(name, .fixed(.baud921600)) == whole - 1)
      #expect(memory.provenLines.isEmpty, "a speed that was asked for is not proven")
      #expect(try open(name) == whole)
      #expect(memory.provenLines == ["921600 port \(name)"])
      #expect(try open(name) == whole - 1)
    }

    @Test("A line that was proven and damages a frame is proven again at once, and by the next run")
    func distrusted() throws {
      let tree = try FixtureTree()
      let memory = AdapterMemory(path: "\(tree.root)/lost-boards")
      let bench = try Bench(spec: "ntag216,longframes=damaged")
      let name = "\(tree.root)/bench-1"
      try FileManager.default.createSymbolicLink(
        atPath: name, withDestinationPath: bench.path)
      memory.note(proof: "port \(name)", bitsPerSecond: 921_600)
      let link = try LibNFCLink(opening: name, memory: memory)
      #expect(link.speed == .baud921600)
      let reader = TagReader(link: link)
      _ = try reader.select()
      #expect(link.speed == .baud921600)
      #expect(throws: ReaderError.self) {
        try link.transceive(
          Command.lineTest([UInt8](repeating: 0x5A, count: 100)).bytes,
          timeout: .milliseconds(200))
      }
      #expect(try reader.readPages(from: 4).count == 16)
      #expect(link.speed == .baud115200 && bench.chipSpeed == .baud115200)
      #expect(memory.provenLines.isEmpty)
      reader.close()
      let next = try LibNFCLink(opening: name, memory: memory)
      #expect(next.speed == .baud230400)
      next.close()
      #expect(memory.provenLines.isEmpty, "a line that is slower than others is proven each time")
    }

    @Test("A board that an adapter loses is told of, remembered, and not lost a second time")
    func lost() throws {
      let tree = try FixtureTree()
      let memory = AdapterMemory(path: "\(tree.root)/state/nfcprog/lost-boards")
      let bench = try Bench(spec: "ntag213,baudmax=115200")
      let expected = ReaderError.cannotOpen(
        reader: bench.path,
        reason:
          "the board was set to 921600 baud, which its adapter does not support; now it answers at no speed; unplug the board for a moment, then run the command again at 115200 baud; from now on this line keeps its usual speed"
      )
      let count = bench.commands {
        #expect(throws: expected) { try LibNFCLink(opening: bench.path, memory: memory) }
      }
      #expect(count <= 60)
      bench.board.exclusively { $0.powerCycle() }
      for speed in [LineSpeed.automatic, .fixed(.baud115200), .automatic] {
        let link = try LibNFCLink(opening: bench.path, speed: speed, memory: memory)
        #expect(link.speed == .baud115200)
        if speed == .automatic {
          #expect(link.automaticSpeed == .stays(.hasLostBoard(bitsPerSecond: 921_600)))
        }
        link.close()
      }
      // Another board is another story.
      let other = try Bench("ntag213")
      let link = try LibNFCLink(opening: other.path, memory: memory)
      #expect(link.speed == .baud921600 && link.automaticSpeed == .raises)
      link.close()
    }

    @Test("What is not remembered is not promised")
    func lostWithoutMemory() throws {
      let bench = try Bench(spec: "ntag213,baudmax=115200")
      for memory in [nil, AdapterMemory(path: "/dev/null/lost-boards")] {
        let error = #expect(throws: ReaderError.self) {
          try LibNFCLink(opening: bench.path, memory: memory)
        }
        #expect(error?.description.hasSuffix("again at 115200 baud") == true)
        bench.board.exclusively { $0.powerCycle() }
      }
    }

    @Test("A checkup that loses a board says that it did")
    func checkup() throws {
      let bench = try Bench(spec: "ntag213,baudmax=115200")
      let reader = ReaderDescription(
        connection: "pn532_uart:\(bench.path)", attachment: .usbSerial, device: bench.path)
      #expect(Checkup(reader).obstacle == .lostAt(bitsPerSecond: 921_600))
    }

    @Test("A speed that the operator names and that holds ends the memory of a loss")
    func forgiven() throws {
      let tree = try FixtureTree()
      let memory = AdapterMemory(path: "\(tree.root)/lost-boards")
      let bench = try Bench("ntag213")
      let name = "\(tree.root)/board"
      try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: bench.path)
      memory.note(loss: "port \(name)", bitsPerSecond: 921_600)
      for (speed, reached) in [
        (LineSpeed.automatic, LinkSpeed.baud115200), (.fixed(.baud460800), .baud460800),
        (.automatic, .baud921600),
      ] {
        let link = try LibNFCLink(opening: name, speed: speed, memory: memory)
        #expect(link.speed == reached)
        link.close()
      }
    }

    @Test(
      "A board that hangs as it is told a speed is silent, and nothing is held against its adapter")
    func hanging() throws {
      let tree = try FixtureTree()
      let memory = AdapterMemory(path: "\(tree.root)/lost-boards")
      let trial = try Bench("ntag213")
      let link = try LibNFCLink(opening: trial.path, speed: .fixed(.baud115200))
      var plan = FaultPlan()
      // Behind it libnfc sets registers, and the chip is asked for its firmware and settings.
      plan.commands = [(.at(trial.board.places.commands - 4), .hang)]
      link.close()
      let bench = try Bench("ntag213", faults: plan)
      #expect(throws: ReaderError.boardSilent(reader: bench.path)) {
        try LibNFCLink(opening: bench.path, memory: memory)
      }
      #expect(!FileManager.default.fileExists(atPath: memory.path))
    }

    @Test("An adapter may need a second before its first byte", arguments: [400, 1000, 1200])
    func patience(milliseconds: Int) throws {
      let bench = try Bench(spec: "ntag213,firstbyte=\(milliseconds)")
      let reader = try bench.open()
      #expect(try reader.look().count == 1)
      reader.close()
    }
  }
}

@Suite("What --baud auto does on which line")
struct AutomaticSpeedTests {
  private func port(
    _ driver: String?, _ attachment: ReaderDescription.Attachment = .usbSerial
  ) -> ReaderDescription {
    var port = ReaderDescription(
      connection: "pn532_uart:/dev/ttyUSB0", attachment: attachment, device: "/dev/ttyUSB0")
    port.driver = driver
    port.usb = USBIdentity(vendor: 0x1A86, product: 0x7523, portPath: "1-3.1")
    return port
  }

  #if os(Linux)
    @Test("It raises lines whose driver is known to hold the speed, and no others")
    func drivers() {
      let kernel = KernelRelease("6.1.0-18-amd64")
      let decide = { AutomaticSpeed(self.port($0, $1), memory: nil, kernel: kernel) }
      for driver in ["ftdi_sio", "cp210x", "ch341"] {
        #expect(decide(driver, .usbSerial) == .raises)
      }
      #expect(decide("uart-pl011", .uart) == .raises)
      for driver in ["cdc_acm", "pl2303", "option", "bcm2835-aux-uart", nil] {
        #expect(decide(driver, .uart) == .stays(.unknownDriver(driver)))
      }
      for attachment in [ReaderDescription.Attachment.usb, .i2c, .spi] {
        #expect(decide("ftdi_sio", attachment) == nil)
      }
    }

    @Test("The driver of the CH340 is trusted from Linux 5.5 on")
    func kernels() {
      for (release, isGood) in [
        ("4.19.0", false), ("5.4.0-150-generic", false), ("5.5.0", true), ("5.10.1", true),
        ("6.1", true), ("10.0-rc1", true),
      ] {
        let decision = AutomaticSpeed(
          port("ch341"), memory: nil, kernel: KernelRelease(release))
        #expect((decision == .raises) == isGood, "\(release)")
      }
      #expect(AutomaticSpeed(port("ch341"), memory: nil, kernel: nil) != .raises)
      for text in ["", "6", "x.y", "6.", ".1"] { #expect(KernelRelease(text) == nil) }
    }
  #endif

  @Test("An adapter that has lost a board is remembered by its serial number or socket")
  func memory() throws {
    let tree = try FixtureTree()
    let memory = AdapterMemory(path: "\(tree.root)/new/state/nfcprog/lost-boards")
    let socket = port("ftdi_sio")
    #expect(memory.speed(thatLost: AdapterMemory.key(of: socket)) == nil)
    memory.note(loss: AdapterMemory.key(of: socket), bitsPerSecond: 460_800)
    memory.note(loss: AdapterMemory.key(of: socket), bitsPerSecond: 921_600)
    var numbered = socket
    numbered.usb?.serialNumber = "A50285BI"
    #expect(AutomaticSpeed(numbered, memory: memory, kernel: nil) == .raises)
    memory.note(loss: AdapterMemory.key(of: numbered), bitsPerSecond: 921_600)
    #expect(
      FileSystem.text(of: memory.path)
        == "460800 usb 1a86:7523 1-3.1\n921600 usb 1a86:7523 1-3.1\n921600 usb 1a86:7523 A50285BI")
    #expect(
      AutomaticSpeed(socket, memory: memory, kernel: nil)
        == .stays(.hasLostBoard(bitsPerSecond: 921_600)))
    memory.forget(AdapterMemory.key(of: socket))
    #expect(FileSystem.text(of: memory.path) == "921600 usb 1a86:7523 A50285BI")
    #expect(AutomaticSpeed(socket, memory: memory, kernel: nil) == .raises)
  }

  @Test(
    "A file that cannot be read or written is as good as none",
    arguments: ["", "\u{0}\n \n921600\nx y"])
  func damagedMemory(text: String) throws {
    let tree = try FixtureTree()
    try tree.file("lost-boards", text)
    for path in ["lost-boards", "no/such", ""] {
      let memory = AdapterMemory(path: "\(tree.root)/\(path)")
      #expect(memory.speed(thatLost: "port x\ny") == nil)
      memory.forget("port x\ny")
    }
    let nowhere = AdapterMemory(path: "/dev/null/state/lost-boards")
    nowhere.note(loss: "port x", bitsPerSecond: 9600)
    #expect(nowhere.speed(thatLost: "port x") == nil)
  }
}

extension AdapterMemory {
  /// The lines of the file of lines that were proven.
  fileprivate var provenLines: [String] {
    let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
    return FileSystem.text(of: folder + "proven-lines")?
      .split(separator: "\n").map(String.init) ?? []
  }
}
