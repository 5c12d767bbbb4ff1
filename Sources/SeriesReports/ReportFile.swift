import Foundation
import JobLists
import LedgerSQLite

/// Why a report was not made.
package enum ReportError: Error, Hashable, Sendable {
  case journal(JournalError)
  case cannotWrite(String, reason: String)
}

extension ReportError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .journal(let error): error.description
    case .cannotWrite(let path, let reason): "\(path) cannot be written: \(reason)."
    }
  }
}

extension Journal {
  /// Renders the report into the file at `path`, which is the old one or the whole new one, never a
  /// part.
  package func render(_ report: Report, with renderer: some ReportRenderer, to path: String)
    throws(ReportError)
  {
    do {
      // Something that is no plain file, such as a pipe, stays what it is and is written as it
      // stands.
      let kind =
        try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      let place = kind == nil || kind == .typeRegular ? path + ".partial" : path
      let isNew = place != path
      defer { if isNew { try? FileManager.default.removeItem(atPath: place) } }
      if isNew { try Data().write(to: URL(filePath: place)) }
      let file = try FileHandle(forWritingTo: URL(filePath: place))
      var failure: (any Error)?
      try render(report, with: renderer) { text in
        guard failure == nil else { return }
        do { try file.write(contentsOf: Data(text.utf8)) } catch { failure = error }
      }
      if let failure { throw failure }
      if isNew { try file.synchronize() }
      try file.close()
      guard isNew else { return }
      guard unsafe rename(place, path) == 0 else {
        throw CocoaError(errno == EACCES ? .fileWriteNoPermission : .fileWriteUnknown)
      }
    } catch let error as JournalError {
      throw .journal(error)
    } catch {
      throw .cannotWrite(path, reason: FileTrouble.reason(error))
    }
  }
}
