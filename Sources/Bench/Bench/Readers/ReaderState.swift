import LibNFCReaders

/// A reader that was found or named, and what opening it showed.
package struct ReaderState {
  package let reader: ReaderDescription
  /// Nil when it was not opened.
  package let checkup: Checkup?
  /// Why it cannot be used; nil when nothing is known against it. A check that has left it out
  /// knows nothing for it, either.
  package let obstacle: Obstacle?

  /// Opens the reader of `choice`, whatever it is connected to. Fails with `usage` for a simulated
  /// one.
  package init(checking choice: ReaderChoice) throws(BenchError) {
    guard case .connection(let connection) = choice.place else {
      throw BenchError(.usage, "A simulated reader has no board that could be checked.")
    }
    let found = Discovery().readers().first {
      $0.device == connection.location
    }
    let attachment: ReaderDescription.Attachment =
      switch connection.driver {
      case .pn532UART, .acr122S, .arygon: .uart
      case .pn532I2C: .i2c
      case .pn532SPI: .spi
      case .pn53xUSB, .acr122USB: .usb
      }
    reader =
      found
      ?? .named(
        connection.location.map(connection.resolved) ?? connection.driver.rawValue, attachment,
        device: connection.location ?? "")
    let checkup = Checkup(reader, memory: .standard)
    (self.checkup, obstacle) = (checkup, checkup.obstacle)
  }

  /// With `check`, opens the reader, unless it is a port or a bus that may lead anywhere.
  package init(_ reader: ReaderDescription, check: Bool) {
    self.reader = reader
    checkup = check && reader.isLikely ? Checkup(reader, memory: .standard) : nil
    let leftOut = check && checkup == nil
    obstacle =
      checkup?.obstacle ?? reader.obstacle
      ?? (leftOut ? .unchecked(connection: reader.connection) : nil)
  }
}
