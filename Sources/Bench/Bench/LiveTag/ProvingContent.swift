import TagMemory

/// The message of an NTAG 424 DNA that does not exist: each reading has a counter of its own, which
/// is on the disk before a byte of it is given out.
package final class ProvingContent: LiveContent {
  private let stored: [UInt8]
  private let source: SUNReading
  private let counters: CounterFile

  /// `stored` has stand-ins in the places that `settings` names.
  package init(
    _ stored: [UInt8], _ settings: SDMSettings, keys: KeyRing, _ counters: CounterFile
  ) {
    (self.stored, self.counters) = (stored, counters)
    source = SUNReading(settings, keys: keys, uid: counters.uid)
  }

  package var holdsStandIns: Bool { true }
  package func message() -> [UInt8] { stored }

  package func reading() throws(BenchError) -> (message: [UInt8], counter: Int)? {
    let counter = try counters.next()
    let shown = source.message(stored, counter: counter) { count in
      (0..<count).map { _ in UInt8.random(in: .min ... .max) }
    }
    return (shown, counter)
  }

  package func keep(_ message: [UInt8]) throws(BenchError) {}
}
