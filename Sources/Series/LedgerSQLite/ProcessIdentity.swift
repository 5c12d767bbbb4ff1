import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which process on which machine: enough to tell later, from the same machine, whether it still
/// runs.
package struct ProcessIdentity: Hashable, Sendable {
  package let host: String
  /// The machine's run since it was last switched on.
  package let boot: String
  /// Where process numbers are counted: containers count their own.
  package let namespace: String
  package let process: Int
  /// When the process began, in the system's own units: process numbers are used again.
  package let start: Int64

  /// This process.
  package static let current: ProcessIdentity = {
    let process = Int(getpid())
    return ProcessIdentity(
      host: ProcessInfo.processInfo.hostName, boot: System.boot, namespace: System.namespace,
      process: process, start: System.start(of: process) ?? 0)
  }()

  /// When a process began; nil when there is none, or it is hidden.
  static func start(of process: Int) -> Int64? { System.start(of: process) }

  /// Says whether the process runs; nil when that cannot be told from here.
  var isAlive: Bool? {
    let here = Self.current
    // A machine may be given another name while it runs; it has started again since when only its
    // name is the same.
    guard boot == here.boot else { return host == here.host ? false : nil }
    guard namespace == here.namespace else { return nil }
    guard kill(pid_t(process), 0) == 0 || errno != ESRCH else { return false }
    return System.start(of: process).map { $0 == start }
  }
}

#if canImport(Darwin)
  private enum System {
    static let namespace = ""

    static var boot: String {
      var text = [UInt8](repeating: 0, count: 64)
      var size = text.count
      guard unsafe sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else {
        return ""
      }
      return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Microseconds since 1970.
    static func start(of process: Int) -> Int64? {
      var info = proc_bsdinfo()
      let size = Int32(MemoryLayout<proc_bsdinfo>.size)
      guard unsafe proc_pidinfo(pid_t(process), PROC_PIDTBSDINFO, 0, &info, size) == size else {
        return nil
      }
      return Int64(info.pbi_start_tvsec) * 1_000_000 + Int64(info.pbi_start_tvusec)
    }
  }
#else
  private enum System {
    static var boot: String { text("/proc/sys/kernel/random/boot_id") ?? "" }

    static var namespace: String {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")) ?? ""
    }

    /// Clock ticks since the machine began; 0, which is nobody's, for a process that has ended and
    /// was not yet waited for (proc_pid_stat(5), fields 3 and 22).
    static func start(of process: Int) -> Int64? {
      // The name, field 2, may hold anything but is the last in parentheses.
      guard let stat = text("/proc/\(process)/stat"), let end = stat.lastIndex(of: ")") else {
        return nil
      }
      let fields = stat[end...].split(separator: " ").dropFirst()
      guard let state = fields.first, let start = fields.dropFirst(19).first else { return nil }
      return state == "Z" || state == "X" ? 0 : Int64(start)
    }

    private static func text(_ path: String) -> String? {
      guard let data = FileManager.default.contents(atPath: path) else { return nil }
      return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
  }
#endif
