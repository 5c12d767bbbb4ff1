import Bytes

/// A report says what a telephone did with the messages of the test.
package struct PhoneTestReport: Hashable, Sendable {
  /// One message, and every tap on the board while it was there.
  package struct Result: Hashable, Sendable {
    package let message: PhoneTestMessage
    package let taps: [Tap]
    /// Says whether a person saw the telephone show or open it; nil: nobody has said.
    package let isShown: Bool?
    /// Is true if a person has ended the wait for a telephone.
    package let isSkipped: Bool

    package init(
      _ message: PhoneTestMessage, _ taps: [Tap], isShown: Bool?, isSkipped: Bool = false
    ) {
      (self.message, self.taps) = (message, taps)
      (self.isShown, self.isSkipped) = (isShown, isSkipped)
    }

    /// The tap that got furthest.
    package var best: Tap? {
      taps.max { ($0.isWhole ? 1 : 0, $0.readCount) < ($1.isWhole ? 1 : 0, $1.readCount) }
    }
  }

  /// As the person named it.
  package var reader: String
  /// Of nfcprog, with its commit, and of libnfc.
  package var version: String
  package var libnfc: String
  /// Nil where it is not known.
  package var kernel: String?
  package var results: [Result] = []
  package var isInterrupted = true

  package init(reader: String, version: String, libnfc: String, kernel: String?) {
    (self.reader, self.version, self.libnfc, self.kernel) = (reader, version, libnfc, kernel)
  }

  /// Each report begins with this line.
  package static let title = "Phone test of nfcprog"

  /// The table: a line for each message.
  package var table: [String] {
    [
      "| message | read | reads as | selections | ms | shown |",
      "| --- | --- | --- | --- | --- | --- |",
    ]
      + results.map { result in
        let cells =
          result.best.map { tap in
            [
              tap.isWhole
                ? "all \(tap.message.count) bytes"
                : "\(tap.readCount) of \(tap.message.count) bytes",
              tap.reader.rawValue, "\(tap.selectionCount)",
              "\(Int(tap.duration / .milliseconds(1)))",
            ]
          } ?? [result.isSkipped ? "skipped" : "nobody came", "", "", ""]
        let shown = result.isShown.map { $0 ? "yes" : "no" } ?? "not known"
        return "| " + ([result.message.rawValue] + cells + [shown]).joined(separator: " | ") + " |"
      }
  }

  /// The whole report: the table, and what was asked in which order.
  package var text: String {
    var lines = [
      Self.title, String(repeating: "=", count: Self.title.count), "",
      "Write here: the telephone, its system and version, its case, and what it showed.", "", "",
      "",
      "nfcprog \(version), libnfc \(libnfc), kernel \(kernel ?? "not known")", "reader \(reader)",
      "",
    ]
    lines += table
    if isInterrupted { lines += ["", "The test was not finished."] }
    for result in results {
      for (index, tap) in result.taps.enumerated() {
        lines += ["", "\(result.message.rawValue), tap \(index + 1) of \(result.taps.count)"]
        lines += tap.commands.map { command in
          let bytes = command.isEmpty ? "(empty)" : Hex.string(command)
          return "  \(TapCommandWords.text(of: command)): \(bytes)"
        }
        lines.append(tap.ending.map { "  gone: \($0)" } ?? "  gone; the chip has not said how")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
