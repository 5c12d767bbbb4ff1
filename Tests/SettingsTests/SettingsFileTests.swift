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
    ])
  func refusals(text: String, line: Int, reason: String) {
    let error = #expect(throws: SettingsError.self) { try SettingsFile(parsing: text) }
    #expect(error?.line == line)
    #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
  }
}
