import Testing

@testable import Bench
@testable import LibNFCReaders

@Suite("Choosing a reader")
struct ReaderChoiceTests {
  private func reader(
    _ connection: String, _ attachment: ReaderDescription.Attachment = .usbSerial
  ) -> ReaderDescription {
    ReaderDescription(connection: connection, attachment: attachment, device: "/dev/x")
  }

  @Test("the only reader is taken, bare UARTs aside")
  func onlyOne() throws {
    let found = [reader("pn532_uart:/dev/ttyUSB0"), reader("pn532_uart:/dev/ttyS0", .uart)]
    #expect(try ReaderChoice.only(of: found) == "pn532_uart:/dev/ttyUSB0")
  }

  @Test("of several readers none is taken: all are listed")
  func several() {
    let failure = #expect(throws: BenchError.self) {
      try ReaderChoice.only(of: [
        reader("acr122_usb:001:002", .usb), reader("pn532_uart:/dev/ttyUSB0"),
      ])
    }
    #expect(
      failure
        == BenchError(
          .unavailable, "2 readers were found: acr122_usb:001:002, pn532_uart:/dev/ttyUSB0.",
          [.nameReader]))
  }

  @Test("without a reader the ports that may have one are listed")
  func none() {
    let failure = #expect(throws: BenchError.self) {
      try ReaderChoice.only(of: [reader("pn532_uart:/dev/ttyS0", .uart)])
    }
    #expect(failure?.code == .unavailable)
    #expect(failure?.reason.contains("pn532_uart:/dev/ttyS0") == true)
  }

  @Test("a name that is no reader is blamed on where it was given")
  func badNames() {
    for name in ["sim:", "sim:ntag999", "sim:ntag213,colour=red", "bogus:x", "pn532_uart"] {
      let typed = #expect(throws: BenchError.self) { try ReaderChoice(named: name) }
      #expect(typed?.code == .usage, "\(name)")
      #expect(typed?.blaming(.configuration).code == .configuration, "\(name)")
      let alias = #expect(throws: BenchError.self) {
        try ReaderChoice(named: "left", aliases: ["left": name])
      }
      #expect(alias?.code == .configuration, "\(name)")
    }
  }

  @Test("a device that is not plugged in is unavailable, wherever it was named")
  func absent() {
    let error = #expect(throws: BenchError.self) { try ReaderChoice(named: "usb:9-9.9") }
    #expect(error?.code == .unavailable)
    #expect(error?.blaming(.configuration).code == .unavailable)
  }
}
