#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whether every place is to be tried, and not a sample of them: `NFCPROG_EXHAUSTIVE=1` in the
/// environment, `2/5` for the second of five shards, which together try each job and each tag
/// once, or `lock on mini|felica` for the jobs and tags whose names hold one of these texts.
enum Exhaustive {
  private static let asked = unsafe getenv("NFCPROG_EXHAUSTIVE").map { unsafe String(cString: $0) }
  private static let shard: (number: UInt32, count: UInt32)? = {
    let parts = (asked ?? "").split(separator: "/").compactMap { UInt32($0) }
    guard parts.count == 2, (1...max(1, parts[1])).contains(parts[0]) else { return nil }
    return (parts[0], parts[1])
  }()

  private static let texts =
    (asked ?? "").split(separator: "|").map(String.init)
    .filter { $0.contains(where: \.isLetter) }

  static let isAsked = asked != nil

  /// Whether what bears this name is tried here: in a shard by its name alone, so that whatever
  /// else is added moves nothing.
  static func includes(_ name: String) -> Bool {
    guard texts.isEmpty else { return texts.contains { name.contains($0) } }
    guard let shard else { return true }
    // FNV-1a.
    let hash = name.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return hash % shard.count == shard.number - 1
  }

  /// What is no list of jobs or tags belongs to the first shard.
  static let isFirst = shard.map { $0.number == 1 } ?? texts.isEmpty
}
