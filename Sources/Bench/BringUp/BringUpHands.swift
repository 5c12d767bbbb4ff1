import LibNFCReaders
import Readers

/// Who lays tags down and answers questions: a person, or the one who owns a simulated board.
package protocol BringUpHands: AnyObject {
  /// Takes note that `point` is asked now; false where it cannot be, with what there is.
  func begin(_ point: BringUpPoint) -> Bool
  /// What the board cannot know, as it answers from a report: a clause; nil for all others.
  var missing: String? { get }
  /// Puts what `wish` asks for on the reader; false where it is not to be had. Throws
  /// `interrupted`, and what the board throws as it is looked at.
  func present(_ wish: TagWish, to bench: BringUpBench) throws(ReaderError) -> Bool
  /// Takes the tag away while it is written, or asks for that, the `round`th time of `count`; how
  /// long to write for it, nil where nobody does it.
  func liftWhileWriting(round: Int, of count: Int) throws(ReaderError) -> Duration?
  /// Lays the tag with `uid` down again; false where it does not come.
  func layBack(_ uid: [UInt8], to bench: BringUpBench) throws(ReaderError) -> Bool
  /// Takes everything away; false where nobody does.
  func lift() throws(ReaderError) -> Bool
  /// Takes the board's power away and gives it back; where the board is then, nil where nobody
  /// does.
  func cutPower() throws(ReaderError) -> ConnectionString?
  /// A yes or no; nil where nobody answers.
  func ask(_ question: String) throws(ReaderError) -> Bool?
}

extension BringUpHands {
  package func begin(_ point: BringUpPoint) -> Bool { true }
  package var missing: String? { nil }
}
