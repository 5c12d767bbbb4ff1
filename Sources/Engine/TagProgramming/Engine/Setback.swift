import Readers

/// What can end one pass over a tag.
enum Setback: Error {
  /// An exchange failed while the tag was surveyed.
  case reader(ReaderError)
  /// The tag cannot, or must not, be programmed as asked: another pass would not change that.
  case failure(JobFailure)
  /// A step of the program failed.
  case execution(Execution.Failure)

  /// The exchange that failed; nil where none did.
  var readerError: ReaderError? {
    switch self {
    case .reader(let error): return error
    case .execution(let failure):
      guard case .reader(let error) = failure.trouble else { return nil }
      return error
    case .failure: return nil
    }
  }
}

/// Runs `body` and hands on what it throws as a setback.
func surveying<Value>(_ body: () throws(ReaderError) -> Value) throws(Setback) -> Value {
  do {
    return try body()
  } catch {
    throw .reader(error)
  }
}

/// Likewise for planning.
func planning<Value>(_ body: () throws(JobFailure) -> Value) throws(Setback) -> Value {
  do {
    return try body()
  } catch {
    throw .failure(error)
  }
}
