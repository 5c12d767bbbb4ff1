import Bytes

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One line of a file in `Vectors/`: fields between bars, `#` starts a comment line.
struct Vector: CustomStringConvertible, Sendable {
  let fields: [String]

  var description: String { fields[0] }

  func bytes(_ index: Int) throws -> [UInt8] { try Hex.bytes(fields[index]) }

  static func load(_ name: String, file: String = #filePath) throws -> [Vector] {
    let directory = file.split(separator: "/").dropLast().joined(separator: "/")
    let data = try Data(contentsOf: URL(filePath: "/\(directory)/Vectors/\(name).txt"))
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { line in
        Vector(
          fields: line.split(separator: "|", omittingEmptySubsequences: false).map {
            let trimmed = $0.drop { $0 == " " }
            return String(
              trimmed.prefix(
                trimmed.lastIndex { $0 != " " }.map {
                  trimmed.distance(from: trimmed.startIndex, to: $0) + 1
                } ?? 0))
          })
      }
  }
}
