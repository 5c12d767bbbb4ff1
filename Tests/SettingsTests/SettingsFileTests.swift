import SeededNumbers
import Testing

@testable import Settings

@Suite("The settings file")
struct SettingsFileTests {
  @Test("Readers, defaults and commands are read with the lines they stand on")
  func example() throws {
    let file = try SettingsFile(
      parsing: """
        # the bench in room 4
        [readers]
        left = "usb:1-2"
        "right one" = '/dev/serial/by-id/usb-FTDI-if00-port0'

        [defaults]
        timeout = 2.5
        reader = "left"
        key = ["A0A1A2A3A4A5", "000000000000"]

        [commands.write-url]
        quiet = true
        [commands.journal.verify]
        json = false
        """)
    #expect(
      file.readers == [
        "left": "usb:1-2", "right one": "/dev/serial/by-id/usb-FTDI-if00-port0",
      ])
    #expect(file.defaults.map(\.option) == ["timeout", "reader", "key"])
    #expect(file.defaults.map(\.line) == [7, 8, 9])
    #expect(file.defaults.first?.value == .texts(["2.5"]))
    #expect(file.defaults.last?.value == .texts(["A0A1A2A3A4A5", "000000000000"]))
    #expect(
      file.commands["write-url"] == [.init(option: "quiet", value: .flag(true), line: 12)])
    #expect(
      file.commands["journal.verify"] == [.init(option: "json", value: .flag(false), line: 14)])
    #expect(file.commandLines["write-url"] == 11)
  }

  @Test("An empty file, or one of comments, says nothing", arguments: ["", "\n\n", "# nothing\n"])
  func empty(text: String) throws { #expect(try SettingsFile(parsing: text) == SettingsFile()) }

  @Test(
    "What has no meaning is refused with its line",
    arguments: [
      ("\n\ntimeout = 5\n", 3, "unknown key \u{201C}timeout\u{201D}"),
      ("[defaults]\n[reader]\nleft = 'x'\n", 2, "unknown key \u{201C}reader\u{201D}"),
      ("[readers]\n\nleft = 5\n", 3, "left is not a text that names a reader"),
      ("[readers]\n\"a:b\" = 'x'\n", 2, "a reader's name has no"),
      ("[defaults]\ntimeout = 2026-11-21\n", 2, "timeout takes a text"),
      ("[defaults]\nkey = [[1]]\n", 2, "key takes a text"),
      ("[commands]\ntimeout = 5\n", 2, "[commands.NAME] belongs above"),
      ("[defaults]\n\ntimeout = \n", 3, ""),
      ("[defaults]\ntimeout = 1\ntimeout = 2\n", 3, ""),
      ("[defaults]\nreader = \"left\n", 2, ""),
      ("a = 1\u{0}\n", 1, "there is a zero byte"),
      ("\n[)efaults]\n", 2, "a heading is [NAME]"), ("[*]\n", 1, "a heading is [NAME]"),
      ("[\nx]\n", 1, "a heading is [NAME]"), ("[[ é]]\n", 1, "a heading is [NAME]"),
      ("[defaults]\nkey = [1, }\n", 2, "\u{201C}}\u{201D} closes no bracket"),
      ("[defaults]\nkey = [1,\u{A0}2]\n", 2, "there is a character outside quotes"),
      ("[defaults]\ntimeout = 2026-11-21Tnoon\n", 2, "a date has no meaning here"),
    ])
  func refusals(text: String, line: Int, reason: String) {
    let error = #expect(throws: SettingsError.self) { try SettingsFile(parsing: text) }
    #expect(error?.line == line)
    #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
  }
  @Test("What only looks odd stands in quotes, comments and lists")
  func oddities() throws {
    let file = try SettingsFile(
      parsing: """
        \u{FEFF}[ readers ] # [*]
        'a [*]' = "[)] \\" } é"
        [ "defaults" ]
        key = [ # [
          "}", '[*]',
        ]
        new-key = '''
        [*]
        '''
        timeout = 5
        """)
    #expect(file.readers == ["a [*]": "[)] \" } é"])
    #expect(file.defaults.contains { $0.value == .texts(["}", "[*]"]) })
    #expect(Set(file.defaults.map(\.option)) == ["key", "new-key", "timeout"])
  }

  @Test("No text ends the process")
  func fuzzed() {
    let seed = """
      # The bench in room 4: "readers", [defaults] and {commands}
      [readers]
      left = "usb:1-2"
      [defaults]
      key = ["A0", 'x', 1.5]
      [commands.write-url]
      a = { b = 1, "c" = 0x1F }
      """
    // A date is refused.
    let dated = seed.replacing("\n[commands", with: "\nd = 1979-05-27T07:32:00Z\n[commands")
    let pieces = [
      "[", "]", "{", "}", "\"", "'", "\n", "\r", " ", "\t", ".", ",", "=", "#", "*", "_", "+", "-",
      "0", "0x", "1e", "inf", "true", "\\", "\\u", "\u{7F}", "\u{1}", "é", "\u{2028}", "\u{85}",
      "\"\"\"", "'''", "1979-05-27", "T", "07:32", "\u{FEFF}",
    ].map { Array($0.utf8) }
    var (taken, refused) = (0, 0)
    var numbers = SeededGenerator(seed: 15481)
    for turn in 0..<2000 {
      var text = Array((turn % 4 == 3 ? dated : seed).utf8)
      // Most texts with several changes are refused, and many with one are taken.
      for _ in 0...(turn % 2 == 0 ? 0 : Int.random(in: 0...4, using: &numbers)) {
        let start = Int.random(in: 0...text.count, using: &numbers)
        let end = min(text.count, start + Int.random(in: 0...2, using: &numbers))
        text.replaceSubrange(start..<end, with: pieces.randomElement(using: &numbers) ?? [])
      }
      let given = String(decoding: text, as: UTF8.self)
      do {
        let file = try SettingsFile(parsing: given)
        // A comment behind it changes nothing of what was taken.
        let again = try SettingsFile(parsing: "\(given)\n# behind\n")
        #expect(again.readers == file.readers, "\(given)")
        #expect(
          again.defaults.map(\.option) == file.defaults.map(\.option)
            && again.defaults.map(\.value) == file.defaults.map(\.value), "\(given)")
        taken += 1
      } catch {
        #expect(!"\(error)".isEmpty && "\(error)".utf8.count < 1000, "\(given)")
        refused += 1
      }
    }
    #expect(taken > 100 && refused > 100, "\(taken) were taken, \(refused) refused")
  }
}
