import Testing

@testable import Settings

@Suite("Boards in the settings file")
struct BoardSettingsTests {
  private let name = "pn532_uart:/dev/serial/by-id/usb-FTDI-if00-port0"

  @Test("are read by the name of their reader")
  func read() throws {
    let file = try SettingsFile(
      parsing:
        "[boards.\"\(name)\"]\nbaud = 230400\nfast-read = 12\nslow-tags = true\n[boards.left]\n")
    #expect(
      file.boards == [
        name: .init(baud: 230_400, fastRead: 12, slowTags: true), "left": .init(),
      ])
  }

  @Test(
    "with a value that means nothing are refused with their line",
    arguments: [
      "baud = 100", "baud = 1288000", "baud = \"fast\"", "fast-read = 3", "fast-read = 61",
      "slow-tags = 1", "speed = 9600",
    ])
  func refused(_ line: String) {
    let error = #expect(throws: SettingsError.self) {
      try SettingsFile(parsing: "[boards.left]\n\(line)\n")
    }
    #expect(error?.line == 2, "\(String(describing: error))")
  }

  @Test("are written without a change to anything else")
  func written() throws {
    let before = """
      # the bench in room 4
      [readers]
      left = "usb:1-2"   # the old one

      [boards.left]
      # seen in May
      fast-read = 12
      [defaults]
      timeout = 2.5
      """
    let once = try SettingsFile.text(
      before, setting: .init(baud: 115_200, fastRead: 4), of: "left")
    #expect(
      once == """
        # the bench in room 4
        [readers]
        left = "usb:1-2"   # the old one

        [boards.left]
        baud = 115200
        # seen in May
        fast-read = 4
        [defaults]
        timeout = 2.5

        """)
    let twice = try SettingsFile.text(once, setting: .init(slowTags: true), of: name)
    #expect(twice == once + "\n[boards.\"\(name)\"]\nslow-tags = true\n")
    #expect(try SettingsFile.text(twice, setting: .init(slowTags: true), of: name) == twice)
  }

  @Test("are the first thing in a file that is not there yet; names with quotes are kept")
  func empty() throws {
    let text = try SettingsFile.text("", setting: .init(fastRead: 4), of: "a \"b\" \\ c")
    #expect(try SettingsFile(parsing: text).boards == ["a \"b\" \\ c": .init(fastRead: 4)])
  }

  @Test("are not written into a file that is written in a way that would lose something")
  func loss() throws {
    let inline = "boards = { left = { fast-read = 12 } }\n"
    #expect(throws: SettingsError.self) {
      try SettingsFile.text(inline, setting: .init(baud: 115_200), of: "left")
    }
    #expect(throws: SettingsError.self) {
      try SettingsFile.text("no = toml = file", setting: .init(baud: 115_200), of: "left")
    }
  }
}
