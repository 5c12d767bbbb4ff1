import Readers

/// The reader of a station: it is open when the line starts, and taken up again when it was
/// unplugged and returns.
///
/// One thread uses it at a time: the line's owner before the run and after it, the station in
/// between.
package protocol StationReader: AnyObject, Sendable {
  /// What people call it.
  var name: String { get }
  var reader: TagReader { get }
  /// Waits until a reader that was lost is there again and open. Throws `interrupted` when
  /// `shouldStop` says so.
  func reopen(shouldStop: () -> Bool) throws(ReaderError)
}
