import Bench
import LibNFCReaders
import PN532Simulator
import Readers

/// The hand at a simulated board: lays down whichever of its tags is asked for.
package final class SimulatedHands: BringUpHands {
  private let board: SimulatedReader
  /// What was laid down last.
  private var given: Int?

  /// `board` has tags that are laid down by hand: `SimulatedReader(_:isHandled:)`.
  package init(_ board: SimulatedReader) { self.board = board }

  /// The most presentations that are tried for a wish: more than any list that somebody typed.
  private static let most = 32

  package func present(_ wish: TagWish, to bench: BringUpBench) throws(ReaderError) -> Bool {
    guard wish != .nothing else {
      board.lay(nil)
      return true
    }
    for index in 0..<min(Self.most, board.presentationCount) {
      let tags = board.presentation(index).map(SeenTag.init)
      guard wish.isMet(by: tags) else { continue }
      board.lay(index)
      given = index
      return true
    }
    return false
  }

  /// Where each lift strikes: after so many trailers, with so many bytes of one written. Key A is
  /// torn, or nothing is, or the write ends and its answer is lost.
  private static let lifts = [(0, 3), (4, 0), (9, 5), (2, 16), (7, 1)]

  package func liftWhileWriting(round: Int, of count: Int) throws(ReaderError) -> Duration? {
    let (after, bytes) = Self.lifts[round % Self.lifts.count]
    board.liftWithinTrailer(after: after, bytes: bytes)
    return .seconds(60)
  }

  package func layBack(_ uid: [UInt8], to bench: BringUpBench) throws(ReaderError) -> Bool {
    board.lay(given)
    return true
  }

  package func lift() throws(ReaderError) -> Bool {
    board.lay(nil)
    return true
  }

  package func cutPower() throws(ReaderError) -> ConnectionString? {
    guard let port = try? board.cutPower() else { return nil }
    return try ConnectionString(port)
  }

  package func ask(_ question: String) throws(ReaderError) -> Bool? { nil }
}

extension SeenTag {
  fileprivate init(_ tag: any VirtualTag) {
    switch tag.technology {
    case .a: self.init(uid: tag.uid, sak: tag.sak)
    case .b: self.init(.typeB, uid: tag.uid)
    case .f: self.init(.feliCa, uid: tag.uid)
    case .topaz: self.init(.topaz, uid: tag.uid)
    }
  }
}
