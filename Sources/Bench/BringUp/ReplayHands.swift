import Bench
import LibNFCReaders
import Readers

/// The hand at a board that answers from a report of `bring-up`: what was laid down then lies
/// there, for the points that the report has frames of.
package final class ReplayHands: BringUpHands {
  private let board: SimulatedReader
  private let script: ReplayScript

  package init(_ board: SimulatedReader, _ script: ReplayScript) {
    (self.board, self.script) = (board, script)
  }

  package func begin(_ point: BringUpPoint) -> Bool { script.begin(part: point.name) }

  package var missing: String? {
    script.divergence.map { "the report does not say what the answer was: \($0.place)" }
  }

  package func present(_ wish: TagWish, to bench: BringUpBench) throws(ReaderError) -> Bool { true }
  package func liftWhileWriting(round: Int, of count: Int) throws(ReaderError) -> Duration? { nil }
  package func layBack(_ uid: [UInt8], to bench: BringUpBench) throws(ReaderError) -> Bool { true }
  package func lift() throws(ReaderError) -> Bool { true }
  package func ask(_ question: String) throws(ReaderError) -> Bool? { nil }

  package func cutPower() throws(ReaderError) -> ConnectionString? {
    guard let port = try? board.cutPower() else { return nil }
    return try ConnectionString(port)
  }
}
