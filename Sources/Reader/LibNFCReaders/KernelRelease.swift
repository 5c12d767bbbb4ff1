#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The first two numbers of a kernel's release: `6.1` of `6.1.0-18-amd64`.
package struct KernelRelease: Hashable, Comparable, Sendable {
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
    runningName.flatMap { $0.split(separator: " ").last }.flatMap { KernelRelease(String($0)) }
  }

  /// How the kernel that runs now calls itself: `Linux 6.1.0-18-amd64`.
  package static var runningName: String? {
    var names = utsname()
    guard unsafe uname(&names) == 0 else { return nil }
    let fields = unsafe [
      withUnsafeBytes(of: &names.sysname) { unsafe text($0) },
      withUnsafeBytes(of: &names.release) { unsafe text($0) },
    ]
    return fields.joined(separator: " ")
  }

  /// Returns what a field of `utsname` holds, up to its zero byte.
  private static func text(_ field: UnsafeRawBufferPointer) -> String {
    unsafe String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }

  package static func < (left: KernelRelease, right: KernelRelease) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}
