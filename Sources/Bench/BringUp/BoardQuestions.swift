import Bench
import LibNFCReaders
import PN532
import Readers

/// The questions that only a real board answers, asked one after another.
///
/// The points are values; what asks them is here, and what answers is a board behind
/// `BringUpBench`, with tags that a person (or a simulated board's owner) puts there.
package struct BoardQuestions {
  /// In the order in which they are asked: each tag is laid down once.
  package static let points: [BringUpPoint] =
    boardPoints + type2Points + type2WritingPoints + classicPoints + classicWritingPoints
    + liftingPoints + otherPoints + linePoints

  /// What became of one point.
  package struct Result: Hashable, Sendable {
    package var name: String
    package var question: String
    package var expected: String
    package var place: BringUpPoint.CodePlace
    package var judgement: Judgement
    /// What was sent and answered.
    package var replies: [Evidence.Reply]
    package var duration: Duration

    package init(
      _ point: BringUpPoint, _ judgement: Judgement, _ replies: [Evidence.Reply],
      _ duration: Duration
    ) {
      (name, question, expected) = (point.name, point.question, point.expected)
      (place, self.judgement) = (point.place, judgement)
      (self.replies, self.duration) = (replies, duration)
    }
  }

  /// The points called `names`; all but those that are only asked by name, where there are none.
  /// Fails with `usage` for a name that no point has.
  package static func points(named names: [String]) throws(BenchError) -> [BringUpPoint] {
    let known = Set(points.map(\.name))
    if let stranger = names.first(where: { !known.contains($0) }) {
      throw BenchError(
        .usage,
        "There is no point \u{201C}\(stranger)\u{201D}. Points are: \(points.map(\.name).joined(separator: ", "))."
      )
    }
    return names.isEmpty ? points : points.filter { names.contains($0.name) }
  }

  /// Asks `points`. `isNamed`: whether they were named, so that none is left out; `show` gets each
  /// result as it comes. A board that is lost is a result; the rest is skipped then.
  ///
  /// Throws `interrupted`.
  package static func run(
    _ points: [BringUpPoint], isNamed: Bool, on bench: BringUpBench, hands: any BringUpHands,
    show: (Result) -> Void
  ) throws(ReaderError) -> [Result] {
    var results: [Result] = []
    var lost: ReaderError?
    func conclude(
      _ point: BringUpPoint, _ judgement: Judgement, since start: ContinuousClock.Instant
    ) {
      let result = Result(point, judgement, bench.takeReplies(), start.duration(to: .now))
      results.append(result)
      show(result)
    }
    for point in points {
      let start = ContinuousClock.now
      if let lost {
        conclude(point, .skipped("the board was lost: \(lost)"), since: start)
        continue
      }
      if let reason = point.onlyByName, !isNamed {
        conclude(point, .skipped("\(reason); ask with --point \(point.name)"), since: start)
        continue
      }
      guard hands.begin(point) else {
        conclude(point, .skipped("the report has no frames of it"), since: start)
        continue
      }
      do throws(ReaderError) {
        guard try hands.present(point.wish, to: bench) else {
          conclude(point, .skipped("no such tag was put on the reader"), since: start)
          continue
        }
        _ = bench.takeReplies()
        var evidence = try point.ask(bench)
        evidence.replies = bench.takeReplies()
        var judgement = point.judgement(of: evidence)
        if let damage = evidence.damage {
          judgement = .failed("\(judgement.seen); the tag may not be as it was", damage)
        }
        let result = Result(point, judgement, evidence.replies, start.duration(to: .now))
        results.append(result)
        show(result)
      } catch {
        if error == .interrupted {
          conclude(point, .skipped("it was interrupted"), since: start)
          throw error
        }
        if let missing = hands.missing {
          conclude(point, .unclear(missing), since: start)
          if try bench.cutPower() { try bench.open() }
          continue
        }
        conclude(
          point,
          .failed(
            "\(error)", "Check the wiring and the power supply, then run the command again."),
          since: start)
        lost = error
      }
    }
    return results
  }

  /// The safe choices of all that failed.
  package static func limits(_ results: [Result]) -> BoardLimits {
    results.filter { $0.judgement.verdict == .failed }.map(\.judgement.setting)
      .reduce(BoardLimits()) { $0.joined(with: $1) }
  }
}
