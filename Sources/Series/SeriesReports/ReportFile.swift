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
  /// Renders the report into the file at `path`, from its beginning on.
  package func render(_ report: Report, with renderer: some ReportRenderer, to path: String)
    throws(ReportError)
  {
    do {
      // A device or a pipe takes what is written; a file begins anew.
      let kind =
        try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      if kind == nil || kind == .typeRegular { try Data().write(to: URL(filePath: path)) }
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      var failure: (any Error)?
      try render(report, with: renderer) { text in
        guard failure == nil else { return }
        do { try file.write(contentsOf: Data(text.utf8)) } catch { failure = error }
      }
      if let failure { throw failure }
      try file.close()
    } catch let error as JournalError {
      throw .journal(error)
    } catch {
      throw .cannotWrite(path, reason: FileTrouble.reason(error))
    }
  }
}
