#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Takes a device away from a library of this process that keeps it open.
enum DeviceCut {
  /// Lets every descriptor of the device file `path` (no symbolic link) lead to /dev/null: whatever
  /// is asked of the device fails at once, and the descriptors stay the library's to close.
  static func cut(_ path: String) {
    let nothing = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nothing >= 0 else { return }
    defer { close(nothing) }
    for descriptor in descriptors where descriptor != nothing {
      // The file of a device that was unplugged is deleted.
      guard let file = target(of: descriptor), file == path || file == "\(path) (deleted)" else {
        continue
      }
      _ = dup2(nothing, descriptor)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  private static var descriptors: [CInt] {
    FileSystem.names(in: "/dev/fd").compactMap { CInt($0) }
  }

  private static func target(of descriptor: CInt) -> String? {
    #if canImport(Darwin)
      var buffer = [CChar](repeating: 0, count: Int(MAXPATHLEN))
      guard unsafe fcntl(descriptor, F_GETPATH, &buffer) == 0 else { return nil }
      return String(
        decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      return FileSystem.target(of: "/proc/self/fd/\(descriptor)")
    #endif
  }
}
