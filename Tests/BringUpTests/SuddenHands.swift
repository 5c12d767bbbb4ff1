import Foundation
import LibNFCReaders
import Readers

@testable import Bench
@testable import BringUp

/// A person at a simulated board, who takes cards away some time after being asked to.
final class SuddenHands: BringUpHands {
  private let board: SimulatedReader
  private let usual: SimulatedHands

  init(_ board: SimulatedReader) { (self.board, usual) = (board, SimulatedHands(board)) }

  func liftWhileWriting(round: Int, of count: Int) -> Duration? {
    let hand = Hand(board)
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.03 * Double(round))
      hand.lift()
    }
    return .seconds(60)
  }

  func present(_ wish: TagWish, to bench: BringUpBench) throws(ReaderError) -> Bool {
    try usual.present(wish, to: bench)
  }
  func layBack(_ uid: [UInt8], to bench: BringUpBench) throws(ReaderError) -> Bool {
    try usual.layBack(uid, to: bench)
  }
  func lift() throws(ReaderError) -> Bool { try usual.lift() }
  func cutPower() throws(ReaderError) -> ConnectionString? { try usual.cutPower() }
  func ask(_ question: String) throws(ReaderError) -> Bool? { nil }

  // `SimulatedReader.lay` with nothing touches the board alone, which may be used from any thread.
  private struct Hand: @unchecked Sendable {
    let board: SimulatedReader
    init(_ board: SimulatedReader) { self.board = board }
    func lift() { board.lay(nil) }
  }
}
