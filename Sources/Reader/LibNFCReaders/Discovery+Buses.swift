/// I2C and SPI buses, as single-board computers have them; only somebody who wired a board knows
/// where it is.
extension Discovery {
  func buses() -> [ReaderDescription] {
    #if os(Linux)
      let i2c = bus(.i2c, files: "i2c-", class: "i2c-dev") { file in
        FileSystem.text(of: "\(sysfs)/class/i2c-dev/\(file)/name")
      }
      return i2c + bus(.spi, files: "spidev", class: "spidev") { _ in nil }
    #else
      return []
    #endif
  }

  private func bus(
    _ attachment: ReaderDescription.Attachment, files prefix: String, class name: String,
    model: (String) -> String?
  ) -> [ReaderDescription] {
    let driver = attachment == .i2c ? "pn532_i2c" : "pn532_spi"
    return FileSystem.names(in: "\(sysfs)/class/\(name)").compactMap { file in
      guard file.hasPrefix(prefix), let path = FileSystem.resolve("\(dev)/\(file)") else {
        return nil
      }
      var reader = ReaderDescription(
        connection: "\(driver):\(path)", attachment: attachment, model: model(file), device: path)
      reader.access = FileAccess(of: path)
      reader.obstacle = isAccessible(path) ? nil : .noPermission(path: path)
      return reader
    }
  }
}
