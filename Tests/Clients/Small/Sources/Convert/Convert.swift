import Foundation
import NDEF
import TagDumps
import UniversalLinks

/// A converter without a bench: `Convert FROM TO [ASSOCIATION]` copies a dump into the format of
/// another file's name, and prints its message as JSON and what is wrong with an association file.
@main
enum Convert {
  static func main() throws {
    let paths = CommandLine.arguments.dropFirst()
    guard paths.count >= 2, let from = paths.first else { return print("Convert FROM TO [FILE]") }
    try convert(URL(filePath: from), to: URL(filePath: paths[paths.startIndex + 1]))
    if paths.count > 2, let file = paths.last {
      let findings = SiteAssociation.findings(parsing: try Data(contentsOf: URL(filePath: file)))
      for finding in findings { print("\(finding.severity.rawValue): \(finding.code.rawValue)") }
    }
  }

  private static func convert(_ from: URL, to file: URL) throws {
    let dump = try TagDump(parsing: Array(Data(contentsOf: from)))
    guard let format = DumpFormat(path: file.path) else {
      return print("\(file.lastPathComponent) has no ending of a dump.")
    }
    let missing = dump.unreadRows(withoutMarkIn: format)
    guard missing.isEmpty else { return print("Not known, and no zeros: \(missing)") }
    try Data(dump.serialize(as: format)).write(to: file)
    print("tag \(dump.image.uid) in \(file.lastPathComponent)")
    guard let bytes = dump.image.message else { return print("no message") }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(Message(parsing: bytes)), as: UTF8.self))
  }
}
