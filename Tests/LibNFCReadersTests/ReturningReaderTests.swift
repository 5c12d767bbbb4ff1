import PN532Simulator
import Readers
import Synchronization
import TagMemory
import Testing

@testable import LibNFCReaders

@Suite("Readers that are unplugged and return")
struct ReturningReaderTests {
  private func adapter(
    _ name: String, serial: String?, port: String, interface: Int = 0
  ) -> ReaderDescription {
    var reader = ReaderDescription(
      connection: "pn532_uart:/dev/\(name)", attachment: .usbSerial, device: "/dev/\(name)")
    reader.usb = USBIdentity(
      vendor: 0x0403, product: 0x6001, serialNumber: serial, portPath: port, interface: interface)
    return reader
  }

  @Test("A serial number of its own identifies an adapter in whatever socket it returns to")
  func serialNumber() {
    let before = [
      adapter("ttyUSB0", serial: "A1", port: "1-1"), adapter("ttyUSB1", serial: "B2", port: "1-2"),
    ]
    let identity = ReaderIdentity(of: before[0], among: before)
    let after = [
      adapter("ttyUSB0", serial: "B2", port: "1-1"), adapter("ttyUSB7", serial: "A1", port: "2-4"),
    ]
    #expect(after.filter(identity.matches).map(\.device) == ["/dev/ttyUSB7"])
  }

  @Test(
    "Without a serial number, or with one that is shared, the socket identifies it",
    arguments: [nil, "0001", ""])
  func socket(serial: String?) {
    let before = [
      adapter("ttyUSB0", serial: serial, port: "1-1"),
      adapter("ttyUSB1", serial: serial, port: "1-2"),
    ]
    let identity = ReaderIdentity(of: before[1], among: before)
    let after = [
      adapter("ttyUSB1", serial: serial, port: "1-1"),
      adapter("ttyUSB0", serial: serial, port: "1-2"),
    ]
    #expect(after.filter(identity.matches).map(\.device) == ["/dev/ttyUSB0"])
  }

  @Test("The two ports of one adapter are not confused")
  func interfaces() {
    let both = [
      adapter("ttyUSB0", serial: "A1", port: "1-1", interface: 0),
      adapter("ttyUSB1", serial: "A1", port: "1-1", interface: 1),
    ]
    let identity = ReaderIdentity(of: both[1], among: both)
    #expect(both.filter(identity.matches).map(\.device) == ["/dev/ttyUSB1"])
  }

  @Test("A USB reader is found under its new bus address, with the name the operator gave")
  func usbAddress() throws {
    let address = Mutex<UInt8>(5)
    let discovery = Discovery(
      sysfs: "/nonexistent", dev: "/nonexistent",
      usbDevices: {
        address.withLock {
          [USBDevice(bus: 1, address: $0, ports: [2], vendor: 0x072F, product: 0x2200)]
        }
      }, isAccessible: { _ in true })
    let reader = ReturningReader(try ConnectionString("acr122_usb:001:005"), discovery: discovery)
    #expect(
      reader.identity == .port("1-2", vendor: 0x072F, product: 0x2200, interface: nil))
    address.withLock { $0 = 9 }
    let now = try #require(reader.connectionNow)
    #expect(now.text == "acr122_usb:001:005")
    #expect(now.location == "001:009")
  }

  @Test("A tag is read on through the reader's return, and the chip is set up anew")
  func readOn() throws {
    let tree = try FixtureTree()
    let link = "\(tree.root)/board"
    let board = SimulatedBoard(field: Field([[try TagCatalog.tag("ntag213", index: 0)]]))
    try board.start(link: link)
    let returning = ReturningReader(try ConnectionString(link))
    let reader = TagReader(link: try returning.open())
    let uid = try reader.select().uid
    board.unplug()
    #expect(throws: ReaderError.boardLost(reader: link)) { _ = try reader.look() }
    reader.close()
    #expect(returning.connectionNow == nil)
    #expect(throws: ReaderError.boardLost(reader: link)) {
      _ = try returning.reopen(patience: .milliseconds(1))
    }
    var reasons: [ReaderError] = []
    var looks = 0
    let back = try returning.reopen(
      patience: .seconds(10),
      shouldStop: {
        looks += 1
        if looks == 3 { _ = try? board.start(link: link) }
        return false
      }, onObstacle: { reasons.append($0) })
    #expect(reasons == [.boardLost(reader: link)])
    reader.takeUp(back)
    #expect(try reader.select().uid == uid)
    reader.close()
    board.stop()
  }

  @Test("Waiting for a reader ends when somebody asks for the end")
  func interrupted() throws {
    let returning = ReturningReader(try ConnectionString("/nonexistent/board"))
    #expect(throws: ReaderError.interrupted) {
      _ = try returning.reopen(patience: nil, shouldStop: { true })
    }
  }
}
