import Foundation
import Testing

@testable import nfcprog

/// What Docs/Changelog.md promises of 1.0.0, held against what stands.
@Suite("The promise of 1.0.0")
struct PromiseTests {
  /// The paragraph of the promise that begins with `heading`.
  private func paragraph(_ heading: String) throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Docs/Changelog.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.range(of: "- **\(heading):**")).upperBound
    let rest = text[start...]
    return String(rest[..<(rest.range(of: "\n- **")?.lowerBound ?? rest.endIndex)])
  }

  @Test("names every command that there is, and no other")
  func commands() throws {
    let promised = try paragraph("Commands").matches(of: /`([a-z0-9-]+)`/).map { String($0.1) }
    let there = try #require(CommandOptions.all(of: NFCProg.self)?.subcommands).map(\.commandName)
      .filter { $0 != "help" }
    #expect(Set(promised) == Set(there))
    #expect(promised.count == there.count)
  }

  @Test("names every exit status that there is, and no other")
  func exitCodes() throws {
    let promised = try paragraph("Exit codes").prefix { $0 != ":" }.matches(of: /\d+/)
      .compactMap { Int32($0.0) }
    let there = (Int32(0)...255).filter { ExitStatus(rawValue: $0) != nil }
    #expect(promised == there)
  }
}
