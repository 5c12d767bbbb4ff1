#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Who else has a device file open: what a message names when a reader is busy.
enum PortHolder {
  /// `process 4711 (nfc-list)` for another process that has `path` (no symbolic link) open or
  /// locked. Nil when there is none, or none that this user may see.
  static func find(path: String) -> String? { find(paths: [path])[path] }

  /// Likewise for several paths, with one look at every process.
  static func find(paths: Set<String>) -> [String: String] {
    var holders: [String: String] = [:]
    #if os(Linux)
      guard !paths.isEmpty else { return [:] }
      let own = getpid()
      for name in FileSystem.names(in: "/proc") {
        guard let pid = Int32(name), pid != own else { continue }
        let descriptors = "/proc/\(pid)/fd"
        for number in FileSystem.names(in: descriptors) {
          guard let path = FileSystem.target(of: "\(descriptors)/\(number)"), paths.contains(path)
          else {
            continue
          }
          holders[path] = holders[path] ?? describe(pid)
        }
      }
    #endif
    return holders
  }

  /// The owner of a lock on the file, by /proc/locks: `1: FLOCK ADVISORY WRITE 4711 00:17:5 0 EOF`.
  static func lockOwner(path: String) -> Int32? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, let locks = FileSystem.text(of: "/proc/locks") else {
      return nil
    }
    let inode = ":\(status.st_ino)"
    for line in locks.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count >= 6, fields[1] == "FLOCK", fields[5].hasSuffix(inode) else { continue }
      return Int32(fields[4])
    }
    return nil
  }

  /// Returns whether a program of this name runs.
  static func isRunning(_ program: String) -> Bool {
    FileSystem.names(in: "/proc").contains { name in
      Int32(name) != nil && FileSystem.text(of: "/proc/\(name)/comm") == program
    }
  }

  /// `process 4711 (nfc-list)`.
  static func describe(_ pid: Int32) -> String {
    let name = FileSystem.text(of: "/proc/\(pid)/comm").map { " (\($0))" } ?? ""
    return "process \(pid)\(name)"
  }
}
