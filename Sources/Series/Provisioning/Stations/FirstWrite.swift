import LedgerSQLite

/// The moment before the first write to a tag, in which its job is kept for it.
///
/// A tag that has a job, or holds what nobody but the journal will know, is kept in the journal no
/// sooner: where it turns out that it refuses its password, or is taken away before anything was
/// sent, it stays in the journal what it was.
final class FirstWrite {
  /// Keeps the job; false: the tag is not to be written.
  private let keep: () throws(JournalError) -> Bool
  /// The result says whether the job was kept. It is nil until the first write is about to be sent.
  private var result: Result<Bool, JournalError>?

  init(_ keep: @escaping () throws(JournalError) -> Bool) { self.keep = keep }

  /// A write is about to be sent.
  func ask() {
    guard result == nil else { return }
    do throws(JournalError) { result = .success(try keep()) } catch { result = .failure(error) }
  }

  /// Is true if nothing is to be written.
  var isRefused: Bool {
    switch result {
    case .success(let isKept): !isKept
    case .failure: true
    case nil: false
    }
  }

  /// Keeps the job of a tag that needed no write, as it held all already. Throws what went wrong in
  /// the journal.
  func finish(isDone: Bool) throws(JournalError) {
    if isDone { ask() }
    if case .failure(let error)? = result { throw error }
  }
}
