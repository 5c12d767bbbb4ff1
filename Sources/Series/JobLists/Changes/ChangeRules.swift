import Bytes
import CardCrypto
import RecordText
import WebAddress

/// The rules by which tags from the field get new links; the first that takes a tag's link counts.
package struct ChangeRules: Sendable {
  /// The word for such a series in journals.
  package static let kind = "rewrite"

  package let rules: [ChangeRule]
  private let name: String
  /// Rules for one link each, by it; and the others. By their numbers.
  private let exact: [String: Int]
  private let patterns: [Int]

  /// One rule.
  package init(from pattern: String, to template: String) throws(JobSourceError) {
    let rule: ChangeRule
    do throws(RecordTextError) {
      rule = try ChangeRule(from: pattern, to: template)
    } catch {
      throw JobSourceError(.badInput, error.message)
    }
    try self.init([rule], named: pattern)
  }

  /// The rules in the columns `from` and `to` of the table at `path`. Fails for a table that cannot
  /// be read or has no such columns, for a row that is no rule, and where two rows take the same
  /// links.
  package init(at path: String) throws(JobSourceError) {
    let file = try SourceFile.openTable(path, sheet: nil)
    let opening = try TableOpening(file)
    guard let from = opening.header.index(of: "from"), let to = opening.header.index(of: "to")
    else {
      throw JobSourceError(
        .badInput,
        "\(file.name) is no list of changes: it needs the columns from and to, and has \(opening.header.listed)."
      )
    }
    var table = TableRows(
      file, delimiter: opening.dialect.delimiter, quote: UInt8(ascii: "\""),
      names: opening.header.names, from: opening.dataStart)
    var rules: [ChangeRule] = []
    while let next = table.next() {
      do {
        let row = try next.get()
        func field(_ index: Int) -> String {
          row.fields.indices.contains(index) ? row.fields[index] : ""
        }
        rules.append(try Self.rule(line: row.line, field(from), field(to)))
      } catch {
        throw JobSourceError(.badInput, "\(file.name), \(error)")
      }
    }
    guard !rules.isEmpty else { throw JobSourceError(.badInput, "\(file.name) lists no changes.") }
    try self.init(rules, named: path)
  }

  private static func rule(
    line: Int, _ from: String, _ to: String
  ) throws(RowError) -> ChangeRule {
    for (column, text) in [("from", from), ("to", to)] {
      if let fault = SpreadsheetFault(text) {
        throw RowError(line: line, column: column, fault.sentence)
      }
    }
    do throws(RecordTextError) {
      return try ChangeRule(line: line, from: from, to: to)
    } catch {
      throw RowError(line: line, error.message)
    }
  }

  private init(_ rules: [ChangeRule], named name: String) throws(JobSourceError) {
    (self.rules, self.name) = (rules, name)
    var (exact, patterns, keys): ([String: Int], [Int], [[[UInt8]?]: ChangeRule]) = ([:], [], [:])
    for (number, rule) in rules.enumerated() {
      if let other = keys.updateValue(rule, forKey: rule.from.key) {
        throw JobSourceError(
          .badInput,
          "\(name), line \(rule.line ?? 0): \(RecordTextError.quoted(rule.from.text)) takes the same links as line \(other.line ?? 0), and nobody can say which counts."
        )
      }
      if case .text(let link)? = rule.from.pieces.first, rule.from.pieces.count == 1 {
        exact[String(decoding: link, as: UTF8.self)] = number
      } else {
        patterns.append(number)
      }
    }
    (self.exact, self.patterns) = (exact, patterns)
  }

  /// The rules that take a link, in their order, and what the places of the first have taken.
  func matches(_ link: String) -> (first: ChangeRule, [LinkPattern.Capture], others: [ChangeRule])?
  {
    guard let address = try? Address(parsing: link, from: .tag) else { return nil }
    let one = exact[LinkPattern.canonical(address)]
    var found: [(number: Int, captures: [LinkPattern.Capture])] = one.map { [($0, [])] } ?? []
    for number in patterns {
      guard let captures = rules[number].from.captures(in: address) else { continue }
      found.append((number, captures))
    }
    found.sort { $0.number < $1.number }
    guard let first = found.first else { return nil }
    return (
      rules[first.number], first.captures, found.dropFirst().map { rules[$0.number] }
    )
  }

  /// What a journal keeps of the rules, so that it notices others.
  package var description: SourceDescription {
    guard rules.count > 1 || rules.first?.line != nil else {
      return SourceDescription(
        kind: Self.kind, name: name,
        settings: rules.flatMap { [.init("from", $0.from.text), .init("to", $0.to)] })
    }
    let hash = SHA256()
    for rule in rules { hash.update(Array("\(rule.from.text)\0\(rule.to)\0".utf8)) }
    return SourceDescription(
      kind: Self.kind, name: name, settings: [.init("rules", Hex.string(hash.finalize()))])
  }
}
