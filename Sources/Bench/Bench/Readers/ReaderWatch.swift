import LibNFCReaders

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which readers are there, and then which come and go.
package struct ReaderWatch {
  /// What is reported of a reader.
  package enum Event: String {
    case there, came, went
  }

  /// Is true if each reader is opened.
  package let check: Bool

  package init(check: Bool) { self.check = check }

  /// Looks twice a second until `shouldStop` says so. A device that has just come is reported once
  /// its links are made and its permissions are set.
  package func run(shouldStop: () -> Bool, tell: (ReaderState, Event) -> Void) {
    let discovery = Discovery()
    var known: [String: ReaderDescription] = [:]
    var isFirst = true
    var fresh: Set<String> = []
    while !shouldStop() {
      let now = discovery.readers(inDetail: false)
      let places = Dictionary(now.map { (key(of: $0), $0) }) { first, _ in first }
      for (place, reader) in known.sorted(by: { $0.key < $1.key }) where places[place] == nil {
        known[place] = nil
        tell(ReaderState(reader, check: false), .went)
      }
      for reader in now where known[key(of: reader)] == nil {
        let place = key(of: reader)
        if !isFirst, fresh.insert(place).inserted { continue }
        fresh.remove(place)
        known[place] = reader
        var whole = [reader]
        discovery.addHolders(to: &whole)
        tell(ReaderState(whole[0], check: check), isFirst ? .there : .came)
      }
      isFirst = false
      for _ in 0..<10 where !shouldStop() { usleep(50_000) }
    }
  }

  /// Returns the text by which a reader is known: another device with its name is another reader.
  private func key(of reader: ReaderDescription) -> String {
    [reader.connection, reader.usb?.code, reader.usb?.serialNumber, reader.usb?.portPath]
      .compactMap(\.self).joined(separator: " ")
  }
}
