import ArgumentParser
import Testing

@testable import nfcprog

@Suite("Help")
struct HelpTests {
  static let commands: [any ParsableCommand.Type] =
    NFCProg.configuration.subcommands.flatMap { command in
      command.configuration.subcommands.isEmpty ? [command] : command.configuration.subcommands
    }

  @Test("groups the options of a command that writes a tag")
  func groups() {
    let help = NFCProg.helpMessage(for: WriteURL.self, columns: 100)
    let headings = help.split(separator: "\n").filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") }
    #expect(
      headings == [
        "ARGUMENTS:", "IPHONE APP:", "TAG:", "READER:", "OUTPUT:", "OPTIONS:",
      ])
    let all = NFCProg.helpMessage(for: WriteURL.self, includeHidden: true)
    #expect(all.contains("\nANDROID APP:\n") && all.contains("\nNTAG 424 DNA:\n"))
    #expect(NFCProg.helpMessage(for: Write.self).contains("\nMESSAGE:\n  --uri"))
  }

  @Test("leaves no more than four options outside a group", arguments: commands.indices)
  func ungrouped(_ index: Int) throws {
    let command = Self.commands[index]
    let help = NFCProg.helpMessage(for: command, columns: 1000).split(separator: "\n")
    let start = try #require(help.firstIndex(of: "OPTIONS:"))
    let names = help[(start + 1)...].prefix { $0.hasPrefix(" ") }
      .filter { $0.hasPrefix("  -") }.map { $0.drop { $0 == " " }.prefix { $0 != " " } }
    let own = names.filter { !["--version", "-h,"].contains($0) }
    #expect(own.count <= 4, "\(command.configuration.commandName ?? ""): \(own)")
  }

  @Test("is a sentence for each command, in plain words", arguments: commands.indices)
  func plain(_ index: Int) {
    let abstract = Self.commands[index].configuration.abstract
    #expect(abstract.hasSuffix(".") && abstract.first?.isUppercase == true, "\(abstract)")
    let help = NFCProg.helpMessage(for: Self.commands[index], columns: 1000).lowercased()
    let avoided = [
      "mends", "came to", "any longer", "stands in the way", "cut short", "for good",
      "cannot be so",
      "goes on",
    ]
    for words in avoided { #expect(!help.contains(words), "\(abstract) \(words)") }
  }
}
