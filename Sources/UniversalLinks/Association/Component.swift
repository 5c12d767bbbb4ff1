/// One rule of a site association: an element of `components`, or of the old `paths`.
///
/// developer.apple.com, applinks.Details.Components. What a component does not say itself was taken
/// from the `defaults` of its entry, then from those of the file.
public struct Component: Hashable, Sendable {
  /// What the `?` key asks of the query.
  public enum Query: Hashable, Sendable {
    /// The whole query.
    case whole(String)
    /// The values of named parameters, in the order of the file.
    case items([Item])
  }

  /// What is asked of the parameters of one name.
  public struct Item: Hashable, Sendable {
    public let name: String
    public let value: String
  }

  /// The `/` key; nil matches every path.
  public let pathPattern: String?
  /// The `?` key; nil matches every query.
  public let query: Query?
  /// The `#` key; nil matches every fragment.
  public let fragmentPattern: String?
  /// Whether links that match stay in the browser.
  public let isExclusion: Bool
  /// Whether upper and lower case differ.
  public let isCaseSensitive: Bool
  /// Whether the URL is compared as written; otherwise it is decoded first.
  public let isPercentEncoded: Bool
  public let comment: String?
  /// Whether it stands in `paths`, the form of iOS 12 and earlier.
  public let isOldPath: Bool
  public let path: JSONPath
  public let position: JSONPosition
}

extension Component: CustomStringConvertible {
  /// What it asks for, such as `/ "/buy/*", ? id="??"`.
  public var description: String {
    var parts: [String] = []
    if let pathPattern { parts.append("/ " + JSONText.quoted(pathPattern)) }
    switch query {
    case .whole(let pattern): parts.append("? " + JSONText.quoted(pattern))
    case .items(let items):
      parts += items.map { "? " + $0.name + "=" + JSONText.quoted($0.value) }
    case nil: break
    }
    if let fragmentPattern { parts.append("# " + JSONText.quoted(fragmentPattern)) }
    let text = parts.isEmpty ? "everything" : parts.joined(separator: ", ")
    return isExclusion ? "not " + text : text
  }
}
