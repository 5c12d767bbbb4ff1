import Clibzip

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A ZIP file, whose parts libzip reads; for one thread.
@safe final class ZIPArchive {
  private static let library: Result<zip_library, WorkbookError> = {
    var library = zip_library()
    if let reason = unsafe zip_library_open(&library) {
      return .failure(.noLibrary(unsafe String(cString: reason)))
    }
    return .success(library)
  }()

  /// No list is as large as this: what unpacks to more is made to fill the memory.
  static let limit = 1_000_000_000

  private let library: zip_library
  private let archive: OpaquePointer
  private var left = ZIPArchive.limit

  /// Opens a file that begins as a ZIP file does; the descriptor stays the caller's.
  init(_ descriptor: CInt) throws(WorkbookError) {
    library = try Self.library.get()
    let copy = dup(descriptor)
    var code: CInt = 0
    guard copy >= 0, let archive = unsafe library.open(copy, 0, &code) else {
      if copy >= 0 { close(copy) }
      throw .other("no workbook, or a damaged one")
    }
    unsafe self.archive = archive
  }

  deinit { unsafe library.discard(archive) }

  /// Hands the bytes of the part `name` to `take`, a piece at a time, an empty one at the end;
  /// false where there is no such part.
  func read(
    _ name: String, _ take: (ArraySlice<UInt8>) throws(WorkbookError) -> Void
  ) throws(WorkbookError) -> Bool {
    guard let part = unsafe library.open_part(archive, name, 0) else { return false }
    defer { _ = unsafe library.close_part(part) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe library.read(part, &buffer, UInt64(buffer.count))
      guard count >= 0 else { throw .damaged(part: name, "bytes cannot be unpacked") }
      left -= Int(count)
      guard left >= 0 else { throw .tooLarge(Self.limit) }
      try take(buffer[..<Int(count)])
      if count == 0 { return true }
    }
  }

  /// All bytes of a small part; nil where there is none.
  func bytes(of name: String) throws(WorkbookError) -> [UInt8]? {
    var bytes: [UInt8] = []
    let isThere = try read(name) { (piece) throws(WorkbookError) in
      guard bytes.count < 1_000_000 else { throw .tooLarge(1_000_000) }
      bytes += piece
    }
    return isThere ? bytes : nil
  }
}
