import Bytes
import Foundation
import JobLists
import LedgerSQLite
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A CSV file with a row for every finished tag, each once, for the printing of labels.
///
/// A row is appended after the journal has the tag. What a crash kept from being appended is added
/// when the file is opened again, and a row that was cut short is taken away first. A consumer may
/// move the file away at any time: the path is opened again, and gets the rows that come from then
/// on. Threads and processes may share the file.
package final class LabelFile: Sendable {
  /// What was repaired when the file was opened.
  package struct Repairs: Hashable, Sendable {
    /// Rows that were missing and were added.
    package internal(set) var added = 0
    /// Is true if the last row had been cut short.
    package internal(set) var wasTorn = false
    /// Rows of tags that the journal does not list as finished, or no longer.
    package internal(set) var strangers = 0
  }

  package let path: String
  package let repairs: Repairs
  private let session: JournalSession
  private let number: Int64
  private let file: Mutex<OpenLabels>
  private let columns: [String]
  private let dialect: TableDialect
  private let wait: LabelLockWait

  /// Opens the file, or makes it, and brings it to what the journal has. Jobs must have been
  /// adopted before, or `columns` are those of their rows. In a journal that is new, a file with
  /// rows belongs to another journal, and throws unless `startingOver`. A new file is written in
  /// `dialect`; one that is there goes on in that or as a plain table.
  package init(
    at path: String, of session: JournalSession, columns given: [String]? = nil,
    in dialect: TableDialect = .plain, startingOver: Bool = false,
    waiting wait: LabelLockWait = LabelLockWait()
  ) throws(LabelError) {
    (self.path, self.dialect, self.wait) = (path, dialect, wait)
    self.session = session
    let names = try LabelError.catching(path) { try given ?? session.journal.columnNames() }
    columns = names
    let isFresh = try LabelError.catching(path) { try session.journal.isUntouched() }
    let place = URL(filePath: path).standardizedFileURL.path
    var known = KnownLabels(number: 0, wasMoved: false)
    let opened: OpenLabels
    (opened, repairs) = try LabelError.catching(path) {
      let file = try OpenLabels(path, names, dialect, wait)
      let identity = file.identity
      known = try session.journal.labelFile(
        place, device: identity.device, inode: identity.inode)
      let repairs = try file.locked { file in
        let found = try file.check(against: session, known.number)
        guard !isFresh || startingOver || found.repairs.strangers == 0 else {
          throw JournalError.listHasJournal(
            "\(path) has rows of \(counted(found.repairs.strangers, "tag")) that the journal does not list"
          )
        }
        return try file.repair(found, session)
      }
      try session.journal.noteLabelFile(
        known.number, device: file.identity.device, inode: file.identity.inode)
      return (file, repairs)
    }
    file = Mutex(opened)
    number = known.number
  }

  /// Appends the tag's row, on the disk when this returns; a tag that is written once more has its
  /// row already.
  package func append(_ written: WrittenTag) throws(LabelError) {
    try LabelError.catching(path) {
      guard try session.journal.timesWritten(written) < 2 else { return }
      try file.withLock { file in
        if !file.isInPlace { file = try successor(of: file) }
        do {
          try file.locked { try $0.append([written]) }
        } catch LabelError.locked(let path) {
          // The other stations' rows do not wait as long once more.
          file.wait.limit = .zero
          throw LabelError.locked(path)
        }
      }
    }
  }

  /// The file that comes after one which a consumer has moved away, its rows with it.
  private func successor(of moved: OpenLabels) throws -> OpenLabels {
    let rows = try moved.locked { try $0.check(against: session, number) }
    try session.journal.noteLabels(rows.jobs, file: number)
    let next = try OpenLabels(path, columns, dialect, wait)
    try session.journal.noteLabelFile(
      number, device: next.identity.device, inode: next.identity.inode)
    return next
  }

  /// The run is over, and all its rows were appended.
  package func finish() throws(LabelError) {
    try LabelError.catching(path) {
      try session.journal.noteAllLabelled(for: session, file: number)
    }
  }
}
