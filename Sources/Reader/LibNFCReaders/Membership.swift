#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which groups this user is in, by the system's files and by this login.
enum Membership {
  /// Returns whether the user was entered into `group` after logging in: this process does not have
  /// it yet.
  static func isOnlyOnPaper(_ group: String) -> Bool {
    guard let entry = unsafe getgrnam(group) else { return false }
    let number = unsafe entry.pointee.gr_gid
    guard let user = unsafe getpwuid(getuid()) else { return false }
    let name = unsafe String(cString: user.pointee.pw_name)
    var isMember = false
    if var member = unsafe entry.pointee.gr_mem {
      while let text = unsafe member.pointee {
        if unsafe String(cString: text) == name { isMember = true }
        unsafe member += 1
      }
    }
    var groups = [gid_t](repeating: 0, count: 1024)
    let count = unsafe getgroups(CInt(groups.count), &groups)
    return isMember && getegid() != number && !groups.prefix(max(0, Int(count))).contains(number)
  }
}
