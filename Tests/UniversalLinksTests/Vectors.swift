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

/// A case of a vectors file: the name in its first column, and the others.
struct VectorCase: CustomTestStringConvertible {
  let cells: [String]

  var testDescription: String { cells[0] }

  static func load(_ name: String, columns: Int) throws -> [VectorCase] {
    try vectorLines(name, columns: columns).map(VectorCase.init)
  }

  /// The parts of a column; a dash stands for none.
  func list(_ column: Int, separator: String = " ") -> [String] {
    cells[column] == "-" ? [] : cells[column].split(separator: separator).map(String.init)
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
        name: cells[0], file: siteAssociation(cells[1]), appID: appIdentifier(cells[2]),
        url: cells[3],
        outcome: cells[4], rule: cells[5])
    }
  }
}

/// The app ID that `app`, `app2` and `clip` stand for in vectors.
func appIdentifier(_ name: String) -> String {
  let app = "Q7K2M9P4ZX.com.example.app"
  return ["app": app, "app2": app + "2", "clip": app + ".Clip"][name] ?? name
}

/// The file that a column of a vectors file stands for.
func siteAssociation(_ cell: String) -> String {
  let space = cell.firstIndex(of: " ") ?? cell.endIndex
  let json = cell[space...].dropFirst()
  return switch cell[..<space] {
  case "components":
    #"{"applinks":{"details":[{"appIDs":["\#(appIdentifier("app"))"],"components":\#(json)}]}}"#
  case "paths":
    #"{"applinks":{"apps":[],"details":[{"appID":"\#(appIdentifier("app"))","paths":\#(json)}]}}"#
  case "applinks": #"{"applinks":\#(json)}"#
  default: String(json)
  }
}
