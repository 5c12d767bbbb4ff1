import PN532
import Readers
import Testing

@testable import LibNFCReaders

@Suite("Connection strings")
struct ConnectionStringTests {
  @Test(
    "name a driver, a place and a speed",
    arguments: [
      ("pn532_uart:/dev/ttyUSB0", .pn532UART, "/dev/ttyUSB0", nil),
      ("pn532_uart:/dev/ttyUSB0:115200", .pn532UART, "/dev/ttyUSB0", 115_200),
      ("/dev/ttyACM1", .pn532UART, "/dev/ttyACM1", nil),
      ("./tty", .pn532UART, "./tty", nil),
      (
        "pn532_uart:/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0-port0", .pn532UART,
        "/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0-port0", nil
      ),
      ("pn532_i2c:/dev/i2c-1", .pn532I2C, "/dev/i2c-1", nil),
      ("pn532_spi:/dev/spidev0.0:500000", .pn532SPI, "/dev/spidev0.0", 500_000),
      ("pn53x_usb", .pn53xUSB, nil, nil),
      ("pn53x_usb:", .pn53xUSB, nil, nil),
      ("acr122_usb:001:005", .acr122USB, "001:005", nil),
    ] as [(String, ConnectionString.Driver, String?, Int?)])
  func parsing(
    text: String, driver: ConnectionString.Driver, location: String?, speed: Int?
  ) throws {
    let parsed = try ConnectionString(text)
    #expect(parsed.driver == driver)
    #expect(parsed.location == location)
    #expect(parsed.speed == speed)
    #expect(parsed.text == text)
  }

  @Test("A path that ends in a number after a colon is a path when such a file exists")
  func numberAtTheEnd() throws {
    let tree = try FixtureTree()
    try tree.file("usb-0:2")
    #expect(try ConnectionString("pn532_uart:\(tree.root)/usb-0:2").speed == nil)
    let parsed = try ConnectionString("pn532_uart:\(tree.root)/usb-0:2:9600")
    #expect(parsed.location == "\(tree.root)/usb-0:2")
    #expect(parsed.speed == 9600)
  }

  @Test(
    "that name nothing are refused with a reason",
    arguments: [
      (
        "pn999:/dev/x",
        "there is no driver \u{201C}pn999\u{201D}; known are pn532_uart, pn532_i2c, pn532_spi, "
          + "pn53x_usb, acr122_usb, acr122s, arygon"
      ),
      ("pn532_uart:", "the device is missing: pn532_uart:/dev/\u{2026}"),
      ("pn532_i2c", "the device is missing: pn532_i2c:/dev/\u{2026}"),
      (
        "pn532_uart:/dev/ttyUSB0:12345",
        "a PN532 line cannot be opened at 12345 baud; "
          + "give 9600 to 460800, or no speed: the program raises the speed later"
      ),
      (
        "pn532_uart:/dev/ttyUSB0:921600",
        "a PN532 line cannot be opened at 921600 baud; "
          + "give 9600 to 460800, or no speed: the program raises the speed later"
      ),
    ])
  func refusals(text: String, reason: String) {
    #expect(throws: ReaderError.cannotOpen(reader: text, reason: reason)) {
      try ConnectionString(text)
    }
  }

  @Test("A device that is not there, or is no tty, is refused with its path")
  func missing() throws {
    #expect(
      throws: ReaderError.cannotOpen(
        reader: "/dev/nosuchtty",
        reason: "there is no device at /dev/nosuchtty; is the board plugged in?")
    ) { _ = try LibNFCLink(opening: "/dev/nosuchtty") }
    let tree = try FixtureTree()
    try tree.file("plain")
    let plain = "\(tree.root)/plain"
    #expect(
      throws: ReaderError.cannotOpen(
        reader: plain, reason: "\(plain) is not a serial port with a UART behind it")
    ) { _ = try LibNFCLink(opening: plain) }
    #expect(
      throws: ReaderError.cannotOpen(
        reader: "pn53x_usb:200", reason: "no such USB reader is plugged in")
    ) { _ = try LibNFCLink(opening: "pn53x_usb:200") }
  }

  @Test("Speeds are `auto` or a number that chip and terminals share")
  func speeds() {
    #expect(LineSpeed("auto") == .automatic)
    #expect(LineSpeed("921600") == .fixed(.baud921600))
    #expect(LineSpeed("9600") == .fixed(.baud9600))
    for text in ["", "fast", "12345", "1288000", "-1"] { #expect(LineSpeed(text) == nil) }
    #expect(
      LineSpeed.automatic.candidates(above: .baud230400) == [.baud921600, .baud460800])
    #expect(LineSpeed.fixed(.baud57600).candidates(above: .baud115200) == [.baud57600])
  }

  @Test(
    "Codes of libnfc mean one of four things",
    arguments: [
      (-1, .garbled), (-4, .lost), (-6, .silent), (-7, .interrupted), (-80, .garbled), (-19, .lost),
      (-71, .lost), (-110, .silent), (-32, .garbled),
    ] as [(CInt, LibraryError.Meaning)])
  func codes(code: CInt, meaning: LibraryError.Meaning) {
    #expect(LibraryError(code: code).meaning == meaning)
  }

  @Test("A line that is gone explains its silence and its noise, and nothing else")
  func gone() {
    let cases: [(CInt, ReaderError, ReaderError)] = [
      (-6, .boardSilent(reader: "r"), .boardLost(reader: "r")),
      (-1, .boardGarbled(reader: "r"), .boardLost(reader: "r")),
      (-4, .boardLost(reader: "r"), .boardLost(reader: "r")),
      (-7, .interrupted, .interrupted),
    ]
    for (code, there, gone) in cases {
      let error = LibraryError(code: code)
      #expect(error.readerError(reader: "r", isGone: false) == there)
      #expect(error.readerError(reader: "r", isGone: true) == gone)
    }
  }
}
