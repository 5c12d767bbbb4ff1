import Bytes
import RecordText
import TagMemory
import WebAddress

/// What only the tag at hand, or the moment, can fill in.
package struct TagFields: Hashable, Sendable {
  /// `{uid}`, `{uid:lower}`
  package let uid: UID
  /// `{counter}`, `{counter:6}`: the job's number.
  package let number: Int
  /// `{date}`: the day of programming in UTC, `2026-11-21`.
  package let date: String
  /// `{random:12}`: the code that was drawn; nil: none was.
  let code: String?
  /// Is true if `{mirror:uid}` and its like are filled with what is stored below a mirror, not with
  /// what the tag shows in its place.
  var hasPlaceholders = false

  /// The fields of a job that is programmed at a moment, in seconds since 1970.
  package init(uid: UID, number: Int, secondsSince1970: Int64) {
    self.init(uid: uid, number: number, made: Self.day(secondsSince1970))
  }

  /// The fields of a job of which is known what was filled in: the day, and behind a space the code
  /// that was drawn, where one was (`RandomCode`).
  package init(uid: UID, number: Int, made: String) {
    (self.uid, self.number) = (uid, number)
    (date, code) = Self.parts(of: made)
  }

  /// The day and the code in what a journal keeps.
  package static func parts(of made: String) -> (date: String, code: String?) {
    guard let space = made.firstIndex(of: " ") else { return (made, nil) }
    return (String(made[..<space]), String(made[made.index(after: space)...]))
  }

  /// Stands for every day in messages that are compared.
  package static let anyDay = "0000-00-00"

  /// Returns whether `message` is `pattern` with some day, or several, in the places of `anyDay`,
  /// and some code where it has none.
  package static func isSame(_ pattern: [UInt8], _ message: [UInt8]) -> Bool {
    guard pattern.count == message.count else { return false }
    let day = Array(anyDay.utf8)
    let code = [UInt8](repeating: CodeAlphabet.any, count: RandomCode.lengths.lowerBound)
    var index = 0
    while index < pattern.count {
      if pattern[index...].starts(with: day) {
        index += day.count
      } else if pattern[index...].starts(with: code) {
        while index < pattern.count, pattern[index] == CodeAlphabet.any {
          guard CodeAlphabet.contains(message[index]) else { return false }
          index += 1
        }
      } else {
        guard pattern[index] == message[index] else { return false }
        index += 1
      }
    }
    return true
  }

  /// Fields that take as much room as any tag's: a UID of so many bytes.
  static func longest(uidByteCount: Int, number: Int, byte: UInt8 = 0xA5) -> TagFields {
    var fields = TagFields(
      uid: UID([UInt8](repeating: byte, count: uidByteCount)), number: number, secondsSince1970: 0)
    fields.hasPlaceholders = true
    return fields
  }

  /// The date in the Gregorian calendar, its days counted from March so that leap days come last.
  package static func day(_ seconds: Int64) -> String {
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let ofEra = days - era * 146_097
    let years = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * years + years / 4 - years / 100)
    let march = (5 * ofYear + 2) / 153
    let day = ofYear - (153 * march + 2) / 5 + 1
    let month = march < 10 ? march + 3 : march - 9
    let year = years + era * 400 + (month <= 2 ? 1 : 0)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  /// `number` in decimal, zeros in front up to `width` digits.
  static func padded(_ number: some BinaryInteger, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

/// A field that is filled in when the tag is there.
enum TagField: Hashable, Sendable {
  case uid(lowercase: Bool)
  case counter(width: Int)
  case date
  /// `{mirror:uid}`: what the tag itself shows there as it is read.
  case mirror(ASCIIMirror.Content)
  /// `{check:luhn}`: what proves the digits of the field right before it.
  case check(CheckDigit)
  /// `{random:12}`: a code that no other job has.
  case random(count: Int)
  /// `{hmac:FILE:N}`: what only somebody with the key can make.
  case hmac(HMACField)
  /// `{U+2C}`: a character that is text here, and divides nothing.
  case character(Unicode.Scalar)

  static let names = ["uid", "counter", "date"]

  /// What stands between braces; nil when it is none of these. Fails for what such a field does not
  /// know.
  init?(_ text: String) throws(RecordTextError) {
    switch text {
    case "uid": self = .uid(lowercase: false)
    case "uid:lower": self = .uid(lowercase: true)
    case "counter": self = .counter(width: 1)
    case "date": self = .date
    case _ where text.hasPrefix("mirror:"):
      guard let content = ASCIIMirror.Content(name: String(text.dropFirst("mirror:".utf8.count)))
      else {
        throw Self.unknown(
          text, "there are {mirror:uid}, {mirror:counter} and {mirror:uid+counter}")
      }
      self = .mirror(content)
    case _ where text.hasPrefix("check:"):
      guard let kind = CheckDigit(rawValue: String(text.dropFirst("check:".utf8.count))) else {
        let known = CheckDigit.allCases.map { "{check:\($0)}" }
        throw Self.unknown(text, "there are \(known.joined(separator: ", "))")
      }
      self = .check(kind)
    case _ where text.hasPrefix("U+"):
      guard let code = UInt32(text.dropFirst(2), radix: 16), let scalar = Unicode.Scalar(code)
      else { throw Self.unknown(text, "a character's number in hexadecimal follows U+") }
      self = .character(scalar)
    case _ where text.hasPrefix("counter:"):
      guard let width = Int(text.dropFirst("counter:".utf8.count)), (1...20).contains(width)
      else { throw Self.unknown(text, "the width in {counter:N} is 1 to 20") }
      self = .counter(width: width)
    case _ where text.hasPrefix("random:"):
      guard let count = Int(text.dropFirst("random:".utf8.count)),
        RandomCode.lengths.contains(count)
      else { throw Self.unknown(text, "the length in {random:N} is 10 to 64") }
      self = .random(count: count)
    case "random": throw Self.unknown(text, "it needs a length, such as {random:16}")
    case _ where text.hasPrefix("hmac"):
      guard let field = try HMACField(text) else { return nil }
      self = .hmac(field)
    case _ where text.hasPrefix("uid:"): throw Self.unknown(text, "there are {uid} and {uid:lower}")
    case _ where text.hasPrefix("date:"): throw Self.unknown(text, "there is {date} alone")
    default: return nil
    }
  }

  /// Its text; `before` is that of the field right before it, nil where there is none; `read` reads
  /// files. Fails for a check of what cannot be checked, and for a code that was not drawn.
  func text(
    _ fields: TagFields, behind before: String?,
    reading read: (String) throws(RecordTextError) -> [UInt8]
  ) throws(RecordTextError) -> String {
    switch self {
    case .hmac(let field): try field.text(fields, reading: read)
    case .random(let count): try Self.code(fields, count)
    case .check(let kind): try kind.digits(behind: before)
    case .uid(let lowercase): lowercase ? fields.uid.hex : fields.uid.hex.uppercased()
    case .counter(let width): TagFields.padded(fields.number, width)
    case .date: fields.date
    case .mirror(let content) where fields.hasPlaceholders: content.placeholder
    case .mirror(let content):
      String(decoding: ASCIIMirror(content, page: 0, byte: 0).text(uid: fields.uid), as: UTF8.self)
    case .character(let scalar): String(scalar)
    }
  }

  private static func code(_ fields: TagFields, _ count: Int) throws(RecordTextError) -> String {
    guard fields.number <= RandomCode.mostJobs else {
      throw RecordTextError(
        .badInput, "{random:\(count)} tells \(RandomCode.mostJobs) jobs apart, and no more.")
    }
    if let code = fields.code, code.utf8.count == count { return code }
    guard fields.code == nil, fields.hasPlaceholders || fields.date == TagFields.anyDay else {
      throw RecordTextError(
        .badInput,
        "There is one code for a tag: all {random:N} of a message have the same length.")
    }
    return String(repeating: Character(Unicode.Scalar(CodeAlphabet.any)), count: count)
  }

  /// Is true if no two tags are given the same, whatever row they get: it is the tag's own, and not
  /// known before.
  var isUnique: Bool {
    switch self {
    case .uid, .mirror(.uid), .mirror(.uidAndCounter), .random: true
    case .hmac(let field): field.input == .uid
    // A job's number is known, and beside other fields it may make the message of another job.
    // Counters of different tags show the same.
    case .counter, .date, .character, .check, .mirror(.counter): false
    }
  }

  private static func unknown(_ text: String, _ reason: String) -> RecordTextError {
    RecordTextError(.badInput, "{\(text)} is not a field: \(reason).")
  }
}

extension CheckDigit {
  /// The digits of a field that proves the one right before it, whose text is `before`; nil: none
  /// stands there.
  func digits(behind before: String?) throws(RecordTextError) -> String {
    guard let before else { throw misplaced }
    do throws(Refusal) {
      return try digits(of: before)
    } catch {
      throw RecordTextError(
        .badInput,
        "{check:\(self)} does not prove \(RecordTextError.quoted(before)): \(error.reason).")
    }
  }

  /// It proves nothing where it stands.
  var misplaced: RecordTextError {
    RecordTextError(
      .badInput,
      "{check:\(self)} stands right behind the field whose digits it proves, such as {code}{check:\(self)}."
    )
  }
}
