/// What a board answered to the questions of `bring-up`: one object a reader.
package struct BringUpJSON: WireDocument {
  /// One question.
  package struct Point: Encodable {
    package var name: String
    /// `passed`, `failed`, `unclear` or `skipped`.
    package var verdict: String
    package var question: String
    package var expected: String
    package var seen: String
    /// What assumes the expected answer, where the verdict is `failed`: `Readers/Care.swift: Care`.
    package var place: String?
    /// What to do.
    package var remedy: String?
    package var durationMs: Int
    /// Each command to the chip and its answer, hexadecimal, in the order in which they were sent.
    package var frames: [Frame]

    package init(
      name: String, verdict: String, question: String, expected: String, seen: String,
      place: String?, remedy: String?, durationMs: Int, frames: [Frame]
    ) {
      (self.name, self.verdict, self.question) = (name, verdict, question)
      (self.expected, self.seen, self.place) = (expected, seen, place)
      (self.remedy, self.durationMs, self.frames) = (remedy, durationMs, frames)
    }
  }

  /// A command, its code first, and what followed D5 and the answer code.
  package struct Frame: Encodable {
    package var command: String
    package var answer: String?
    package var error: String?

    package init(command: String, answer: String?, error: String?) {
      (self.command, self.answer, self.error) = (command, answer, error)
    }
  }

  /// The safe choices for this reader, as `[boards."READER"]` of nfcprog.toml has them.
  package struct Limits: Encodable {
    package var baud: Int?
    package var fastRead: Int?
    package var slowTags: Bool?

    package init(baud: Int?, fastRead: Int?, slowTags: Bool?) {
      (self.baud, self.fastRead, self.slowTags) = (baud, fastRead, slowTags)
    }
  }

  package var command = "bring-up"
  package var reader: String
  package var firmware: String?
  package var version: String
  package var libnfc: String
  package var kernel: String?
  /// The kernel's driver of the serial line.
  package var driver: String?
  /// `passed`; `failed` where a point failed; `interrupted`.
  package var result: String
  package var passed: Int
  package var failed: Int
  package var unclear: Int
  package var skipped: Int
  package var points: [Point]
  /// Absent where none is needed.
  package var settings: Limits?
  /// The settings file that --apply has written them to.
  package var applied: String?

  package init(
    reader: String, firmware: String?, version: String, libnfc: String, kernel: String?,
    driver: String?, result: String, points: [Point], settings: Limits?, applied: String?
  ) {
    (self.reader, self.firmware) = (reader, firmware)
    (self.kernel, self.driver) = (kernel, driver)
    (self.version, self.libnfc, self.result) = (version, libnfc, result)
    (self.points, self.settings, self.applied) = (points, settings, applied)
    func count(_ verdict: String) -> Int { points.count { $0.verdict == verdict } }
    (passed, failed) = (count("passed"), count("failed"))
    (unclear, skipped) = (count("unclear"), count("skipped"))
  }
}
