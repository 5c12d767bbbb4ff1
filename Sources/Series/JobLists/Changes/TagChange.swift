import CardCrypto
import NDEF
import RecordText
import TagMemory

/// What becomes of one tag's message: its first link is another, and all else stays.
package struct TagChange: Hashable, Sendable {
  /// The bytes of the message that the tag holds, and of the one that it is to hold.
  package let before: [UInt8]
  package let after: [UInt8]
  private let uid: UID
  private let from: String
  private let to: String
  /// The lines of the rule that counts, and of those that take the link, too.
  private let line: Int?
  private let others: [Int]

  /// Why a tag's message is not changed.
  package enum Refusal: Error, Hashable, Sendable {
    /// It has no link, or no rule takes the link.
    case noMatch(String)
    /// No message can be made by the rule.
    case defective(String)
    /// It holds its new message.
    case unchanged(String)
  }

  /// The tag's change by the first of `rules` that takes its link. `day`: what `{date}` stands for.
  package init(
    of message: Message, stored bytes: [UInt8], on uid: UID, by rules: ChangeRules, day: String
  ) throws(Refusal) {
    guard let (index, link) = message.firstLink else {
      throw .noMatch("The tag's message has no link.")
    }
    guard let (rule, captures, others) = rules.matches(link) else {
      throw .noMatch("No rule takes its link, \(RecordTextError.plain(link)).")
    }
    do {
      let made = try rule.link(of: captures, for: TagFields(uid: uid, number: 0, made: day))
      var records = message.records
      records[index] = try records[index].linking(to: made)
      after = try Message(records).serialize()
      guard case .uri(let new) = made.content else {
        throw RecordTextError(.badInput, "The new link makes no record.")
      }
      to = new.uri
    } catch {
      throw .defective(
        "No message can be made of its link, \(RecordTextError.plain(link)): \(error)")
    }
    guard to != link else {
      throw .unchanged("The tag holds its new link, \(RecordTextError.plain(link)).")
    }
    (before, self.uid, from, line) = (bytes, uid, link, rule.line)
    self.others = others.compactMap(\.line)
  }

  /// The job by which journals know it.
  package func job(number: Int) -> PlannedJob {
    var columns = [("from", from), ("to", to)]
    if let line { columns.append(("rule", "line \(line)")) }
    if !others.isEmpty {
      columns.append(("also", others.map { "line \($0)" }.joined(separator: ", ")))
    }
    let text = MessageTemplate.Record(option: "uri", text: Template.escaped(to))
    return PlannedJob(
      number: number, line: line ?? 0, offset: 0, name: RecordTextError.plain(to),
      message: MessageTemplate(records: [text]), tagType: nil, locks: false, hasPassword: false,
      columns: columns.map { PlannedJob.Column(name: $0.0, value: $0.1) },
      digest: Self.digest(of: uid, before, after))
  }

  /// Returns the digest of both messages. A job of a change has it as its row's digest.
  package static func digest(of uid: UID, _ before: [UInt8], _ after: [UInt8]) -> [UInt8] {
    SHA256.hash(uid.bytes + before + after)
  }
}

extension Message {
  /// The first record that is a link, by its number, and the link.
  package var firstLink: (index: Int, link: String)? {
    for (index, record) in records.enumerated() {
      switch record.content {
      case .uri(let link): return (index, link.uri)
      case .smartPoster(let poster): return (index, poster.uri.uri)
      case .absoluteURI(let link): return (index, link.uri)
      default: continue
      }
    }
    return nil
  }
}

extension Record {
  /// This record with the link of `made`: in a Smart Poster, all but its link stays.
  fileprivate func linking(to made: Record) throws(NDEFError) -> Record {
    guard case .smartPoster = content else { return try made.identified(by: id) }
    let inner = try Message(parsing: payload).records.map { (record) throws(NDEFError) in
      guard case .uri = record.content else { return record }
      return try made.identified(by: record.id)
    }
    return try Record(
      typeNameFormat, type: type, id: id, payload: try Message(inner).serialize())
  }
}
