import JSON

extension AppID.Fault {
  var code: Finding.Code {
    switch self {
    case .empty: .appIDEmpty
    case .missingPrefix: .appIDWithoutPrefix
    case .wildcard: .appIDWildcard
    case .lowerCasePrefix: .appIDLowerCase
    case .prefixLength: .appIDPrefixLength
    case .strayDot: .appIDStrayDot
    case .character: .appIDCharacter
    case .placeholder: .appIDPlaceholder
    }
  }

  func message(for text: String) -> String {
    let form = "An app ID is prefix, dot, bundle ID, such as Q7K2M9P4ZX.com.example.app."
    let name = JSONText.quoted(text)
    return switch self {
    case .empty: "The app ID is empty and names no app. \(form)"
    case .missingPrefix:
      """
      \(name) does not begin with an application identifier prefix (usually the team ID), so no \
      app has this ID. \(form)
      """
    case .wildcard: "\(name) holds a *: app IDs are compared as they stand. Name each app."
    case .lowerCasePrefix:
      """
      The prefix of \(name) has lower-case letters; prefixes are in upper case, and no app has \
      this ID. \(form)
      """
    case .prefixLength(let count):
      "The prefix of \(name) has \(count) characters; prefixes have 10. \(form)"
    case .strayDot: "\(name) has a dot too many, so no app has this ID. \(form)"
    case .placeholder(let part):
      """
      \(name) holds \(JSONText.quoted(part)), which stands in documentation for what is yours: no \
      app of yours has this ID. Put your own in its place.
      """
    case .character(let scalar):
      """
      \(name) holds \(JSONText.quoted(String(Character(scalar)))), which no app ID does. \(form)
      """
    }
  }
}
