import PN532
import Readers

/// What `--reader` names: a libnfc connection string, `driver:where[:speed]`, or a bare path to a
/// tty.
package struct ConnectionString: Hashable, Sendable {
  /// A libnfc driver, and what stands behind its name.
  package enum Driver: String, Hashable, Sendable, CaseIterable {
    case pn532UART = "pn532_uart"
    case pn532I2C = "pn532_i2c"
    case pn532SPI = "pn532_spi"
    case pn53xUSB = "pn53x_usb"
    case acr122USB = "acr122_usb"
    case acr122S = "acr122s"
    case arygon

    /// Is true if a device file follows the name.
    var takesPath: Bool { self != .pn53xUSB && self != .acr122USB }
  }

  package let driver: Driver
  /// What follows the driver's name: a device file, or bus and address on USB; nil takes the first
  /// reader.
  package let location: String?
  /// The line's speed in bits per second (SPI: the clock in Hz) where the text says one.
  package let speed: Int?
  /// What the operator wrote.
  package let text: String

  init(driver: Driver, location: String?, speed: Int?, text: String) {
    (self.driver, self.location, self.speed, self.text) = (driver, location, speed, text)
  }

  /// Reads `text`; throws `cannotOpen` with a reason when it names no reader that libnfc could
  /// open.
  package init(_ text: String) throws(ReaderError) {
    self.text = text
    func refuse(_ reason: String) -> ReaderError { .cannotOpen(reader: text, reason: reason) }
    if text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("../") {
      (driver, location, speed) = (.pn532UART, text, nil)
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let driver = Driver(rawValue: String(parts[0])) else {
      let known = Driver.allCases.map(\.rawValue).joined(separator: ", ")
      throw refuse("there is no driver \u{201C}\(parts[0])\u{201D}; known are \(known)")
    }
    self.driver = driver
    let rest = parts.count == 2 && !parts[1].isEmpty ? String(parts[1]) : nil
    guard driver.takesPath else {
      (location, speed) = (rest, nil)
      return
    }
    guard let rest else {
      throw refuse("the device is missing: \(driver.rawValue):/dev/\u{2026}")
    }
    (location, speed) = Self.split(rest)
    if driver == .pn532UART, let speed, LinkSpeed(bitsPerSecond: speed) == nil || speed > 460_800 {
      throw refuse(
        "a PN532 line cannot be opened at \(speed) baud; "
          + "give 9600 to 460800, or no speed: the program raises the speed later")
    }
  }

  /// Paths below /dev/serial/by-path contain colons: a speed is what follows the last one and is a
  /// number, unless a file of the whole name exists.
  private static func split(_ rest: String) -> (String, Int?) {
    guard FileSystem.resolve(rest) == nil, let colon = rest.lastIndex(of: ":"),
      let speed = Int(rest[rest.index(after: colon)...])
    else { return (rest, nil) }
    return (String(rest[..<colon]), speed)
  }

  /// What libnfc is given: `place` where the operator's location stood.
  package func resolved(to place: String) -> String {
    ([driver.rawValue, place] + [speed.map(String.init)])
      .compactMap { $0 }.joined(separator: ":")
  }
}

extension ConnectionString: CustomStringConvertible {
  package var description: String { text }
}

extension ConnectionString {
  /// Driver and place as they stand, whatever name the operator has for them; the driver alone
  /// where it takes the first reader.
  package var plain: String {
    ([driver.rawValue] + [location].compactMap(\.self)).joined(separator: ":")
  }

  /// Returns whether both name the same device now; links are followed.
  package func leads(to other: ConnectionString) -> Bool {
    guard driver == other.driver, let location, let elsewhere = other.location else { return false }
    guard driver.takesPath else { return location == elsewhere }
    guard let path = FileSystem.resolve(location) else { return false }
    return path == FileSystem.resolve(elsewhere)
  }
}
