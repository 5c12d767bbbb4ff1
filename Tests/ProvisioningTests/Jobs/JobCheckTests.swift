import NDEF
import Synchronization
import TagMemory
import Testing
import UniversalLinks

@testable import JobLists

@Suite("The check of a job list")
struct JobCheckTests {
  private func lines(_ source: JobSource, limit: Int = 20, wake: WakeCheck? = nil) throws
    -> [String]
  {
    var check = JobCheck()
    check.limit = limit
    check.wake = wake
    return try check.report(on: source).lines
  }

  @Test("finds nothing in a good list and says how long its messages are")
  func good() throws {
    let source = try JobFile("code,tag\nA1,\nA2,ntag215\n")
      .table(("uri", "https://example.com/{code}?{uid}"), tag: "NTAG213")
    let report = try JobCheck().report(on: source)
    #expect(report.isGood)
    #expect(report.rowCount == 2)
    #expect(report.longestLength == 5 + 12 + 3 + 14)
  }

  @Test("holds links to GS1's form where that is asked for, and names the row")
  func contentRule() throws {
    let list = try JobFile("gtin,n\n0950600013435,1\n0950600013436,2\n12,3\n")
    var settings = JobSource.Settings()
    (settings.message, settings.content) = (
      MessageTemplate(records: [
        .init(option: "uri", text: "https://id.gs1.org/01/{gtin}2/21/{uid}{n}"),
        .init(option: "text", text: "{n}"),
      ]), .gs1
    )
    let lines = try lines(JobSource(.table(list.path), settings))
    #expect(lines.count == 2 && lines[0].contains("line 3") && lines[1].contains("line 4"))
    #expect(lines[0].contains("last digit would be 9") && lines[1].contains("14 digits"))
    settings.message = MessageTemplate(records: [.init(option: "text", text: "{gtin}")])
    #expect(try self.lines(JobSource(.table(list.path), settings)).count == 3)
  }

  @Test(
    "finds two rows that make one message, by whatever fields",
    arguments: ["{code}{counter}", "{counter}{code}", "{code}{counter:2}", "{code}{code}"])
  func collisions(template: String) throws {
    for round in 0..<40 {
      // Short codes of few characters, each once, in some order.
      let all = ["a", "a1", "1a", "11", "a2", "2", "1", "12", "b", "b1", "a11", "1a1"]
      let codes = (0..<24).map { number in
        let code = all[(number * (round + 5) + round) % all.count]
        return number < all.count ? code : "x\(number)" + code
      }
      let unique = codes.enumerated().filter { codes.firstIndex(of: $1) == $0 }.map(\.element)
      let source = try JobFile("code\n" + unique.joined(separator: "\n") + "\n").table(
        ("uri", "https://example.com/t/\(template)"))
      let messages = try messages(source)
      let doubled = messages.count - Set(messages).count
      let refused = try lines(source, limit: 99).count { $0.contains("the same message as") }
      #expect(refused == doubled, "\(unique)")
    }
    let list = "code\na1\n" + (2...10).map { "x\($0)\n" }.joined() + "a\n"
    let source = try JobFile(list).table(("uri", "https://example.com/t/\(template)"))
    #expect(
      try lines(source)
        == (template == "{code}{counter}" ? ["line 12: It has the same message as line 2."] : []))
  }

  private func messages(_ source: JobSource) throws -> [[UInt8]] {
    var all: [[UInt8]] = []
    try source.forEachJob { (row) throws in
      let job = try row.get()
      let fields = TagFields(uid: UID([4, 1, 2, 3]), number: job.number, made: TagFields.anyDay)
      all.append(try job.message.message(for: fields).serialize())
    }
    return all
  }

  @Test(
    "refuses a part of a path that is a step and no name",
    arguments: [".", "..", "%2e", "%2E%2e", ".%2E"])
  func steps(code: String) throws {
    for template in ["https://example.com/t/{code:raw}", "https://example.com/{code:raw}/t?a=b"] {
      let source = try JobFile("code\n\(code)\nA.\n..B\n").table(("uri", template))
      let found = try lines(source)
      #expect(
        found.count == 1
          && found[0].hasPrefix("line 2, column code: A part of the link's path is “"),
        "\(found)")
    }
    let last = try JobFile("code\nA\n").table(("uri", "https://example.com/{code}/.%2e"))
    #expect(try lines(last).first?.hasPrefix("line 2: A part of the link's path is “.%2e”") == true)
    // A step in the middle that the template has was meant; behind the path they are text.
    let meant = try JobFile("code\nA\n").table(
      ("uri", "https://example.com/a/../b?c={code:raw}"))
    #expect(try lines(meant).isEmpty)
    let source = try JobFile("code\n..\n").table(("uri", "https://example.com/t?c={code}#."))
    #expect(try lines(source).isEmpty)
  }

  /// Every place of a path with what a template has there, and every value.
  @Test("refuses a step to which a value gives anything, wherever it stands, and no other")
  func partsOfSteps() throws {
    let pieces = ["", ".", "%2e", "a", "a/", "/", "./", "/.", "\\"]
    let values = ["", ".", "..", "%2E", "A", "A.", "a/..", "../", "\\..", "."]
    var refused = 0
    for before in pieces {
      for behind in pieces {
        for value in Set(values) {
          let template = "https://example.com/x/\(before){code:raw:optional}\(behind)/y"
          let source = try JobFile("code,n\n\(value),1\n").table(("uri", template))
          let found = try lines(source).filter { $0.contains("A part of the link's path") }
          // The value's own parts, each with what stands beside it up to the next slash.
          func parts(_ text: String) -> [Substring] {
            text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
          }
          var own = parts(value)
          own[0] = (parts(before).last ?? "") + own[0]
          own[own.count - 1] += parts(behind)[0]
          let isStep = own.contains {
            [".", ".."].contains($0.lowercased().replacing("%2e", with: "."))
          }
          #expect(found.isEmpty != isStep, "\(before)|\(value)|\(behind): \(found)")
          refused += isStep ? 1 : 0
        }
      }
    }
    #expect(refused > 100)
  }

  @Test(
    "refuses a value in a link with a character that nobody sees",
    arguments: [
      "A1\u{200B}", "\u{FEFF}A1", "A\u{AD}1", "A1\u{A0}", "\u{2003}A1", "A\u{2060}1", "A\u{202E}1",
      "A\u{2066}1", "A1\u{85}", "A\u{2028}1", "A\u{1B}1", "A1\u{200D}", "\u{FE0F}A1", "é\u{200B}",
    ])
  func unseen(code: String) throws {
    for field in ["{code}", "{code:raw}"] {
      let source = try JobFile("code,n\n\(code),1\n").table(
        ("uri", "https://example.com/\(field)/x"))
      let found = try lines(source)
      #expect(found.count == 1 && found[0].contains("which nobody sees"), "\(found)")
    }
    // In a text it is the list's business, and a letter's own parts show.
    let text = try JobFile("code,n\n\(code),1\n").table(("text", "{code}"))
    #expect(try lines(text).isEmpty)
    let seen = try JobFile("code\n\u{2764}\u{FE0F}\n\u{6A9}\u{200C}\u{647}\ncafé 1\n").table(
      ("uri", "https://example.com/{code}"))
    #expect(try lines(seen).isEmpty)
  }

  @Test("refuses a password for tags that take none, whoever gives it")
  func passwords() throws {
    var check = JobCheck()
    check.protects = true
    let source = try JobFile("code,tag\nA,ntag203\nB,ntag213\nC,classic1k\n").table(
      ("uri", "https://example.com/{code}"))
    #expect(
      try check.report(on: source).lines == [
        "line 2: NTAG203 cannot be protected by a password.",
        "line 4: MIFARE Classic 1K cannot be protected by a password.",
      ])
  }

  @Test(
    "a list of one column is divided at commas",
    arguments: ["code\n", "code\r\n", "\u{FEFF}code\n"])
  func oneColumn(header: String) throws {
    let source = try JobFile(header + "A1,extra\nB2,\nC3\n\"D4,x\"\n").table(
      ("uri", "https://example.com/{code}"))
    let found = try lines(source)
    #expect(
      found.count == 1 && found[0].hasPrefix("line 2: The row has 2 fields, the header 1."),
      "\(found)")
    var names: [String] = []
    source.forEachJob { row in if case .success(let job) = row { names.append(job.name) } }
    #expect(names == ["B2", "C3", "D4,x"])
  }

  @Test("names every mistake by its line")
  func mistakes() throws {
    let long = String(repeating: "x", count: 140)
    let list = """
      code,url,tag,lock,password
      A1,https://example.com/1,ntag213,,
      A2,https://example.com/2,,,
      A1,https://example.com/3,,,
      A4,https://example.com/2,,,
      A5,example.com/5,,,
      A6,https://example.com/\(long),ntag213,,
      A7,https://example.com/\(long),ntag215,,
      A8,https://example.com/8,classic1k,,01020304
      A9,https://example.com/9,ultralight-nano,yes,
      A10,https://example.com/10
      A11,https://example.com/11,type4,yes,
      """
    #expect(
      try lines(JobFile(list).table()) == [
        "line 4, column code: “A1” is the code of line 2 too.",
        "line 5: It has the same message as line 3.",
        "line 6: “example.com/5” is not a URL: it does not begin with a scheme such as https://.",
        "line 7: The message has 157 bytes; a blank NTAG213 takes 137.",
        "line 9, column password: MIFARE Classic 1K cannot be protected by a password.",
        "line 10, column lock: MIFARE Ultralight Nano cannot be locked.",
        "line 11: The row has 2 fields, the header 5.",
        "line 12, column lock: NFC Forum Type 4 tag (ISO-DEP) cannot be locked.",
      ])
  }

  @Test("leaves room for the longest UID of the type of tag")
  func longestUID() throws {
    for (count, isGood) in [(92, true), (93, false)] {
      let path = String(repeating: "x", count: count)
      let source = try JobFile("p\n\(path)\n")
        .table(("uri", "https://example.com/{p}{uid}{uid}"), tag: "ntag213")
      #expect(try JobCheck().report(on: source).isGood == isGood)
    }
  }

  @Test("takes messages for different that a field of the tag makes different")
  func unique() throws {
    let file = try JobFile("a\nx\nx\n")
    #expect(try lines(file.table(("uri", "https://example.com/{a}"))).count == 1)
    #expect(try lines(file.table(("uri", "https://example.com/{a}/{date}"))).count == 1)
    #expect(try lines(file.table(("uri", "https://example.com/{a}/{uid}"))).isEmpty)
    #expect(try lines(file.table(("uri", "https://example.com/{a}/{counter}"))).isEmpty)
    // Written another way, the same all the same.
    let twice = try JobFile("url\nhttps://example.com/a b\nhttps://example.com/a%20b\n")
    #expect(try lines(twice.table()) == ["line 3: It has the same message as line 2."])
  }

  @Test("counts the mistakes that it does not show")
  func bounded() throws {
    let rows = (1...5000).map { _ in "x" }.joined(separator: "\n")
    let lines = try lines(JobFile("url\n" + rows).table(), limit: 3)
    #expect(lines.count == 4)
    #expect(lines.last == "and 4,997 more")
  }

  @Test("names a file that cannot be read once, and tells that from a mistake of the list")
  func unreadable() throws {
    let missing = ("mime", "a/b=@/nonexistent/nfcprog-file")
    let report = try JobCheck().report(on: JobFile("code\nA\nB\nC\n").table(missing))
    #expect(
      report.lines == [
        "line 2: /nonexistent/nfcprog-file cannot be read: No such file or directory."
      ])
    #expect(report.lacksFilesOnly && !report.isGood)
    let each = try JobFile("code\nA\nB\n").table(("mime", "a/b=@/nonexistent/{code}"))
    #expect(try lines(each).count == 2)
    let both = try JobCheck().report(
      on: JobFile("code\nA\n\"\"\n").table(("text", "{code}"), missing))
    #expect(both.lines.count == 2 && !both.lacksFilesOnly)
    let endless = try JobCheck().report(on: JobFile("code\nA\n").table(("mime", "a/b=@/dev/zero")))
    #expect(endless.lines == ["line 2: /dev/zero does not end within 65536 bytes."])
    #expect(!endless.lacksFilesOnly)
  }

  @Test("says that a list has no rows")
  func headerOnly() throws {
    #expect(try lines(JobFile("url\r\n").table()) == ["line 1: The list has no jobs."])
    #expect(try lines(JobFile("").codes(("text", "{code}"))) == ["line 1: The list has no jobs."])
  }

  @Test("holds links to the app that they shall wake, and asks each host once")
  func wake() throws {
    let file = """
      {"applinks":{"details":[{"appIDs":["Q7K2M9P4ZX.com.example.app"],
      "components":[{"/":"/t/*"}]}]}}
      """
    let asked = Mutex<[String]>([])
    let wake = WakeCheck(
      WakeCheck.Demand(appIDs: [], entitlement: nil) { host in
        asked.withLock { $0.append(host) }
        return host == "example.com" ? LinkCheck.Association(parsing: file.utf8, host: host) : nil
      })
    let list = """
      url
      https://example.com/t/1
      https://example.com/t/2
      https://example.com/x
      https://example.net/t/1
      https://example.net/t/2
      tel:+49
      """
    let lines = try lines(JobFile(list).table(), wake: wake)
    #expect(lines.map { $0.prefix(7) } == ["line 4:", "line 5:", "line 6:", "line 7:"])
    #expect(lines[0].contains("https://example.com/x"))
    #expect(asked.withLock { $0 } == ["example.com", "example.net"])
  }

  @Test(
    "holds a link with the UID to the app whichever tag it is on",
    arguments: [
      ("{uid}", "/t/*", true), ("{mirror:uid}", "/t/*", true), ("{uid}", "/t/A5*", false),
      ("{mirror:uid}", "/t/uid*", false), ("{mirror:uid}", "/t/04??????", false),
      ("{mirror:uid}", "/t/04????????????", true), ("{mirror:counter}", "/t/cntMIR", false),
      ("{mirror:counter}", "/t/??????", true), ("{uid:lower}", "/t/??????????????", true),
    ])
  func wakeOfAll(_ field: String, _ rule: String, _ isGood: Bool) throws {
    let file = """
      {"applinks":{"details":[{"appIDs":["Q7K2M9P4ZX.com.example.app"],"components":[{"/":"\(rule)"}]}]}}
      """
    let wake = WakeCheck(
      WakeCheck.Demand(appIDs: [], entitlement: nil) {
        LinkCheck.Association(parsing: file.utf8, host: $0)
      })
    let list = try JobFile("code\nA\n")
      .table(("uri", "https://example.com/t/\(field)"), tag: "NTAG213")
    #expect(try lines(list, wake: wake).isEmpty == isGood)
  }
}
