#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The first two numbers of a kernel's release: `6.1` of `6.1.0-18-amd64`.
struct KernelRelease: Hashable, Comparable, Sendable {
  let major: Int
  let minor: Int

  init(major: Int, minor: Int) { (self.major, self.minor) = (major, minor) }

  /// Nil where `text` does not begin with two numbers.
  init?(_ text: String) {
    let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, let major = Int(parts[0]),
      let minor = Int(parts[1].prefix { $0.isASCII && $0.isNumber })
    else { return nil }
    self.init(major: major, minor: minor)
  }

  /// The kernel that runs now.
  static var running: KernelRelease? {
    var names = utsname()
    guard unsafe uname(&names) == 0 else { return nil }
    let text = unsafe withUnsafeBytes(of: &names.release) { field in
      unsafe String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }
    return KernelRelease(text)
  }

  static func < (left: KernelRelease, right: KernelRelease) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}
