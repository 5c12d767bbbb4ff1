import Foundation
import HTTPServing
import JSON

/// The words of a command line, and what else a client has sent with them.
struct Words: Sendable {
  var words: [String]
  /// The content of the file that the command reads.
  var content: [UInt8]?
  var confirm: String?
}

extension Command {
  /// Returns the words that `object` stands for. Throws for a member that is not known, or whose
  /// value cannot be.
  func words(_ object: [JSONMember], isDry: Bool) throws(Problem) -> Words {
    var given: Set<String> = []
    var (options, arguments): ([String], [String]) = ([], [])
    var result = Words(words: [])
    for sent in object {
      let name = sent.name
      guard let member = members.first(where: { $0.name == name }) else {
        throw Problem(
          .badRequest,
          "There is no member “\(name.prefix(60))” here: \(members.map(\.name).joined(separator: ", "))."
        )
      }
      guard given.insert(name).inserted else {
        throw Problem(.badRequest, "The object has the member “\(name)” twice.")
      }
      switch member.kind {
      case .content: result.content = try member.content(sent.value)
      case .records: options += try member.records(sent.value)
      case _ where name == "confirm": result.confirm = try member.values(sent.value).first
      case .flag: if try member.flag(sent.value) { options.append("--\(name)") }
      default:
        let values = try member.values(sent.value)
        if member.isArgument {
          arguments += values
        } else {
          options += values.map { "--\(name)=\($0)" }
        }
      }
    }
    if let missing = members.first(where: { $0.isRequired && !given.contains($0.name) }) {
      throw Problem(.badRequest, "The object needs the member “\(missing.name)”.")
    }
    if !given.contains("timeout") { options.append("--timeout=0") }
    if isDry, !options.contains("--dry-run") { options.append("--dry-run") }
    if name == "dump" { arguments = arguments.map { "tag.\($0)" } }
    result.words = [name] + options + ["--"] + words + arguments
    return result
  }
}

extension Member {
  fileprivate func flag(_ value: JSONValue) throws(Problem) -> Bool {
    guard let flag = value.bool else { throw problem("true or false") }
    return flag
  }

  /// The values as texts. What could be the name of a file or of a variable is none of a client's
  /// values.
  fileprivate func values(_ value: JSONValue) throws(Problem) -> [String] {
    switch kind {
    case .text(let longest): return [try text(value, upTo: longest)]
    case .choice(let words):
      guard let text = value.string, words.contains(text) else {
        throw problem("one of \(words.joined(separator: ", "))")
      }
      return [text]
    case .address(let word):
      let text = try text(value, upTo: 2000)
      guard text == word || text.lowercased().hasPrefix("https://") else {
        throw problem("\(word) or an https address")
      }
      return [text]
    case .hex: return [try hex(value)]
    case .texts(let longest):
      return try list(value) { value throws(Problem) in try text(value, upTo: longest) }
    case .hexes: return try list(value, hex)
    case .seconds(let most):
      guard case .number(let digits) = value.content, let seconds = Double(digits),
        (0...Double(most)).contains(seconds)
      else { throw problem("a number from 0 to \(most)") }
      return ["\(seconds)"]
    case .flag, .records, .content: return []
    }
  }

  private func text(_ value: JSONValue, upTo longest: Int) throws(Problem) -> String {
    guard let text = value.string, (1...longest).contains(text.unicodeScalars.count),
      !text.unicodeScalars.contains("\0")
    else { throw problem("a text of 1 to \(longest) characters") }
    return text
  }

  private func hex(_ value: JSONValue) throws(Problem) -> String {
    guard let text = value.string, (2...8192).contains(text.utf8.count),
      text.utf8.allSatisfy(Self.isDigit)
    else { throw problem("bytes in hexadecimal digits") }
    return text
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    Character(Unicode.Scalar(byte)).isHexDigit
  }

  private func list(
    _ value: JSONValue, _ one: (JSONValue) throws(Problem) -> String
  ) throws(Problem) -> [String] {
    guard let values = value.array, (1...100).contains(values.count) else {
      throw problem("an array of 1 to 100")
    }
    var texts: [String] = []
    for value in values { texts.append(try one(value)) }
    return texts
  }

  fileprivate func content(_ value: JSONValue) throws(Problem) -> [UInt8] {
    guard let text = value.string, let data = Data(base64Encoded: text), !data.isEmpty else {
      throw problem("bytes in Base64")
    }
    return Array(data)
  }

  /// The options of `write` that make records.
  static let recordNames = [
    "uri", "text", "lang", "id", "mime", "external", "android-app", "smart-poster", "wifi",
    "vcard", messageName,
  ]

  /// The option of `write` that takes a whole message: hexadecimal digits, where a person names a
  /// file.
  static let messageName = "ndef"

  fileprivate func records(_ value: JSONValue) throws(Problem) -> [String] {
    guard let records = value.array, (1...100).contains(records.count) else {
      throw problem("an array of 1 to 100 objects")
    }
    var options: [String] = []
    for record in records {
      guard let members = record.object, members.count == 1,
        Self.recordNames.contains(members[0].name)
      else {
        throw problem(
          "an array of objects, each with one of \(Self.recordNames.joined(separator: ", "))")
      }
      let value = try text(members[0].value, upTo: 30_000)
      if members[0].name == Self.messageName,
        !value.count.isMultiple(of: 2) || !value.utf8.allSatisfy(Self.isDigit)
      {
        throw problem("an array whose “ndef” is a message in hexadecimal digits")
      }
      options.append("--\(members[0].name)=\(value)")
    }
    return options
  }

  /// The value is never repeated: it may be a secret.
  private func problem(_ wanted: String) -> Problem {
    Problem(.badRequest, "The member “\(name)” is \(wanted).")
  }
}
