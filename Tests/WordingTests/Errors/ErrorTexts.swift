import Foundation
import Testing

/// The texts of an error type: where it is declared, and the text of a value of each of its cases.
struct ErrorTexts: CustomTestStringConvertible {
  /// The enum's name, without the type that it is nested in.
  let name: String
  /// With that type, where the name alone says little.
  let type: String?
  /// The file that declares it, below its layer's folder in `Sources`.
  let file: String
  /// Each case's name, and the text of a value of it.
  let rows: [(name: String, text: String)]
  /// Names that are not those of their values.
  let misnamed: [String]

  var testDescription: String { title }

  /// `SiteFetching: FetchError`.
  var title: String { "\(file.prefix { $0 != "/" }): \(type ?? name)" }

  /// The cases that the file declares.
  func declared(below sources: URL) throws -> Set<String> {
    let layers = try FileManager.default.contentsOfDirectory(
      at: sources, includingPropertiesForKeys: nil)
    let path = layers.map { $0.appending(path: file).path }
      .first { FileManager.default.fileExists(atPath: $0) }
    let source = try String(contentsOfFile: try #require(path), encoding: .utf8)
    return Declarations.cases(of: name, in: source)
  }

  init<Value>(
    _ name: String, _ file: String, in type: String? = nil,
    _ examples: KeyValuePairs<String, Value>,
    text: (Value) -> String = { "\($0)" }
  ) {
    (self.name, self.file, self.type) = (name, file, type)
    rows = examples.map { ($0.key, text($0.value)) }
    // A case without values tells its name to nobody; `declared` below finds it missing.
    misnamed = examples.compactMap { example in
      let label = Mirror(reflecting: example.value).children.first?.label
      return label == nil || label == example.key ? nil : example.key
    }
  }
}

extension ErrorTexts {
  /// Every error whose text is in the file that declares it.
  static let all: [ErrorTexts] =
    readers + addresses + fetching + bench + journals + messages + tagFaults + links + apps
    + simulator + sessions
}
