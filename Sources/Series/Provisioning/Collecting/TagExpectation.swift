import JobLists
import LedgerSQLite
import TagMemory

/// The tags that a box is expected to hold.
package enum TagExpectation: Sendable {
  case list(TagList)
  /// The finished tags of a series.
  case journal(Journal)

  /// How many there are.
  package func count() throws(JournalError) -> Int {
    switch self {
    case .list(let list): list.rows.count
    case .journal(let journal): try journal.tally().written
    }
  }
}

/// Which tags of a list have come.
struct ExpectedTags {
  private let rows: [TagList.Row]
  private var hasCome: [Bool]
  private let byUID: [UID: Int]
  /// Rows without a UID, the next one last.
  private var byContent: [TagList.Content: [Int]] = [:]

  init(_ list: TagList) {
    rows = list.rows
    hasCome = rows.map { _ in false }
    byUID = Dictionary(rows.indices.compactMap { row in list.rows[row].uid.map { ($0, row) } }) {
      first, _ in first
    }
    for (index, row) in rows.enumerated().reversed() {
      guard row.uid == nil, let content = row.content else { continue }
      byContent[content, default: []].append(index)
    }
  }

  /// A tag has come that holds `message`; why it is none of these, nil where it is one.
  mutating func take(_ uid: UID, holding message: [UInt8]) -> TagTrouble? {
    var contents = [TagList.Content.message(message)]
    if let link = JournalSession.link(in: message) { contents.append(.link(link)) }
    if let index = byUID[uid] {
      hasCome[index] = true
      if let content = rows[index].content, !contents.contains(content) {
        return TagTrouble(
          .changed, "The list has something else on this tag, in line \(rows[index].line).")
      }
      return nil
    }
    for content in contents {
      guard let open = byContent[content] else { continue }
      guard let index = open.last else {
        return TagTrouble(.copy, "Each tag that the list has with this message was read before.")
      }
      byContent[content]?.removeLast()
      hasCome[index] = true
      return nil
    }
    return TagTrouble(.unknown, "The list has neither this tag nor what it holds.")
  }

  /// A tag has come that is not as wanted, or not as the list says.
  mutating func note(_ uid: UID) {
    if let index = byUID[uid] { hasCome[index] = true }
  }

  /// The tags that have not come.
  var missing: [CollectionResult.Missing] {
    zip(rows, hasCome).filter { !$1 }.map { row, _ in
      if let uid = row.uid { return .tag(uid) }
      if case .link(let link)? = row.content { return .content(link) }
      return .content("the message of line \(row.line)")
    }
  }
}
