import PN532
import Readers
import TagMemory
import TagProgramming

/// A MIFARE Classic that may be lost, taken away while its sector trailers are written.
extension BoardQuestions {
  static let liftingPoints: [BringUpPoint] = [liftedTrailers]

  /// How often the card is taken away.
  private static let liftCount = 5
  /// How often the command is given again: a hand may lay the card down badly.
  private static let repetitions = 3

  private static let liftedTrailers = BringUpPoint(
    name: "lifted-trailers",
    question:
      "Does the same command finish a card that was taken away while its sector trailers were written?",
    expected: "yes, \(liftCount) of \(liftCount) times, and every sector opens afterwards",
    wish: .expendableClassic,
    place: .init(
      module: "TagProgramming", file: "Families/Classic/TornKeys.swift", type: "TornKeys"),
    isAboutLooks: true,
    ask: { bench throws(ReaderError) in
      guard let card = try select(bench) else {
        return Evidence(obstacle: "the card was not found")
      }
      if let first = try BlankClassic(on: bench, sak: card.sak, isStrict: true).firstOther {
        return Evidence(
          obstacle:
            "the card is not blank, or has fewer sectors than its SAK says (sector \(first.index), with the key of delivery); nothing was written"
        )
      }
      var evidence = Evidence()
      do throws(ReaderError) {
        try lift(bench, card, &evidence)
      } catch {
        // What is there is put back as far as it lies there.
        if error == .interrupted { bench.resetAfterInterruption() }
        throw error
      }
      return evidence
    },
    judge: { evidence in
      guard let lifts = evidence.numbers["lifts"], lifts > 0 else {
        return .unclear("the card was not taken away while it was written")
      }
      let (trailers, finished) =
        (evidence.numbers["trailers"] ?? 0, evidence.numbers["finished"] ?? 0)
      let (open, sectors) = (evidence.numbers["open"] ?? 0, evidence.numbers["sectors"] ?? 0)
      let seen =
        "taken away \(lifts) times, \(trailers) of them within a trailer; finished \(finished) of \(lifts) times; \(open) of \(sectors) sectors open"
      if finished < lifts, open == sectors {
        return .failed(
          seen,
          "No sector is lost, but the command did not finish: its last frames in the report say why. Do not use this card."
        )
      }
      guard finished == lifts, open == sectors else {
        return .failed(
          seen,
          "Such a card can lose a sector if it is taken away too early: keep cards in a holder until the job has ended. Throw this card away, and send this report."
        )
      }
      guard trailers > 0 else { return .unclear("\(seen): ask again") }
      return .passed(seen)
    })

  /// Formats and resets the card until it is taken away, has it laid back, and gives the same
  /// command again; then resets it and counts what is as it was.
  private static func lift(
    _ bench: BringUpBench, _ card: SeenTag, _ evidence: inout Evidence
  ) throws(ReaderError) {
    var (lifts, trailers, finished) = (0, 0, 0)
    var job = Job.formatClassic(ClassicFormat())
    rounds: for round in 1...liftCount {
      guard let patience = try bench.liftWhileWriting(round: round, of: liftCount) else { break }
      let deadline = ContinuousClock.now + patience
      var isThere = true
      while isThere, ContinuousClock.now < deadline {
        let mark = bench.replyCount
        isThere = try bench.run(job, waiting: .seconds(2)).failure == nil
        if isThere {
          bench.forgetReplies(since: mark)
          job = job == .resetClassic ? .formatClassic(ClassicFormat()) : .resetClassic
        }
      }
      if isThere { break }
      lifts += 1
      if bench.lastWrite?.isTrailer == true { trailers += 1 }
      for _ in 1...repetitions {
        guard try bench.layBack(card.uid) else {
          evidence.obstacle = "the card was not laid back; nfcprog reset-classic finishes it"
          return
        }
        guard try bench.run(job, waiting: .seconds(2)).failure != nil else {
          finished += 1
          continue rounds
        }
      }
      break
    }
    (evidence.numbers["lifts"], evidence.numbers["trailers"]) = (lifts, trailers)
    evidence.numbers["finished"] = finished
    _ = try bench.run(.resetClassic, waiting: .seconds(2))
    try bench.open()
    let after = try BlankClassic(on: bench, sak: card.sak, isStrict: false)
    (evidence.numbers["open"], evidence.numbers["sectors"]) = (after.openCount, after.sectorCount)
    // What the lifts have destroyed is the answer itself.
    if lifts == finished, after.openCount == after.sectorCount, after.firstOther != nil {
      evidence.damage = "nfcprog reset-classic makes the card blank again."
    }
  }
}
