import PN532
import Readers

/// The board alone: nothing lies on it.
extension BoardQuestions {
  static let boardPoints: [BringUpPoint] = [
    selfTest, firstByte, acknowledge, targetPoint,
  ]

  private static let testText = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) }

  private static let selfTest = BringUpPoint(
    name: "self-test", question: "Does the chip send 200 bytes back, and are its ROM and RAM good?",
    expected: "200 bytes as they were sent; ROM and RAM good", wish: .nothing,
    place: .init(module: "LibNFCReaders", file: "Checkup.swift", type: "Checkup"),
    ask: { bench throws(ReaderError) in
      try bench.send("firmware", .getFirmwareVersion)
      try bench.send("echo", .lineTest(testText))
      try bench.send("ROM", Command(.diagnose, [0x01]), timeout: .seconds(1))
      try bench.send("RAM", Command(.diagnose, [0x02]), timeout: .seconds(1))
      return Evidence()
    },
    judge: { evidence in
      let advice =
        "Replace the board, or repair its wiring and power supply; a faulty board may damage tags."
      guard evidence["echo"]?.answer == [0x00] + testText else {
        return .failed(
          "the 200 bytes came back as \(evidence["echo"]?.outcome ?? "nothing")", advice)
      }
      for name in ["ROM", "RAM"] where evidence[name]?.answer != [0x00] {
        return .failed(
          "the \(name) test ended with \(evidence[name]?.outcome ?? "nothing")", advice)
      }
      let firmware = evidence["firmware"]?.answer.flatMap { try? FirmwareVersion(parsing: $0) }
      return .passed("\(firmware.map { "\($0)" } ?? "unknown firmware"); all tests are good")
    })

  /// How long `SerialBoard.bringHome` waits at first, in milliseconds.
  private static let firstPatience = 60

  private static let firstByte = BringUpPoint(
    name: "first-byte", question: "How long after its wake-up does the board answer?",
    expected: "within \(firstPatience) ms", wish: .nothing,
    place: .init(module: "LibNFCReaders", file: "SerialBoard.swift", type: "SerialBoard.bringHome"),
    ask: { bench throws(ReaderError) in
      guard bench.isSerial else { return Evidence(obstacle: "the reader has no serial line") }
      var evidence = Evidence()
      // The shortest of three: a busy computer only ever makes it longer.
      for _ in 1...3 {
        // Closing sends the chip to sleep.
        guard let time = try bench.line()?.firstByte() else { continue }
        let milliseconds = Int(time / .milliseconds(1))
        evidence.numbers["ms"] = min(milliseconds, evidence.numbers["ms"] ?? milliseconds)
        try bench.open()
      }
      try bench.open()
      return evidence
    },
    judge: { evidence in
      let advice =
        "Opening the reader takes longer, and may have to be repeated. Nothing else is affected."
      guard let time = evidence.numbers["ms"] else {
        return .failed("no answer within 3 s", advice)
      }
      return time <= firstPatience ? .passed("\(time) ms") : .failed("\(time) ms", advice)
    })

  /// More than any line at 115200 baud takes for a short command, less than the 16 ms for which an
  /// FTDI adapter holds bytes back.
  private static let longestDelay = 10

  private static let acknowledge = BringUpPoint(
    name: "acknowledge", question: "How long does a short command to the chip take?",
    expected: "at most \(longestDelay) ms", wish: .nothing,
    place: .init(module: "LibNFCReaders", file: "AdapterLatency.swift", type: "AdapterLatency"),
    ask: { bench throws(ReaderError) in
      for _ in 1...20 { try bench.send("echo", .lineTest([0x5A])) }
      return Evidence()
    },
    judge: { evidence in
      let times = evidence.all("echo").filter { $0.answer != nil }.map(\.duration)
      guard let shortest = times.min() else {
        return .failed("no answer", "Check the wiring and the power supply.")
      }
      let milliseconds = Int(shortest / .milliseconds(1))
      guard milliseconds > longestDelay else { return .passed("\(milliseconds) ms") }
      return .failed(
        "\(milliseconds) ms at best",
        "The adapter delays short answers: set its latency to 1 ms (Docs/Bench.md, Line speed and latency). Until then jobs take longer; nothing else is affected."
      )
    })
}
