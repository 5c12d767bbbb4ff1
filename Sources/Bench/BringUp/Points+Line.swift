import Bench
import LibNFCReaders
import PN532
import Readers

/// The serial line at higher speeds; last, since a board may be lost by it until its power is cut.
extension BoardQuestions {
  static let linePoints: [BringUpPoint] = [speeds, stray, unreachable]

  private static let steps: [LinkSpeed] = [.baud230400, .baud460800, .baud921600]
  private static let raising = BringUpPoint.CodePlace(
    module: "LibNFCReaders", file: "SerialBoard+Speed.swift", type: "SerialBoard.raise")

  private static func text(_ index: Int) -> [UInt8] {
    (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ index) }
  }

  /// Opens the reader at its usual speed again; by cutting the board's power where nothing else
  /// helps. False where that was not done.
  private static func returnHome(_ bench: BringUpBench) throws(ReaderError) -> Bool {
    do throws(ReaderError) {
      try bench.open()
      return true
    } catch {
      guard error != .interrupted, try bench.cutPower() else { return false }
      try bench.open()
      return true
    }
  }

  private static let speeds = BringUpPoint(
    name: "speeds", question: "Which speeds does the line carry?",
    expected: "200 bytes both ways at 230400, 460800 and 921600 baud, without a loss",
    wish: .nothing, place: raising,
    ask: { bench throws(ReaderError) in
      guard bench.isSerial else { return Evidence(obstacle: "the reader has no serial line") }
      if let doubt = bench.doubt { return Evidence(obstacle: "\(doubt); ask with --point speeds") }
      var evidence = Evidence()
      bench.carriedSpeed = .baud115200
      for speed in steps {
        evidence.numbers["asked"] = speed.bitsPerSecond
        do throws(ReaderError) {
          try bench.open(at: speed)
        } catch {
          if error == .interrupted { throw error }
          evidence.numbers["lost"] = speed.bitsPerSecond
          if try !returnHome(bench) { throw error }
          return evidence
        }
        let replies = try (0..<bench.rounds).map { index throws(ReaderError) in
          try bench.checkInterruption()
          let sent = text(index)
          return try bench.send("\(speed.bitsPerSecond)", .lineTest(sent)).answer == [0x00] + sent
        }
        evidence.numbers["good"] = replies.count { $0 }
        evidence.numbers["of"] = replies.count
        guard replies.allSatisfy(\.self) else { break }
        evidence.numbers["best"] = speed.bitsPerSecond
        bench.carriedSpeed = speed
      }
      if try !returnHome(bench) { throw .boardSilent(reader: bench.connection.text) }
      return evidence
    },
    judge: { evidence in
      let best = evidence.numbers["best"]
      if best == steps.last?.bitsPerSecond {
        return .passed(
          "all, \(evidence.numbers["of"] ?? 0) of \(evidence.numbers["of"] ?? 0) times")
      }
      let asked = evidence.numbers["asked"] ?? 0
      let seen =
        evidence.numbers["lost"] == nil
        ? "at \(asked) baud \(evidence.numbers["good"] ?? 0) of \(evidence.numbers["of"] ?? 0) frames arrived"
        : "the board was lost at \(asked) baud until its power was cut, or does not follow"
      let safe = best.flatMap(LinkSpeed.init(bitsPerSecond:)) ?? .baud115200
      return .failed(
        seen,
        "The setting baud = \(safe.bitsPerSecond) keeps the line at a speed that it carries.",
        BoardLimits(speed: safe))
    })

  private static let stray = BringUpPoint(
    name: "stray-speed",
    question: "Is the board found again after a killed program left it at a higher speed?",
    expected: "it is found at that speed and brought back", wish: .nothing,
    place: .init(
      module: "LibNFCReaders", file: "SerialBoard.swift", type: "SerialBoard.bringHome"),
    ask: { bench throws(ReaderError) in
      guard let line = bench.line() else {
        return Evidence(obstacle: "the reader has no serial line")
      }
      if let doubt = bench.doubt {
        try bench.open()
        return Evidence(obstacle: "\(doubt); ask with --point stray-speed")
      }
      // The highest speed of `speeds`; where that was not asked, the one at which a killed program
      // leaves the board.
      let speed = bench.carriedSpeed ?? .baud921600
      guard speed != .baud115200 else {
        try bench.open()
        return Evidence(obstacle: "the line carries no higher speed: see speeds")
      }
      guard try line.leave(at: speed) else {
        _ = try returnHome(bench)
        return Evidence(obstacle: "the board does not follow to \(speed.bitsPerSecond) baud")
      }
      var evidence = Evidence()
      let before = bench.powerCuts
      if try !returnHome(bench) { throw .boardSilent(reader: bench.connection.text) }
      evidence.numbers["strayed"] = bench.strayedTo?.bitsPerSecond
      evidence.numbers["cuts"] = bench.powerCuts - before
      return evidence
    },
    judge: { evidence in
      if let speed = evidence.numbers["strayed"] { return .passed("found at \(speed) baud") }
      if evidence.numbers["cuts"] == 0 {
        return .failed(
          "it was back at its usual speed by itself",
          "Nothing is harmed: such a board is found in any case. Send this report.")
      }
      return .failed(
        "it had to be switched off and on",
        "After a crash unplug the board for a moment. The setting baud = 115200 avoids that.",
        BoardLimits(speed: .baud115200))
    })

  private static let unreachable = BringUpPoint(
    name: "unreachable-speed",
    question: "Does the board stop answering when it is set to a speed that the port cannot make?",
    expected: "it answers at no speed until its power is cut", wish: .nothing,
    place: .init(
      module: "LibNFCReaders", file: "AutomaticSpeed.swift", type: "AutomaticSpeed"),
    onlyByName: "the board has to be unplugged afterwards",
    ask: { bench throws(ReaderError) in
      guard let line = bench.line() else {
        return Evidence(obstacle: "the reader has no serial line")
      }
      guard try line.sendAway() else {
        _ = try returnHome(bench)
        return Evidence(obstacle: "the board refused 1288000 baud")
      }
      var evidence = Evidence()
      evidence.numbers["reached"] = try line.isReachable() ? 1 : 0
      if try !returnHome(bench) { throw .boardSilent(reader: bench.connection.text) }
      return evidence
    },
    judge: { evidence in
      evidence.numbers["reached"] == 0
        ? .passed("it answered at none until its power was cut")
        : .failed(
          "it was found again",
          "Nothing is harmed: the program is more careful than this board needs. Send this report.")
    })
}
