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
        "ARGUMENTS:", "IPHONE APP:", "ANDROID APP:", "TAG:", "PROOF:", "READER:", "OUTPUT:",
        "OPTIONS:",
      ])
    #expect(NFCProg.helpMessage(for: Write.self).contains("\nMESSAGE:\n  --uri"))
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
