import LibNFCReaders
import PN532
import Readers

/// A reader that was found, and what opening it showed.
struct ReaderState {
  let reader: ReaderDescription
  /// Nil when it was not opened or did not open.
  private(set) var firmware: FirmwareVersion?
  /// Why it cannot be opened, and the command that mends it; nil when nothing is known against it.
  private(set) var obstacle: (reason: String, remedy: String?)?

  /// With `check`, opens the reader; one that is known to be barred is not tried.
  init(_ reader: ReaderDescription, check: Bool) {
    self.reader = reader
    obstacle = reader.obstacle.map { ($0.reason, $0.remedy) }
    guard check, obstacle == nil else { return }
    do throws(ReaderError) {
      let link = try LibNFCLink(opening: reader.connection)
      firmware = link.firmware
      link.close()
    } catch {
      obstacle = (error.description, nil)
    }
  }
}
