import JSON

/// One rule of a site association: an element of `components`, or of the old `paths`.
///
/// developer.apple.com, applinks.Details.Components. What a component does not say itself was taken
/// from the `defaults` of its entry, then from those of the file.
package struct Component: Hashable, Sendable {
  /// What the `?` key asks of the query.
  package enum Query: Hashable, Sendable {
    /// The whole query.
    case whole(String)
    /// The values of named parameters, in the order of the file.
    case items([Item])
  }

  /// What is asked of the parameters of one name.
  package struct Item: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  /// The `/` key; nil matches every path.
  package let pathPattern: String?
  /// The `?` key; nil matches every query.
  package let query: Query?
  /// The `#` key; nil matches every fragment.
  package let fragmentPattern: String?
  /// Is true if links that match stay in the browser.
  package let isExclusion: Bool
  /// Is true if upper and lower case differ.
  package let isCaseSensitive: Bool
  /// Is true if the URL is compared as written; otherwise it is decoded first.
  package let isPercentEncoded: Bool
  package let comment: String?
  /// Is true if it stands in `paths`, the form of iOS 12 and earlier.
  package let isOldPath: Bool
  package let path: JSONPath
  package let position: JSONPosition
}

extension Component: CustomStringConvertible {
  /// What it asks for, such as `/ "/buy/*", ? id="??"`.
  package var description: String {
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
