import Testing

@testable import LibNFCReaders
@testable import nfcprog

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
    #expect(try ReaderChoice.onlyOne(of: found) == "pn532_uart:/dev/ttyUSB0")
  }

  @Test("of several readers none is taken: all are listed")
  func several() {
    let failure = #expect(throws: CommandFailure.self) {
      try ReaderChoice.onlyOne(of: [
        reader("acr122_usb:001:002", .usb), reader("pn532_uart:/dev/ttyUSB0"),
      ])
    }
    #expect(failure?.status == .unavailable)
    #expect(
      failure?.message
        == "2 readers were found: acr122_usb:001:002, pn532_uart:/dev/ttyUSB0. "
        + "Name one with --reader or NFCPROG_READER.")
  }

  @Test("without a reader the ports that may have one are listed")
  func none() {
    let failure = #expect(throws: CommandFailure.self) {
      try ReaderChoice.onlyOne(of: [reader("pn532_uart:/dev/ttyS0", .uart)])
    }
    #expect(failure?.status == .unavailable)
    #expect(failure?.message.contains("pn532_uart:/dev/ttyS0") == true)
  }

  @Test("a name that is no reader has the status of where it was given")
  func badNames() {
    for name in ["sim:", "sim:ntag999", "sim:ntag213,colour=red", "bogus:x", "pn532_uart"] {
      for status in [ExitStatus.usage, .configuration] {
        let failure = #expect(throws: CommandFailure.self) {
          try ReaderChoice(name: name, orElse: status)
        }
        #expect(failure?.status == status, "\(name)")
      }
    }
  }
}
