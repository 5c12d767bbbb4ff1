#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The little that discovery asks of the file system.
enum FileSystem {
  /// The path without symbolic links; nil when nothing is there.
  static func resolve(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// What a symbolic link leads to, as it stands in it; nil when there is none.
  static func target(of link: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe readlink(link, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
  }

  /// The names in a directory, sorted; none when it cannot be read.
  static func names(in directory: String) -> [String] {
    guard let stream = unsafe opendir(directory) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// A small text file without the white space at its end, as sysfs has them; nil when it cannot be
  /// read.
  static func text(of path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    var text: [UInt8] = []
    while true {
      let count = unsafe read(descriptor, &bytes, bytes.count)
      guard count > 0 else { break }
      text += bytes.prefix(count)
    }
    while let last = text.last, last == 0x0A || last == 0x20 { text.removeLast() }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns whether this process may read and write the file.
  static func isAccessible(_ path: String) -> Bool { unsafe access(path, R_OK | W_OK) == 0 }

  /// The name of the group that owns the file.
  static func group(of path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, let group = unsafe getgrgid(status.st_gid) else {
      return nil
    }
    return unsafe String(cString: group.pointee.gr_name)
  }

  /// The last component of a path.
  static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The path without its last component; nil at the root.
  static func parent(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
    return String(path[..<slash])
  }
}
