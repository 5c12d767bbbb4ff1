import BenchKit
import LibNFCReaders

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `readers --watch`: which readers are there, and then which come and go.
struct ReaderWatch {
  let console: Console
  let check: Bool

  /// Looks twice a second until somebody asks for the end. A device that has just come is told of
  /// once its links are made and its permissions are set.
  func run() {
    let interruption = Interruption()
    let discovery = Discovery()
    var known: [String: ReaderDescription] = [:]
    var isFirst = true
    var fresh: Set<String> = []
    while !interruption.isRequested {
      let now = discovery.readers(inDetail: false)
      let places = Dictionary(now.map { (key(of: $0), $0) }) { first, _ in first }
      for (place, reader) in known.sorted(by: { $0.key < $1.key }) where places[place] == nil {
        known[place] = nil
        let state = ReaderState(reader, check: false)
        ReaderRendering.show(state, event: .went, on: console)
      }
      for reader in now where known[key(of: reader)] == nil {
        let place = key(of: reader)
        if !isFirst, fresh.insert(place).inserted { continue }
        fresh.remove(place)
        known[place] = reader
        var whole = [reader]
        discovery.addHolders(to: &whole)
        let state = ReaderState(whole[0], check: check)
        ReaderRendering.show(state, event: isFirst ? .there : .came, on: console)
      }
      isFirst = false
      for _ in 0..<10 where !interruption.isRequested { usleep(50_000) }
    }
  }

  /// The same name for another device is another reader.
  private func key(of reader: ReaderDescription) -> String {
    [reader.connection, reader.usb?.code, reader.usb?.serialNumber, reader.usb?.portPath]
      .compactMap(\.self).joined(separator: " ")
  }
}
