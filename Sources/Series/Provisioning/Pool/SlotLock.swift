import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which of a machine's places at a pool a process works in: each has a journal of its own, and one
/// process at a time. A process that was killed leaves its place to the next, with all that it had.
final class SlotLock: Sendable {
  let journal: String
  private let descriptor: CInt

  /// The first free place in `folder`; `unused`: one that has no journal. Nil: the folder cannot be
  /// written.
  convenience init?(firstIn folder: String, unused: Bool = false) {
    for number in 1...1000 {
      let path = Self.journal(number, in: folder)
      let file = unsafe open(Self.lock(number, in: folder), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard file >= 0 else { return nil }
      // A journal made by whoever had the place before is looked for once nobody else can make one.
      if Self.lock(file, at: Self.lock(number, in: folder)),
        unsafe !unused || access(path, F_OK) != 0
      {
        self.init(path, file)
        return
      }
      close(file)
    }
    return nil
  }

  /// The place with this number, where a bench was and none is now.
  convenience init?(left number: Int, in folder: String) {
    let file = unsafe open(Self.lock(number, in: folder), O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return nil }
    guard Self.lock(file, at: Self.lock(number, in: folder)) else {
      close(file)
      return nil
    }
    self.init(Self.journal(number, in: folder), file)
  }

  private init(_ journal: String, _ descriptor: CInt) {
    (self.journal, self.descriptor) = (journal, descriptor)
  }

  deinit {
    // A program that is being started has a copy of the descriptor for a moment.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// False where another process has the place, or has removed it meanwhile.
  private static func lock(_ file: CInt, at path: String) -> Bool {
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return false }
    var (own, there) = (stat(), stat())
    guard unsafe fstat(file, &own) == 0, unsafe stat(path, &there) == 0 else { return false }
    return own.st_ino == there.st_ino && own.st_dev == there.st_dev
  }

  private static func lock(_ number: Int, in folder: String) -> String {
    "\(folder)/bench-\(number).lock"
  }

  static func journal(_ number: Int, in folder: String) -> String {
    "\(folder)/bench-\(number).journal"
  }

  /// The numbers of the places in `folder`.
  static func places(in folder: String) -> [Int] { numbers(in: folder, ".lock") }

  /// The numbers of those that have journals.
  static func journals(in folder: String) -> [Int] { numbers(in: folder, ".journal") }

  private static func numbers(in folder: String, _ suffix: String) -> [Int] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.compactMap { file in
      file.hasPrefix("bench-") && file.hasSuffix(suffix)
        ? Int(file.dropFirst(6).dropLast(suffix.count)) : nil
    }.sorted()
  }

  /// Notes that the journals of other folders are being moved into `folder`; false: it cannot be
  /// written.
  static func note(_ names: [String], movedInto folder: String) -> Bool {
    let text = names.joined(separator: "\n")
    return (try? text.write(toFile: folder + "/moving", atomically: true, encoding: .utf8)) != nil
  }

  /// The names of the folders whose journals are being moved into `folder`.
  static func moves(into folder: String) -> [String] {
    let text = try? String(contentsOfFile: folder + "/moving", encoding: .utf8)
    return text?.split(separator: "\n").map(String.init) ?? []
  }

  static func forgetMoves(into folder: String) { unsafe unlink(folder + "/moving") }

  /// Removes the journal of the place, which nobody needs.
  func removeJournal() {
    for suffix in ["", "-wal", "-shm"] { unsafe unlink(journal + suffix) }
  }

  /// Keeps the journal of the place under another name, so that the place has none. False: it
  /// cannot be moved.
  func keepJournal(as path: String) -> Bool {
    for suffix in ["-wal", "-shm"] { _ = unsafe rename(journal + suffix, path + suffix) }
    return unsafe rename(journal, path) == 0
  }

  /// Removes the place, and the folder where it was the only one.
  func removePlace() {
    removeJournal()
    unsafe unlink(String(journal.dropLast("journal".count)) + "lock")
    unsafe rmdir(URL(filePath: journal).deletingLastPathComponent().path)
  }

  /// Is true if another program has the place's journal open: its log is empty and gone else.
  var hasLog: Bool { unsafe access(journal + "-wal", F_OK) == 0 }

  /// Moves the journal of the place to another one. False: a program looks at it, or it cannot be
  /// moved.
  func moveJournal(to other: SlotLock) -> Bool {
    unsafe !hasLog && rename(journal, other.journal) == 0
  }
}
