/// A job and where it stands, as whoever looks on is shown it.
package struct ListedJob: Hashable, Sendable {
  /// Where it stands, for people.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// It waits: no tag holds it, though a bench may have claimed it.
    case pending
    /// A tag may hold it, and is being written or waited for.
    case reserved
    /// A tag holds it, read back.
    case written
    /// No message can be made of it.
    case failed
  }

  package let number: Int
  package let name: String
  package let state: State
  /// The list's own columns: `[["name","value"],…]`.
  package var columns = "[]"
  /// The UID of the tag that has it, or may have it.
  package var tag: [UInt8]?
  package var tagType: String?
  package var uri: String?
  /// The event that brought it there; nil: nothing happened to it.
  package var event: Event?

  package init(number: Int, name: String, state: State) {
    (self.number, self.name, self.state) = (number, name, state)
  }
}

/// Which jobs are asked for.
package struct JobFilter: Hashable, Sendable {
  package var state: ListedJob.State?
  /// Their name, or what it begins with.
  package var name: String?
  /// The UID of their tag.
  package var tag: [UInt8]?
  package var number: Int?
  /// What stands in their name, their link or one of their columns.
  package var text: SearchText?
  /// Jobs behind this one are not looked at.
  package var last: Int?

  package init(
    state: ListedJob.State? = nil, name: String? = nil, tag: [UInt8]? = nil, number: Int? = nil,
    text: SearchText? = nil, upTo last: Int? = nil
  ) {
    (self.state, self.name, self.tag, self.number) = (state, name, tag, number)
    (self.text, self.last) = (text, last)
  }
}

/// What somebody searches for: a text of a job's columns, a tag or a job's number.
package struct SearchText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }
}
