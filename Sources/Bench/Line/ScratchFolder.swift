import Bench

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder for a journal that nobody asked to keep.
struct ScratchFolder {
  let path: String

  /// Makes it in `base`. Fails with `cannotCreate`.
  init(_ base: String) throws(BenchError) {
    var name = Array("\(base)/nfcprog-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&name) != nil else {
      throw BenchError(.cannotCreate, "The folder \(base) does not allow new folders.")
    }
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  func remove() {
    for file in ["journal", "journal-wal", "journal-shm"] { _ = unsafe unlink("\(path)/\(file)") }
    _ = unsafe rmdir(path)
  }
}
