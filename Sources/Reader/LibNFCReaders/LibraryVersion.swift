import Clibnfc

/// The C library below the readers.
package enum LibraryVersion {
  /// libnfc as it is loaded now, which may be another than was there at the build: `1.8.0`.
  package static var libnfc: String {
    unsafe nfc_version().map { unsafe String(cString: $0) } ?? "not known"
  }
}
