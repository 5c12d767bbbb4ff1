import Readers

/// Where a reader is, found and checked before libnfc hears of it.
struct ReaderPlace: Hashable {
  /// What libnfc is given behind the driver's name: a device file without symbolic links, or bus
  /// and address.
  let text: String
  /// The device file.
  let file: String

  /// Throws `cannotOpen` or `busy` when there is nothing, or nothing for us, where `connection`
  /// points.
  init(of connection: ConnectionString) throws(ReaderError) {
    let reader = connection.text
    guard connection.driver.takesPath, let location = connection.location else {
      let found = try Self.usbReader(of: connection)
      text = String(found.connection.dropFirst(connection.driver.rawValue.count + 1))
      file = found.device
      return
    }
    guard let path = FileSystem.resolve(location) else {
      throw .cannotOpen(
        reader: reader, reason: "there is no device at \(location); is the board plugged in?")
    }
    guard FileSystem.isAccessible(path) else {
      throw .cannotOpen(reader: reader, reason: Obstacle.noPermission(path: path).description)
    }
    (text, file) = (path, path)
  }

  /// Whether the device file has gone, as it does when a USB reader is unplugged.
  var isGone: Bool {
    #if os(Linux)
      FileSystem.resolve(file) == nil
    #else
      false
    #endif
  }

  /// The USB reader that is meant; the first of its kind where the text names none. libnfc is never
  /// left to look for it, which would set the configuration of every device on the bus.
  private static func usbReader(
    of connection: ConnectionString
  ) throws(ReaderError) -> ReaderDescription {
    let wanted = connection.driver.rawValue + ":" + (connection.location ?? "")
    let discovery = Discovery()
    var readers = discovery.usbReaders().filter { $0.connection.hasPrefix(wanted) }
    if readers.contains(where: { $0.obstacle != nil }) { discovery.addHolders(to: &readers) }
    guard let reader = readers.first(where: { $0.obstacle == nil }) ?? readers.first else {
      throw .cannotOpen(reader: connection.text, reason: "no such USB reader is plugged in")
    }
    switch reader.obstacle {
    case .held(let holder)?: throw .busy(reader: connection.text, holder: holder)
    case let obstacle?: throw .cannotOpen(reader: connection.text, reason: obstacle.description)
    case nil: return reader
    }
  }
}
