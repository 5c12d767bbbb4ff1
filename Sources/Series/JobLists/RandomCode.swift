import CardCrypto
import RecordText

/// The code that `{random:N}` stands for: drawn when a tag is there for the job, kept in the
/// journal before the tag is written, and no other job's.
///
/// Of its 5·N bits all but 24 come from the system's random numbers. The others are the job's
/// number under a mask that follows from those: so two jobs of a series never have one code,
/// wherever each was drawn, and nobody sees the order of the list in them.
package enum RandomCode {
  /// So many characters: 26 bits or more that do not follow from the job's number.
  static let lengths = 10...64
  /// The jobs of a series that codes can tell apart.
  static let mostJobs = 1 << 24

  /// Draws one for the job `number`.
  package static func draw(
    _ count: Int, forJob number: Int, using generator: inout some RandomNumberGenerator
  ) -> String {
    precondition(lengths.contains(count) && (1...mostJobs).contains(number))
    var values = (0..<count).map { _ in UInt8.random(in: 0..<32, using: &generator) }
    // The last five characters have 25 bits.
    let tail = count - 5
    values[tail] &= 0b10000
    for place in 1..<5 { values[tail + place] = 0 }
    let mask = SHA256.hash(Array(values[...tail])).prefix(3).reduce(0) { $0 << 8 | Int($1) }
    let low = mask ^ (number - 1)
    for place in 0..<5 { values[tail + place] |= UInt8(low >> (20 - 5 * place) & 31) }
    return CodeAlphabet.text(values)
  }

  /// Likewise, for a job of a list, with what else is kept of the moment: `2026-11-21 7K3M…`; `day`
  /// alone where the message has no such field. `kept`: the code that it had before.
  package static func made(
    on day: String, for job: PlannedJob, keeping kept: String? = nil
  ) -> String {
    guard let count = job.message.codeLength else { return day }
    var generator = SystemRandomNumberGenerator()
    let code = kept ?? draw(count, forJob: job.number, using: &generator)
    return "\(day) \(code)"
  }
}

extension MessageTemplate {
  /// How many characters the code of `{random:N}` has; nil where there is none.
  package var codeLength: Int? {
    for record in records where record.text.utf8.contains(UInt8(ascii: "{")) {
      for name in (try? Template(record.text))?.fields ?? [] {
        if case .random(let count)? = (try? TagField(name)) ?? nil { return count }
      }
    }
    return nil
  }
}
