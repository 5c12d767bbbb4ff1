import Bench
import Settings
import Testing

@testable import nfcprog

@Suite("Settings: option > environment > file > default")
struct CommandLineSettingsTests {
  private func complete(
    _ given: [String], _ environment: [String: String] = [:], file text: String = ""
  ) throws -> CommandLineSettings {
    try CommandLineSettings(
      completing: given, of: NFCProg.self, environment: environment,
      file: try SettingsFile(parsing: text), path: "nfcprog.toml")
  }

  @Test("Without settings nothing is added")
  func nothing() throws {
    let given = ["write-url", "https://example.com", "--timeout", "3"]
    #expect(try complete(given, ["NFCPROG_READER": "sim:ntag213", "HOME": "/"]).arguments == given)
  }

  @Test("The environment fills in what the command line leaves out, the file what both leave out")
  func precedence() throws {
    let file = "[defaults]\ntimeout = 1\nbaud = 9600\nquiet = true\n[commands.info]\nbaud = 19200\n"
    #expect(
      try complete(["info"], file: file).arguments == [
        "info", "--baud=19200", "--timeout=1", "--quiet",
      ])
    #expect(
      try complete(["info"], ["NFCPROG_TIMEOUT": "2"], file: file).arguments
        == ["info", "--timeout=2", "--baud=19200", "--quiet"])
    #expect(
      try complete(
        ["info", "--timeout", "3", "-q", "--baud=auto"], ["NFCPROG_TIMEOUT": "2"], file: file
      )
      .arguments == ["info", "--timeout", "3", "-q", "--baud=auto"])
  }

  @Test(
    "The reader: the option, then NFCPROG_READER; only what a person typed is the person's mistake")
  func reader() throws {
    func name(_ option: String?, _ environment: [String: String], file: String = "") throws
      -> (name: String, isTyped: Bool)?
    {
      let settings = try complete(["info"], environment, file: file)
      return Preferences(settings, readers: [:], environment: environment).readerName(option)
    }
    let variable = ["NFCPROG_READER": "sim:ntag215"]
    #expect(try #require(try name("sim:ntag213", variable)) == ("sim:ntag213", true))
    #expect(try #require(try name(nil, variable)) == ("sim:ntag215", false))
    #expect(try name(nil, [:]) == nil)
    // What the file says stands on the completed command line.
    let file = "[defaults]\nreader = 'left'\n"
    #expect(try #require(try name("left", [:], file: file)) == ("left", false))
    #expect(try complete(["info"], variable, file: file).arguments == ["info"])
  }

  @Test("A flag is on or off; a list repeats the option; commands without an option do not get it")
  func values() throws {
    let file = "[defaults]\nquiet = false\nkey = ['A0A1A2A3A4A5', '000000000000']\n"
    #expect(
      try complete(["info"], ["NFCPROG_VERBOSE": "yes"], file: file).arguments
        == ["info", "--verbose", "--key=A0A1A2A3A4A5", "--key=000000000000"])
    #expect(try complete(["readers"], file: file).arguments == ["readers"])
  }

  @Test("An option displaces its rivals that stand further away")
  func rivals() throws {
    let file = "[defaults]\nverbose = true\nreader = 'left'\n"
    #expect(
      try complete(["info", "--quiet"], file: file).arguments
        == ["info", "--reader=left", "--quiet"])
    #expect(
      try complete(["info"], ["NFCPROG_READER": "sim:ntag213"], file: file).arguments
        == ["info", "--verbose"])
  }

  @Test(
    "What cannot be undone no setting asks for",
    arguments: [
      "force", "freeze-mirror", "lock", "lrp", "overwrite", "random-uid", "release-reserved",
      "rewrite", "start-over", "watch-loop",
    ])
  func consents(option: String) throws {
    let file = "[defaults]\nquiet = true\n[commands.provision]\n\(option) = true\n"
    for command in [["write-url", "https://example.com"], ["info"]] {
      let error = #expect(throws: BenchError.self) { try complete(command, file: file) }
      #expect(error?.status == .configuration)
      #expect(
        error?.message.hasPrefix(
          "nfcprog.toml, line 4: \(option): an option for something that cannot be undone") == true)
    }
    let name = CommandLineSettings.variable(option)
    let error = #expect(throws: BenchError.self) { try complete(["info"], [name: "1"]) }
    #expect(
      error?.message.hasPrefix("\(name): an option for something that cannot be undone") == true)
  }

  @Test("A variable whose name is nearly a setting's is refused, and others are other programs'")
  func misspelt() throws {
    for (name, meant) in [
      ("NFCPROG_REDER", "NFCPROG_READER"), ("NFCPROG_TIMEOUTS", "NFCPROG_TIMEOUT"),
      ("NFCPROG_PASWORD", "NFCPROG_PASSWORD"), ("NFCPROG_KEYFILE", "NFCPROG_KEY_FILE"),
    ] {
      let error = #expect(throws: BenchError.self) { try complete(["info"], [name: "1"]) }
      #expect(error?.message == "\(name) is no setting. Did you mean \(meant)?")
      #expect(error?.status == .configuration)
    }
    for name in ["NFCPROG_SOMETHING_NEW", "NFCPROG_COLUMN_CODE", "NFCPROG_TAG_NUMBER"] {
      #expect(try complete(["info"], [name: "1"]).arguments == ["info"])
    }
  }

  @Test(
    "An option of one value is given once, a flag and one of several values as often as wanted",
    arguments: [
      (["info", "--timeout", "3", "--timeout=4"], "timeout"),
      (["write-url", "https://example.com", "--aasa", "a", "--json", "--aasa", "b"], "aasa"),
      (["journal", "verify", "a", "--quiet", "--quiet"], nil),
      (["write", "--text", "a", "--text", "b", "--json", "--json"], nil),
      (["info", "--key", "A0A1A2A3A4A5", "--key", "FFFFFFFFFFFF"], nil),
      (["write-url", "--timeout", "1", "--", "--timeout", "--timeout"], nil),
    ])
  func twice(_ arguments: [String], _ name: String?) {
    #expect(CommandOptions.givenTwice(in: arguments, of: NFCProg.self) == name)
  }

  @Test("Help as a value is no call for help")
  func helpAsValue() throws {
    #expect(
      try complete(["write", "--text", "help"], ["NFCPROG_TIMEOUT": "2"]).arguments
        == ["write", "--timeout=2", "--text", "help"])
  }

  @Test("What is behind -- is no option, and help needs no settings")
  func edges() throws {
    #expect(
      try complete(["write-url", "--", "--timeout"], ["NFCPROG_TIMEOUT": "2"]).arguments
        == ["write-url", "--timeout=2", "--", "--timeout"])
    #expect(
      try complete(["info", "--help"], file: "[defaults]\nnonsense = 1\n").arguments == [
        "info", "--help",
      ])
  }

  @Test(
    "A name that nothing has, or a value of the wrong kind, is refused with its place",
    arguments: [
      (
        "[defaults]\n\ntime-out = 5\n",
        "nfcprog.toml, line 3: no command has an option \u{201C}time-out\u{201D}."
      ),
      (
        "[commands.wirte]\nquiet = true\n",
        "nfcprog.toml, line 1: there is no command \u{201C}wirte\u{201D}."
      ),
      (
        "[commands.readers]\ntimeout = 5\n",
        "nfcprog.toml, line 2: readers has no option \u{201C}timeout\u{201D}."
      ),
      (
        "[defaults]\ntimeout = true\n",
        "nfcprog.toml, line 2: timeout takes a value, not true or false."
      ),
      ("[defaults]\nquiet = 'maybe'\n", "nfcprog.toml, line 2: quiet is true or false."),
      ("[defaults]\ntimeout = [1, 2]\n", "nfcprog.toml, line 2: timeout takes one value."),
    ])
  func refusals(file: String, message: String) {
    let failure = #expect(throws: BenchError.self) { try complete(["info"], file: file) }
    #expect(failure?.status == .configuration)
    #expect(failure?.message == message)
  }

  @Test("A value that the parser refuses is traced to where it came from")
  func culprit() throws {
    let settings = try complete(
      ["info"], ["NFCPROG_BAUD": "fast"], file: "[defaults]\ntimeout = 3\n")
    let origin = settings.culprit { (try? NFCProg.parseAsRoot($0)) != nil }
    #expect(origin == "NFCPROG_BAUD")
    #expect(settings.origin(of: "timeout") == "nfcprog.toml, line 2")
    #expect(settings.origin(of: "reader") == nil)
  }

  @Test("The file is where the XDG Base Directory Specification puts it")
  func path() {
    #expect(Preferences.path(["HOME": "/home/a"]) == "/home/a/.config/nfcprog.toml")
    #expect(Preferences.path(["HOME": "/home/a", "XDG_CONFIG_HOME": "/x"]) == "/x/nfcprog.toml")
    #expect(
      Preferences.path(["HOME": "/home/a", "XDG_CONFIG_HOME": "x"])
        == "/home/a/.config/nfcprog.toml")
    #expect(Preferences.path(["NFCPROG_CONFIG": "c.toml", "HOME": "/"]) == "c.toml")
  }
}
