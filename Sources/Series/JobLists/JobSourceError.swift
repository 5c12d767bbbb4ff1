import RecordText

/// Why a job list cannot be used at all: full sentences.
public struct JobSourceError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The options do not go together.
    case usage
    /// The list is not what it should be.
    case badInput
    /// It cannot be read.
    case noInput
    /// Room for the check of a long list cannot be had.
    case noRoom
  }

  package let kind: Kind
  /// One sentence or more: what is wrong, and where.
  public let message: String
  /// With a list that has no message: a template that uses one of its columns.
  package let template: String?

  package init(_ kind: Kind, _ message: String, template: String? = nil) {
    (self.kind, self.message, self.template) = (kind, message, template)
  }

  public var description: String { message }
}

/// The error says what is wrong with one row.
public struct RowError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Line of the source, from 1, in which the row begins.
  public let line: Int
  /// The column's name, where it is one column's fault.
  public let column: String?
  /// A full sentence.
  public let message: String
  /// How a value keeps its separators.
  static let quoting = "Put a value that has separators in it in quotation marks."

  /// The row may be right: it is a file named in its message that cannot be read.
  let isUnreadableFile: Bool

  package init(line: Int, column: String? = nil, isUnreadableFile: Bool = false, _ message: String)
  {
    self.line = line
    self.column = column
    self.isUnreadableFile = isUnreadableFile
    self.message = message
  }

  /// `line 17, column code: It is empty.`
  public var description: String {
    "line \(line)\(column.map { ", column \(RecordTextError.plain($0))" } ?? ""): \(message)"
  }
}
