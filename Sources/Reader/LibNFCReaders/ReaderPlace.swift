import Readers

/// Where a reader is, found and checked before libnfc hears of it.
struct ReaderPlace: Hashable {
  /// What libnfc is given behind the driver's name: a device file without symbolic links, or bus
  /// and address.
  let text: String
  /// The device file.
  let file: String

  /// Is true if libnfc reaches it over USB.
  let isUSB: Bool

  /// Throws `cannotOpen` or `busy` when there is nothing, or nothing for us, where `connection`
  /// points.
  init(of connection: ConnectionString) throws(OpeningFailure) {
    let reader = connection.text
    isUSB = !connection.driver.takesPath
    guard connection.driver.takesPath, let location = connection.location else {
      let found = try Self.usbReader(of: connection)
      text = String(found.connection.dropFirst(connection.driver.rawValue.count + 1))
      file = found.device
      return
    }
    guard let path = FileSystem.resolve(location) else {
      throw OpeningFailure(
        .cannotOpen(
          reader: reader, reason: "there is no device at \(location); is the board plugged in?"))
    }
    if let refusal = Discovery().refusal(of: location) {
      throw OpeningFailure(.cannotOpen(reader: reader, reason: refusal))
    }
    guard FileSystem.isAccessible(path) else {
      throw OpeningFailure(Obstacle.noPermission(path: path), reader: reader)
    }
    (text, file) = (path, path)
  }

  /// Is true if the device file has gone, as it does when a USB reader is unplugged.
  var isGone: Bool {
    #if os(Linux)
      FileSystem.resolve(file) == nil
    #else
      false
    #endif
  }

  /// Returns whether the device file has gone; where `isDoubtful`, the kernel gets up to 150 ms to
  /// take the file away: transfers to a USB reader that is unplugged end before that.
  func isGone(asTransfersFail isDoubtful: Bool) -> Bool {
    guard isUSB, isDoubtful else { return isGone }
    for _ in 0..<15 where !isGone { HostClock.pause(.milliseconds(10)) }
    return isGone
  }

  /// The USB reader that is meant; the first of its kind where the text names none. libnfc is never
  /// left to look for it, which would set the configuration of every device on the bus.
  private static func usbReader(
    of connection: ConnectionString
  ) throws(OpeningFailure) -> ReaderDescription {
    let wanted = connection.driver.rawValue + ":" + (connection.location ?? "")
    let discovery = Discovery()
    var readers = discovery.usbReaders().filter { $0.connection.hasPrefix(wanted) }
    if readers.contains(where: { $0.obstacle != nil }) { discovery.addHolders(to: &readers) }
    guard let reader = readers.first(where: { $0.obstacle == nil }) ?? readers.first else {
      throw OpeningFailure(
        .cannotOpen(reader: connection.text, reason: "no such USB reader is plugged in"))
    }
    if let obstacle = reader.obstacle {
      throw OpeningFailure(obstacle, reader: connection.text)
    }
    return reader
  }
}

extension ConnectionString {
  /// The device file that this leads to now, without symbolic links; nil where nothing is there.
  package var deviceFile: String? {
    if driver.takesPath { return location.flatMap(FileSystem.resolve) }
    return (try? ReaderPlace(of: self))?.file
  }
}
