import Bytes
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One line of a file in `Vectors`: a name, then fields between bars.
struct Vector: Sendable, CustomTestStringConvertible {
  let name: String
  let fields: [String]

  var testDescription: String { name }

  /// Field `index` as bytes.
  func bytes(_ index: Int) throws -> [UInt8] { try Hex.bytes(fields[index]) }

  /// The lines of `Vectors/<file>.txt`; those that start with `#` are comments.
  static func load(_ file: String) throws -> [Vector] {
    let directory = URL(filePath: #filePath).deletingLastPathComponent()
    let data = try Data(contentsOf: directory.appending(path: "Vectors/\(file).txt"))
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    return lines.filter { !$0.hasPrefix("#") }.map { line in
      let fields = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { trimmed($0) }
      return Vector(name: fields[0], fields: Array(fields.dropFirst()))
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
