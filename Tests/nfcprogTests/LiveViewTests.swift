import Bench
import JSON
import JobLists
import LedgerSQLite
import Line
import NDEF
import Readers
import Synchronization
import TagMemory
import Testing

@testable import Provisioning
@testable import TagProgramming
@testable import nfcprog

@Suite("The live view of a line")
struct LiveViewTests {
  private func text(_ view: LiveView, width: Int = 80, height: Int = 24) -> [String] {
    view.lines(width: width, height: height, now: .seconds(90)).map { $0.map(\.text).joined() }
  }

  @Test("says in words what each station waits for, and what became of its tag")
  func words() {
    var view = LiveView(title: "a", stations: ["left", "right"], goal: 10)
    func word(after kind: LineEvent.Kind) -> String {
      view.take(LineEvent(station: 1, kind: kind))
      return view.places[1].word.order
    }
    #expect(word(after: .ready) == "PLACE TAG")
    let page = TagProgram.Step.writePage(4, [0, 0, 0, 0], .content)
    #expect(word(after: .progress(.step(number: 1, count: 3, page))) == "WRITING")
    let check = TagProgram.Step.checkPages(first: 4, [0])
    #expect(word(after: .progress(.step(number: 3, count: 3, check))) == "CHECKING")
    #expect(word(after: .finished(.made(.passed))) == "REMOVE – PASS")
    #expect(word(after: .finished(.made(.failed))) == "REMOVE – FAIL")
    #expect(word(after: .finished(.made(.held))) == "LAY DOWN AGAIN")
    #expect(word(after: .finished(.made(.left))) == "REMOVE – NOT WRITTEN")
    #expect(word(after: .severalTags([])) == "ONE TAG ONLY")
    #expect(word(after: .lost("unplugged")) == "READER AWAY")
    #expect(view.places[0].word == .starting, "the other station is as it was")
    #expect((view.passed, view.failed, view.held, view.left) == (1, 1, 1, 1))
  }

  @Test("tells progress, rate and the time that is left")
  func progress() {
    var view = LiveView(title: "a", stations: ["x"], goal: 40, before: 10)
    for _ in 0..<10 { view.take(LineEvent(station: 0, kind: .finished(.made(.passed)))) }
    let lines = text(view)
    #expect(lines[1] == "[##########··········] 20 of 40 done, 0 failed")
    #expect(lines[2] == "running 1:30, 400 tags an hour, about 3:00 left")
  }

  @Test(
    "a verdict that wants a hand stays until another tag lies there; a good one makes room at once",
    arguments: [TagOutcome.Verdict.failed, .held, .left, .passed])
  func stays(verdict: TagOutcome.Verdict) {
    var view = LiveView(title: "a", stations: ["x"], goal: 40)
    view.take(LineEvent(station: 0, kind: .finished(.made(verdict))))
    let word = view.places[0].word
    view.take(LineEvent(station: 0, kind: .ready))
    #expect(view.places[0].word == (verdict == .passed ? .place : word))
    view.take(LineEvent(station: 0, kind: .found(UID([9, 9, 9, 9]), number: 2)))
    #expect(view.places[0].word == .looking)
  }

  @Test("a verdict that was answered with a key makes room for the next tag")
  func answered() {
    var view = LiveView(title: "a", stations: ["x"], goal: 40)
    let outcome = TagOutcome.made(.left, cause: "foreign")
    view.take(LineEvent(station: 0, kind: .finished(outcome)))
    view.take(LineEvent(station: 0, kind: .stands(outcome)))
    #expect(view.places[0].word == .left)
    view.take(LineEvent(station: 0, kind: .early(UID([9, 9, 9, 9]), after: .made(.failed))))
    #expect(text(view).contains { $0.contains("TOO EARLY") })
    view.take(LineEvent(station: 0, kind: .ready))
    #expect(view.places[0].word == .place)
  }

  @Test(
    "a verdict that was answered while its tag lay there makes room as soon as that is taken away",
    arguments: [TagOutcome.Verdict.failed, .held, .left])
  func answeredAtOnce(verdict: TagOutcome.Verdict) {
    var view = LiveView(title: "a", stations: ["x"], goal: 40)
    view.take(LineEvent(station: 0, kind: .finished(.made(verdict))))
    view.take(LineEvent(station: 0, kind: .answered))
    view.take(LineEvent(station: 0, kind: .ready))
    #expect(view.places[0].word == .place && view.places[0].bin.isEmpty)
  }

  @Test("a tag that comes before a verdict was read is told in each way")
  func early() throws {
    let event = LineEvent(station: 0, kind: .early(UID([9, 9, 9, 9]), after: .made(.failed)))
    #expect(LineOutput.line(event)?.contains("TOO EARLY  09:09:09:09") == true)
    let object = JSONLine.text(try #require(LineJSON(event, reader: "r", advice: \.advice)))
    #expect(object.contains(#""event":"early""#) && object.contains(#""uid":"09090909""#))
    for (width, height) in [(120, 40), (80, 24), (60, 20)] {
      for stations in [1, 4] {
        let names = (0..<stations).map { "\($0)" }
        var view = LiveView(title: "a", stations: names, goal: 40)
        view.take(LineEvent(station: 0, kind: .finished(.made(.failed))))
        view.take(event)
        let lines = text(view, width: width, height: height)
        #expect(lines.contains { $0.contains("TOO EARLY") }, "\(width)x\(height), \(stations)")
      }
    }
  }

  @Test("the screen and the JSON name the same place for a tag, whatever its cause")
  func sameBin() {
    let causes =
      "lost no-tag reader interrupted refused mismatch unsuited internal released journal written "
      + "scrap foreign copy wrong-type random-uid not-genuine no-job changed unread no-scan other-journal in-use"
    for cause in causes.split(separator: " ") {
      for (verdict, isScrap) in [
        (TagOutcome.Verdict.failed, false), (.failed, true), (.left, false), (.held, false),
      ] {
        var outcome = TagOutcome.made(verdict, cause: String(cause))
        outcome.isScrap = isScrap
        let words = LineWords(outcome).bin
        let bin: TagOutcome.Bin =
          switch words {
          case "good", "good already": .good
          case "again", "try it again", "wait": .again
          case _ where words.hasSuffix("bin it"): .bin
          default: .aside
          }
        #expect(outcome.bin == bin, "\(verdict) \(cause): \(words)")
      }
    }
  }

  @Test(
    "a tag that slips and lies there again has its verdict again, counted once",
    arguments: [TagOutcome.Verdict.passed, .failed, .left])
  func slipped(verdict: TagOutcome.Verdict) {
    var view = LiveView(title: "a", stations: ["x"], goal: 40)
    view.take(LineEvent(station: 0, kind: .found(UID([1, 2, 3, 4]), number: 5)))
    let outcome = TagOutcome.made(verdict, uid: UID([1, 2, 3, 4]))
    view.take(LineEvent(station: 0, kind: .finished(outcome)))
    let before = view.places[0]
    view.take(LineEvent(station: 0, kind: .ready))
    view.take(LineEvent(station: 0, kind: .same(outcome)))
    #expect(view.places[0].word == before.word && view.places[0].bin == before.bin)
    #expect(!view.places[0].isFree)
    #expect(view.verdicts.count == 1 && view.passed + view.failed + view.left == 1)
  }

  @Test("tags to lay down again count down as they are finished or given up")
  func countdown() {
    let old = UID([8, 8, 8, 8])
    var view = LiveView(
      title: "a", stations: ["left"], goal: 40, waiting: [old: .init(text: "the tag of job 3")])
    func finish(_ verdict: TagOutcome.Verdict, _ uid: UID) -> String {
      let number = Int(uid.bytes[0])
      view.take(LineEvent(station: 0, kind: .found(uid, number: number)))
      view.take(LineEvent(station: 0, kind: .finished(.made(verdict, uid: uid))))
      return text(view)[1]
    }
    let (first, second) = (UID([1, 1, 1, 1]), UID([2, 2, 2, 2]))
    #expect(finish(.held, first).contains(", 2 to lay down again"))
    #expect(finish(.held, second).contains(", 3 to lay down again"))
    #expect(finish(.held, second).contains(", 3 to lay down again"), "one tag, held twice")
    #expect(text(view)[2].contains("again: tag 1 of left, tag 2 of left, the tag of job 3"))
    #expect(finish(.passed, first).contains(", 2 to lay down again"))
    #expect(view.verdicts[0].tag == 1, "the tag has the number that it had")
    #expect(finish(.failed, second).contains(", 1 to lay down again"))
    #expect(!finish(.passed, old).contains("lay down again"))
  }

  @Test("keeps the last ten verdicts, with their age, station, tag and job")
  func verdicts() throws {
    var view = LiveView(title: "a", stations: ["left", "right"], goal: 40)
    for number in 1...12 {
      let uid = UID([0, 0, 0, UInt8(number)])
      view.take(LineEvent(station: 1, kind: .found(uid, number: number)), now: .seconds(number))
      view.take(
        LineEvent(station: 1, kind: .finished(.made(.passed, uid: uid))), now: .seconds(number * 7))
    }
    #expect(view.verdicts.map(\.tag) == Array((3...12).reversed()))
    let lines = text(view, height: 40)
    let list = try #require(lines.firstIndex { $0.contains("the last verdicts") })
    #expect(lines[(list + 1)...].count == 10)
    #expect(lines[list + 1] == "6 s     right  ✔ PASS            tag 12, job 7 T-0007")
    #expect(lines[list + 6] == "41 s    right  ✔ PASS            tag 7, job 7 T-0007")
    #expect(lines[list + 10] == "1 min   right  ✔ PASS            tag 3, job 7 T-0007")
  }

  @Test("says which bin, in words of the line and without pages or hexadecimal")
  func bins() {
    func bin(_ verdict: TagOutcome.Verdict, _ cause: String, scrap: Bool = false) -> String {
      var outcome = TagOutcome.made(verdict, cause: cause, "Page 2Ch does not hold 0x1F.")
      outcome.isScrap = scrap
      let words = LineWords(outcome)
      #expect(!"\(words.bin) \(words.reason)".contains("2Ch"))
      return words.bin
    }
    #expect(bin(.failed, "mismatch", scrap: true) == "tag worn: bin it")
    #expect(bin(.failed, "lost") == "try it again")
    #expect(bin(.failed, "refused") == "set it aside")
    #expect(bin(.left, "written") == "good already")
    #expect(bin(.left, "foreign") == "foreign")
    #expect(bin(.left, "wrong-type") == "wrong type")
    #expect(bin(.left, "scrap") == "bin it")
    #expect(bin(.left, "a cause of later") == "set it aside")
  }

  @Test(
    "never takes more room than there is, and shows every station",
    arguments: [(80, 24), (60, 20), (160, 50), (120, 40), (40, 10), (20, 3), (80, 6), (1, 1)],
    [1, 2, 3, 4, 12, 32, 100])
  func fits(size: (Int, Int), stations: Int) {
    var view = LiveView(
      title: String(repeating: "title ", count: 40),
      stations: (0..<stations).map { "pn532_uart:/dev/ttyUSB\($0)" }, goal: 1000)
    for verdict in [TagOutcome.Verdict.held, .left, .passed, .failed] {
      for number in 0..<stations {
        view.take(
          LineEvent(
            station: number,
            kind: .finished(.made(verdict, String(repeating: "a long reason\n", count: 30)))))
      }
      let lines = text(view, width: size.0, height: size.1)
      #expect(lines.count <= size.1)
      #expect(lines.allSatisfy { $0.columns <= size.0 && !$0.contains(where: \.isNewline) })
    }
    if size.1 >= 24, stations <= 32 {
      let tiles = text(view, width: size.0, height: size.1).prefix { !$0.contains("last verdicts") }
      #expect(tiles.joined(separator: "\n").components(of: "FAIL") == stations)
    }
  }

  @Test(
    "up to four stations have their word in letters five lines high, from 60 columns and 20 lines on",
    arguments: [(60, 20), (80, 24), (120, 40)], [1, 2, 4])
  func large(size: (Int, Int), stations: Int) {
    let events: [LineEvent.Kind] = [
      .ready, .found(UID([1, 2, 3, 4]), number: 1), .finished(.made(.passed)),
      .finished(.made(.failed)),
      .finished(.made(.held)), .finished(.made(.left)), .severalTags([]), .lost("unplugged"),
      .ended,
    ]
    for event in events {
      var view = LiveView(
        title: "a", stations: (0..<stations).map { "pn532_uart:/dev/ttyUSB\($0)" }, goal: 9)
      for number in 0..<stations { view.take(LineEvent(station: number, kind: event)) }
      let lines = text(view, width: size.0 - 1, height: size.1 - 1)
      let rows = stations == 4 || (stations == 2 && size.0 < 60) ? 2 : 1
      #expect(lines.count { $0.contains("█") } >= 5 * rows, "\(event)")
      // Twelve characters tell the ends of such names apart.
      for number in 0..<stations {
        #expect(lines.contains { $0.contains("ttyUSB\(number)") })
      }
    }
  }

  @Test("readers keep the end of their names, and people may give them others")
  func names() throws {
    #expect("/dev/serial/by-id/usb-FTDI_A".tail(10) == "…sb-FTDI_A")
    #expect(try StationOptions.stationNames([], count: 2) == nil)
    #expect(try StationOptions.stationNames(["left,right"], count: 2) == ["left", "right"])
    #expect(try StationOptions.stationNames(["left", "right"], count: 2) == ["left", "right"])
    for wrong in [["left"], ["left,left"], ["left,"], ["a,b,c"]] {
      #expect(throws: BenchError.self) { try StationOptions.stationNames(wrong, count: 2) }
    }
  }

  @Test("keeps what tags and tables say from moving the cursor or turning the writing round")
  func harmless() {
    var view = LiveView(title: "a", stations: ["x\u{9B}2J"], goal: 1)
    let nasty = "\u{1B}[2J\u{07}\u{202E}\u{9B}gone"
    view.take(LineEvent(station: 0, kind: .lost(nasty)))
    let shown = text(view).joined()
    for scalar in ["\u{1B}", "\u{07}", "\u{202E}", "\u{9B}"] { #expect(!shown.contains(scalar)) }
    #expect(shown.contains("gone"))
  }

  @Test("a terminal without UTF-8 or colour gets none")
  func looks() {
    let line = [StyledText("█ ✔ REMOVE – PASS: Öl", .good)]
    func text(_ environment: [String: String]) -> String {
      LiveScreen.Look(environment, isSilent: true).text(line)
    }
    #expect(text([:]) == "\u{1B}[1;32m█ ✔ REMOVE – PASS: Öl\u{1B}[0m")
    #expect(text(["LANG": "de_DE.UTF-8", "NO_COLOR": "1"]) == "█ ✔ REMOVE – PASS: Öl")
    #expect(text(["LANG": "de_DE.ISO-8859-1", "NO_COLOR": "1"]) == "# + REMOVE - PASS: ?l")
    #expect(text(["TERM": "dumb", "NO_COLOR": "1"]) == "# + REMOVE - PASS: ?l")
    let banner = LineOutput.banner(LineEvent(station: 0, kind: .finished(.made(.failed))))
    #expect(banner.count == 6 && banner.joined().allSatisfy { "# ".contains($0) })
  }

  @Test("what stands on the terminal at the end stays, however often the end comes")
  func end() {
    let written = Mutex("")
    let view = LiveView(title: "a", stations: ["x"], goal: 40)
    let screen = LiveScreen(view, LiveScreen.Look(isSilent: true)) { text in
      written.withLock { $0 += text }
    }
    screen.take(LineEvent(station: 0, kind: .ready))
    screen.end()
    let last = written.withLock { $0 }
    #expect(last.contains("PLACE"))
    screen.end()
    screen.take(LineEvent(station: 0, kind: .ended))
    screen.say("Interrupted. 1904 jobs are left.")
    screen.end()
    #expect(written.withLock { $0 } == last + "Interrupted. 1904 jobs are left.\n")
  }

  @Test("TOO EARLY says what becomes of the last tag, by where that goes, and that the next stays")
  func orders() {
    let orders: [(TagOutcome, String)] = [
      (.made(.failed, cause: "released"), "BIN THE LAST TAG (17). LEAVE THIS ONE."),
      (.made(.left, cause: "foreign"), "SET THE LAST TAG (17) ASIDE. LEAVE THIS ONE."),
      (.made(.held), "KEEP THE LAST TAG (17) AND PUT IT ON THE READER AGAIN. LEAVE THIS ONE."),
      (.made(.left, cause: "written"), "PUT THE LAST TAG (17) WITH THE GOOD ONES. LEAVE THIS ONE."),
    ]
    for (var outcome, order) in orders {
      outcome.number = 17
      let event = LineEvent(station: 0, kind: .early(UID([9, 9, 9, 9]), after: outcome))
      #expect(LineOutput.line(event)?.contains(order) == true)
      for (width, height) in [(120, 40), (80, 24), (60, 20), (40, 8), (90, 4)] {
        var view = LiveView(title: "a", stations: ["x"], goal: 40)
        view.take(LineEvent(station: 0, kind: .finished(outcome)))
        view.take(event)
        let words = text(view, width: width, height: height).joined(separator: " ")
          .split(separator: " ").joined(separator: " ")
        // A terminal of few columns shows what it has room for.
        #expect(
          words.contains(width < 90 ? "LAST TAG (17)" : order), "\(width)x\(height): \(words)")
        #expect(!words.contains("BIN IT"))
      }
    }
  }
}

extension String {
  /// How often `part` stands in it.
  fileprivate func components(of part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
