import Readers

/// A reader that may be unplugged and plugged in again: finds it under whatever name it has then.
///
/// Made while the reader is there, it remembers which one it is: by its USB serial number, else by
/// its USB socket. Paths that are no USB device (a link to a pseudo-terminal, an I2C bus) are taken
/// up by their path.
package struct ReturningReader: Sendable {
  /// What the operator named.
  package let connection: ConnectionString
  /// What it is known by when it returns.
  package let identity: ReaderIdentity
  private let discovery: Discovery
  private let memory: AdapterMemory?

  /// Looks what `connection` points at now. `memory` as in `LibNFCLink`.
  package init(
    _ connection: ConnectionString, discovery: Discovery = Discovery(),
    memory: AdapterMemory? = nil
  ) {
    self.connection = connection
    self.discovery = discovery
    self.memory = memory
    let readers = connection.peers(discovery)
    let reader = readers.first { connection.points(at: $0) }
    identity =
      reader.map { ReaderIdentity(of: $0, among: readers) } ?? .path(connection.location ?? "")
  }

  /// What opens it now, under the operator's name; nil while it is away.
  package var connectionNow: ConnectionString? {
    if case .path = identity {
      guard let location = connection.location, connection.driver.takesPath else {
        return connection
      }
      return FileSystem.resolve(location) == nil ? nil : connection
    }
    return connection.peers(discovery).first(where: identity.matches).map(connection.relocated)
  }

  /// Opens the reader, which must be there.
  package func open(
    speed: LineSpeed = .automatic, isVerbose: Bool = false
  ) throws(ReaderError) -> LibNFCLink {
    guard let here = connectionNow else { throw .boardLost(reader: connection.text) }
    return try LibNFCLink(
      opening: here, speed: speed, isVerbose: isVerbose, memory: memory)
  }

  /// Waits until the reader is there again and opens; the old link must be closed, or its name is
  /// still taken.
  ///
  /// A device that has just been plugged in is not yet ready, so failures to open it are tried
  /// again until `patience` (nil: no end) is over; then the last one is thrown: `boardLost` while
  /// it is away. Each new reason goes to `onObstacle` once. Throws `interrupted` within 0.2 s of
  /// `shouldStop` saying so.
  package func reopen(
    patience: Duration?, speed: LineSpeed = .automatic, isVerbose: Bool = false,
    shouldStop: () -> Bool = { false }, onObstacle: (ReaderError) -> Void = { _ in }
  ) throws(ReaderError) -> LibNFCLink {
    let start = ContinuousClock.now
    var last: ReaderError?
    while true {
      guard !shouldStop() else { throw .interrupted }
      do {
        return try open(speed: speed, isVerbose: isVerbose)
      } catch {
        if error != last { onObstacle(error) }
        last = error
        if let patience, start.duration(to: .now) >= patience { throw error }
      }
      HostClock.pause(.milliseconds(200))
    }
  }
}

extension ConnectionString {
  /// What is there of the kind that this names.
  fileprivate func peers(_ discovery: Discovery) -> [ReaderDescription] {
    driver.takesPath ? discovery.serialPorts() : discovery.usbReaders()
  }

  /// Returns whether `reader` is what this names.
  func points(at reader: ReaderDescription) -> Bool {
    guard let location else { return reader.connection.hasPrefix(driver.rawValue + ":") }
    if driver.takesPath {
      guard let path = FileSystem.resolve(location) else { return false }
      return reader.attachment != .usb && FileSystem.resolve(reader.device) == path
    }
    return reader.connection.hasPrefix("\(driver.rawValue):\(location)")
  }

  /// Returns the place where `reader` is now, with this driver and speed.
  func relocated(to reader: ReaderDescription) -> ConnectionString {
    let place =
      driver.takesPath
      ? reader.device : String(reader.connection.dropFirst(driver.rawValue.count + 1))
    return ConnectionString(driver: driver, location: place, speed: speed, text: text)
  }
}
