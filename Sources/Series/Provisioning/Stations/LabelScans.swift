import LedgerSQLite
import Synchronization

/// The codes of printed labels, for the stations whose tag waits for its own.
final class LabelScans: Sendable {
  private enum Wait {
    case open
    case scanned(String)
  }

  private let waits = Mutex<[Int: Wait]>([:])

  /// The tag of a station waits for its label from now on.
  func begin(_ station: Int) { waits.withLock { $0[station] = .open } }

  func end(_ station: Int) { waits.withLock { $0[station] = nil } }

  /// Takes a code; false where the station waits for none.
  func take(_ code: String, for station: Int) -> Bool {
    waits.withLock { waits in
      guard case .open? = waits[station] else { return waits[station] != nil }
      waits[station] = .scanned(code)
      return true
    }
  }

  /// The code that was scanned for the station.
  func code(for station: Int) -> String? {
    waits.withLock { if case .scanned(let code)? = $0[station] { code } else { nil } }
  }

  /// Returns whether a label with this code is the tag's: its link, its UID, or its job's name.
  static func names(_ written: WrittenTag, _ code: String) -> Bool {
    let uid = written.uid.hex
    return code == written.uri || code == written.job.name
      || code.filter { $0 != ":" }.lowercased() == uid.lowercased()
  }
}
