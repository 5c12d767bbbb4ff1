import Foundation
import JobLists
import LedgerSQLite

/// Why a label file cannot be used.
public enum LabelError: Error, Hashable, Sendable {
  /// The file cannot be opened, and why.
  case cannotOpen(String, reason: String)
  /// Its first line is not the one that this series would write.
  case otherFile(String)
  /// The file's first line differs because a spreadsheet or an editor has saved the file anew.
  case converted(String)
  /// Another program keeps the file locked.
  case locked(String)
  /// The file cannot be written, and why.
  case cannotWrite(String, reason: String)
  /// The journal failed while labels were written.
  case journal(JournalError)
}

extension LabelError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .cannotOpen(let path, let reason): "The label file \(path) cannot be opened: \(reason)."
    case .otherFile(let path):
      "\(path) is not the label file of this series: its first line is different. The file was not changed."
    case .converted(let path):
      "\(path) has a byte order mark or other separators than the label file of this series: a spreadsheet or an editor has saved it anew, or another list is its own. No row can be added to it. The file was not changed. Move it away: a new one begins with the tags that are finished from then on."
    case .locked(let path):
      "Another program keeps the label file \(path) locked. Close it there."
    case .cannotWrite(let path, let reason): "The label file \(path) cannot be written: \(reason)."
    case .journal(let error): error.description
    }
  }
}

extension LabelError {
  /// Runs `body`, with the errors of the system as sentences about the file at `path`.
  package static func catching<Value>(_ path: String, _ body: () throws -> Value) throws(LabelError)
    -> Value
  {
    do {
      return try body()
    } catch let error as LabelError {
      throw error
    } catch let error as JournalError {
      throw .journal(error)
    } catch is AppendedFile.NotAFile {
      throw .cannotOpen(path, reason: "it is not a file")
    } catch let error as CocoaError where error.code != .fileWriteOutOfSpace {
      throw .cannotOpen(path, reason: FileTrouble.reason(error))
    } catch {
      throw .cannotWrite(path, reason: FileTrouble.reason(error))
    }
  }
}
