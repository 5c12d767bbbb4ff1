#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whom a device file belongs to, and whom it lets in.
package struct FileAccess: Hashable, Sendable {
  package var owner: String
  package var group: String
  /// The permission bits: `0o660`.
  package var mode: UInt32

  init(owner: String, group: String, mode: UInt32) {
    (self.owner, self.group, self.mode) = (owner, group, mode)
  }

  /// Nil when nothing is at `path`.
  init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    let user = unsafe getpwuid(status.st_uid).map { unsafe String(cString: $0.pointee.pw_name) }
    let group = unsafe getgrgid(status.st_gid).map { unsafe String(cString: $0.pointee.gr_name) }
    self.init(
      owner: user ?? "\(status.st_uid)", group: group ?? "\(status.st_gid)",
      mode: UInt32(status.st_mode) & 0o777)
  }
}

extension FileAccess: CustomStringConvertible {
  /// `root:dialout 660`.
  package var description: String {
    let digits = String(mode, radix: 8)
    return "\(owner):\(group) " + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }
}
