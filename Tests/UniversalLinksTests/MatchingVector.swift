import Testing
import UniversalLinks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Lines of a vectors file: columns parted by ` | `; empty lines and lines with `#` are not cases.
func vectorLines(_ name: String, columns: Int) throws -> [[String]] {
  let directory = #filePath.split(separator: "/").dropLast().joined(separator: "/")
  let text = try String(contentsOfFile: "/\(directory)/Vectors/\(name).txt", encoding: .utf8)
  return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
    let cells = line.split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
    try #require(cells.count == columns, "\(name).txt: \(line)")
    return cells
  }
}

/// One line of `Vectors/matching.txt`.
struct MatchingVector: CustomTestStringConvertible {
  let name: String
  let file: String
  let appID: String
  let url: String
  let outcome: String
  let rule: String

  var testDescription: String { name }

  static func load() throws -> [MatchingVector] {
    try vectorLines("matching", columns: 6).map { cells in
      MatchingVector(
        name: cells[0], file: file(cells[1]), appID: apps[cells[2]] ?? cells[2], url: cells[3],
        outcome: cells[4], rule: cells[5])
    }
  }

  private static let apps = [
    "app": "ABCDE12345.com.example.app", "app2": "ABCDE12345.com.example.app2",
    "clip": "ABCDE12345.com.example.app.Clip",
  ]

  private static func file(_ cell: String) -> String {
    let space = cell.firstIndex(of: " ") ?? cell.endIndex
    let json = cell[space...].dropFirst()
    let app = #"ABCDE12345.com.example.app"#
    return switch cell[..<space] {
    case "components":
      #"{"applinks":{"details":[{"appIDs":["\#(app)"],"components":\#(json)}]}}"#
    case "paths":
      #"{"applinks":{"apps":[],"details":[{"appID":"\#(app)","paths":\#(json)}]}}"#
    case "applinks": #"{"applinks":\#(json)}"#
    default: String(json)
    }
  }
}
