import Foundation
import GRDB

/// Why a journal cannot be used, or a change to it was not made.
public enum JournalError: Error, Hashable, Sendable {
  /// There is no such file.
  case missing(String)
  /// The file cannot be opened or created, or its folder cannot be written.
  case cannotOpen(String, reason: String)
  /// A file that SQLite does not know, or another program's database.
  case notAJournal(String)
  /// Written by a later version of nfcprog.
  case laterVersion(String)
  /// Written by an earlier version, whose tables say too little.
  case earlierVersion(String)
  /// The file, or its folder, is read-only.
  case readOnly(String)
  /// No space is left for the journal.
  case full(String)
  /// Another process did not let go of it in time.
  case busy(String)
  /// The file was deleted or moved away while it was open.
  case gone(String)
  /// Another file lies in its place.
  case replaced(String)
  /// The file is not what was written to it.
  case damaged(String, reason: String)
  /// The disk, or SQLite, failed.
  case failed(String, reason: String)
  /// The journal has jobs of another source, or the source is not what it was.
  case sourceChanged(SourceDifference)
  /// The list was used with another journal: why that is thought.
  case listHasJournal(String)
  /// The journal is the one of a bench of a pool, which works with the pool's address alone.
  case benchesJournal(String, bench: String)
  /// The file is a copy of a journal that goes on elsewhere, or was brought back from an earlier
  /// time: which, in a sentence.
  case copied(String, reason: String)
  /// The source failed while it was read; nothing of it was adopted.
  case sourceFailed(String)
  /// The job is no longer reserved by this reservation: it was released, taken over, or is
  /// finished.
  case reservationLost(job: Int)
  /// What was read back is not the message that the job was reserved for.
  case otherMessage(job: Int)
  /// The pool of jobs in a database cannot be used, and why.
  case pool(PoolTrouble, String)
}

extension JournalError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missing(let path): "There is no journal \(path)."
    case .cannotOpen(let path, let reason): "The journal \(path) cannot be opened: \(reason)."
    case .notAJournal(let path): "\(path) is not a journal of nfcprog; the file was not changed."
    case .laterVersion(let path):
      "The journal \(path) was written by a later version of nfcprog; use that version, or a later one."
    case .earlierVersion(let path):
      "The journal \(path) was written by an earlier version of nfcprog, whose events say too little for this one: finish its series with that version. The file was not changed."
    case .readOnly(let path):
      "The journal \(path) cannot be written: it, or its folder, is read-only."
    case .full(let path): "The journal \(path) cannot be written: no space is left on its disk."
    case .busy(let path):
      "The journal \(path) is busy: another process has locked it for too long."
    case .gone(let path):
      "The journal \(path) was deleted or moved during the run: nothing more can be recorded. Put it back, or set the tags of this run aside."
    case .replaced(let path):
      "Another file replaced the journal \(path) during the run: nothing more can be recorded. Put the journal back, or set the tags of this run aside."
    case .damaged(let path, let reason): "The journal \(path) is damaged: \(reason)."
    case .failed(let path, let reason): "The journal \(path) failed: \(reason)."
    case .sourceChanged(let difference): difference.description
    case .listHasJournal(let reason):
      "This list was used with another journal: \(reason). To continue that series, give that one, so that no job goes on two tags. Or put all jobs on new tags, for example after a test run."
    case .copied(let path, let reason):
      "The journal \(path) is a copy: \(reason) No tag was written: its jobs may be on tags that it does not know."
    case .benchesJournal(let path, let bench):
      "\(path) is the journal of the bench \(bench) of a pool, and has a part of the jobs only: give the address of the pool."
    case .sourceFailed(let reason), .pool(_, let reason): reason
    case .reservationLost(let job):
      "Job \(job) is no longer reserved for this tag: another process released, took over or finished it."
    case .otherMessage(let job):
      "What was read back is not the message that job \(job) was reserved for; the job stays reserved."
    }
  }
}

extension JournalError {
  /// The file has no tables, or not even a first byte.
  static func holdsNothing(_ path: String) -> JournalError {
    .cannotOpen(path, reason: "it holds nothing yet")
  }

  /// Runs `body`, with the errors of SQLite as sentences about the journal at `path`.
  package static func catching<Value>(_ path: String, _ body: () throws -> Value)
    throws(JournalError)
    -> Value
  {
    do {
      return try body()
    } catch let error as JournalError {
      throw error
    } catch let error as DatabaseError {
      throw JournalError(error, path)
    } catch {
      throw .failed(path, reason: "\(error)")
    }
  }

  private init(_ error: DatabaseError, _ path: String) {
    // Never the statement and its values: only what SQLite says went wrong.
    let reason = error.message ?? "\(error.resultCode)"
    self =
      switch error.resultCode {
      case .SQLITE_NOTADB: .notAJournal(path)
      case .SQLITE_CORRUPT: .damaged(path, reason: reason)
      case .SQLITE_READONLY: .readOnly(path)
      case .SQLITE_FULL: .full(path)
      case .SQLITE_BUSY: .busy(path)
      case .SQLITE_CANTOPEN, .SQLITE_PERM: .cannotOpen(path, reason: Self.obstacle(path))
      default: .failed(path, reason: reason)
      }
  }

  /// Why a file cannot be opened: SQLite does not say.
  private static func obstacle(_ path: String) -> String {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    if isFolder(path) { return "it is a folder" }
    guard isFolder(folder) else { return "there is no folder \(folder)" }
    return FileManager.default.fileExists(atPath: path)
      ? "permission is denied" : "its folder may not be written"
  }

  static func isFolder(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }
}
