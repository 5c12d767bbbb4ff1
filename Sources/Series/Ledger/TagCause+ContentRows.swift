/// What the tag is, or holds.
extension TagCause.Row {
  static let unsuited = Self("unfit for their job", "The tag cannot take its job") {
    $0.failed = .init(.aside, "wrong type", "it cannot take its job")
    ($0.left, $0.begun) = ($0.failed, .leftAlone)
  }

  static let written = Self("finished before", "It already holds its job") {
    $0.left = .init(.good, "good already", "it holds its job; put it with the good tags")
  }

  static let scrap = Self("set aside before", "It was set aside before") {
    $0.left = .bin("it was set aside before")
  }

  static let foreign = Self("with another message", "It holds another message") {
    $0.left = .init(.aside, "foreign", "it holds another message; it was not changed")
  }

  static let copy = Self("with another tag's message", "It holds the message of another tag") {
    $0.left = .init(.aside, "foreign, a copy", "it holds the message of another tag")
  }

  static let changed = Self("changed since", "Its content differs from its job") {
    $0.left = .aside("its content differs from its job")
    $0.onlyRead = .aside("its content is not what is expected")
  }

  static let unread = Self("not readable", "It cannot be read") {
    $0.left = .again("it cannot be read")
    $0.onlyRead = .aside("its content cannot be read")
  }

  static let wrongType = Self("of the wrong type", "No job fits this type of tag") {
    $0.left = .init(.aside, "wrong type", "no job fits this type of tag")
    $0.onlyRead = .init(.aside, "wrong type", "it is of another type")
  }

  static let randomUID = Self("with a changing UID", "Its UID changes each time") {
    $0.left = .init(.aside, "wrong type", "its number changes each time")
  }

  static let notGenuine = Self("not genuine", "Not genuine") {
    $0.left = .init(.aside, "not genuine", "its maker's signature is missing or wrong")
  }

  static let double = Self("read before", "It was read before") {
    $0.left = .init(.aside, "read before", "a tag with this number was read before")
  }

  static let noMatch = Self("without a rule", "No rule takes its link") {
    $0.left = .init(.aside, "no rule", "no rule takes its link; it was not changed")
  }

  static let otherJournal = Self("of another journal", "Another journal was used") {
    $0.left = .aside("another journal was used with this list")
  }

  static let notListed = Self("not in the list", "It is not in the list") {
    $0.left = .init(.aside, "not in list", "no row of the list names it; it was not changed")
  }
}
