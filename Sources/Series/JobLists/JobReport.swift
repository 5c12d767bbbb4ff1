import RecordText
import UniversalLinks

/// The result of checking a job list.
public struct JobReport: Hashable, Sendable {
  /// How many rows there are, those with mistakes included.
  public internal(set) var rowCount = 0
  /// The first mistakes, in the order of their lines.
  public private(set) var problems: [RowError] = []
  /// How many there are in all.
  public private(set) var problemCount = 0
  /// Is true if there were so many that the rest of the list was not looked at.
  package internal(set) var isCutShort = false
  /// How many of them are files that cannot be read.
  private var unreadableCount = 0
  /// The longest message in bytes.
  package internal(set) var longestLength = 0
  /// How many addresses are written otherwise than they were given.
  package private(set) var alteredCount = 0
  /// The first of them.
  package private(set) var altered: [AlteredAddress] = []
  /// What else is to be said of the list before the first tag.
  package internal(set) var remarks: [ListRemark] = []
  /// What may go wrong with the links of the list all the same, each once.
  package internal(set) var findings: [Finding] = []
  /// Is true if nothing is against the list but links of which it could not be found out what
  /// devices do.
  package internal(set) var isUndecidedOnly = false

  package init() {}

  /// Of a list that was found good before.
  package init(_ known: CheckedList, remarks: [ListRemark] = []) {
    (rowCount, longestLength, self.remarks) = (known.jobs, known.longest, remarks)
  }

  /// Is true if every row can be programmed.
  public var isGood: Bool { problemCount == 0 }

  /// Is true if there is nothing against the list but files that cannot be read.
  package var lacksFilesOnly: Bool { problemCount > 0 && unreadableCount == problemCount }

  /// The mistakes for people, a line each.
  public var lines: [String] {
    let rest = problemCount - problems.count
    let cut = isCutShort ? " in the first \(Self.grouped(rowCount)) rows" : ""
    return problems.map(\.description)
      + (rest > 0 ? ["and \(Self.grouped(rest)) more\(cut)"] : [])
  }

  mutating func add(_ problem: RowError, limit: Int) {
    if problem.isUnreadableFile {
      // Most lists name one file in the message of every row.
      guard !problems.contains(where: { $0.message == problem.message }) else { return }
      unreadableCount += 1
    }
    problemCount += 1
    if problems.count < limit { problems.append(problem) }
  }

  mutating func add(_ addresses: [AlteredAddress]) {
    alteredCount += addresses.count
    altered += addresses.prefix(max(0, 3 - altered.count))
  }

  /// `4,311`
  private static func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    return String(
      digits.indices.flatMap { index in
        index > 0 && (digits.count - index) % 3 == 0 ? [",", digits[index]] : [digits[index]]
      })
  }
}
