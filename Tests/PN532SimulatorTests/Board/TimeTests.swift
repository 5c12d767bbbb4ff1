import Foundation
import PN532
import PN532Simulator
import Testing

@Suite("Modelled time and statistics")
struct TimeTests {
  /// The time of the last of `commands` on a bench with `tag`, field on.
  private func time(
    _ commands: String..., tag: TestTag, speed: LinkSpeed = .baud115200
  ) -> TimeSplit {
    let bench = Bench(tag)
    _ = bench.ask("320101")
    if speed != .baud115200 {
      _ = bench.ask("10\("0\(speed.rawValue)")")
      bench.chip.hostAcknowledges()
    }
    for command in commands { _ = bench.ask(command) }
    return bench.chip.lastTime
  }

  private func milliseconds(_ duration: Duration) -> Double {
    (duration / .microseconds(10)).rounded() / 100
  }

  @Test("the link: ten bits a byte, ACK included, at the speed of the moment")
  func link() {
    let list = time("4a0100", tag: .type2())
    #expect(milliseconds(list.link) == 3.39, "39 bytes")
    let fast = time("4a0100", tag: .type2(), speed: .baud921600)
    #expect(milliseconds(fast.link) == 0.42)
    let read = time("4a0100", "40013000", tag: .type2())
    #expect(milliseconds(read.link) == 3.82, "44 bytes")
  }

  @Test(
    "the air: READ about 2 ms, activation about 4 ms, a missing tag what RFConfiguration allows")
  func air() {
    #expect((1.9...2.3).contains(milliseconds(time("4a0100", "40013000", tag: .type2()).rf)))
    #expect((3.0...4.5).contains(milliseconds(time("4a0100", tag: .type2()).rf)))
    let bench = Bench(TestTag.type2())
    _ = bench.ask("4a0100")
    bench.field.remove()
    _ = bench.ask("40013000")
    #expect((51.2...52).contains(milliseconds(bench.chip.lastTime.rf)))
    _ = bench.ask("3202000b07")
    _ = bench.ask("40013000")
    #expect((6.4...7.2).contains(milliseconds(bench.chip.lastTime.rf)))
  }

  @Test("a MIFARE authentication 2 ms, programming a page 4.1 ms, a block 3.1 ms")
  func eeprom() {
    let auth = "40016004ffffffffffff278b7034"
    #expect(milliseconds(time("4a0100", auth, tag: .classic()).rf) == 2)
    let page = time("4a0100", "4001a20501020304", tag: .type2())
    #expect(milliseconds(page.eeprom) == 4.1)
    let block = time("4a0100", auth, "4001a20501020304", tag: .classic())
    #expect(milliseconds(block.eeprom) == 3.1)
  }

  @Test("the adapter's latency counts for ACK and answer")
  func adapter() {
    var model = TimeModel()
    model.adapterLatency = .milliseconds(16)
    let bench = Bench(TestTag.type2(), model: model)
    _ = bench.ask("02")
    #expect(bench.chip.lastTime.adapter == .milliseconds(32))
  }

  @Test("in real time the line sends the ACK after its bytes and the answer after everything")
  func realtime() {
    let bench = Bench(TestTag.type2())
    let line = SerialLine(chip: bench.chip, realtime: true)
    let actions = line.receive(Command.listTypeA().framed, bitsPerSecond: 115_200)
    let delays = actions.map { action in
      if case .send(_, let delay) = action { delay } else { Duration.zero }
    }
    #expect(delays.reduce(.zero, +) == bench.chip.lastTime.total)
    #expect(milliseconds(delays[1]) == 1.48, "17 bytes")
  }

  @Test("statistics count commands, exchanges, authentications, EEPROM writes")
  func statistics() throws {
    let bench = Bench(TestTag.classic())
    for command in ["4a0100", "40016004ffffffffffff278b7034", "40013000", "4001a20501020304", "18"]
    {
      _ = bench.ask(command)
    }
    let statistics = bench.chip.statistics
    #expect(
      statistics.commands == [
        "SAMConfiguration": 1, "RFConfiguration": 1, "InListPassiveTarget": 1, "InDataExchange": 3,
        "command 18h": 1,
      ])
    #expect(statistics.commandCount == 7)
    #expect(statistics.rfExchanges == 4)
    #expect(statistics.authentications == 1)
    #expect(statistics.eepromWrites == 1)
    #expect(statistics.presentations == 1)
    #expect(statistics.time.total > statistics.time.link + statistics.time.rf)
  }

  @Test("work is what stands between opening and closing a reader")
  func work() {
    let bench = Bench(TestTag.type2())
    _ = bench.ask("02")
    #expect(bench.chip.statistics.work == Statistics.Work())
    for command in ["4a0100", "02", "4001a20501020304"] { _ = bench.ask(command) }
    let statistics = bench.chip.statistics
    _ = bench.ask("5200")
    #expect(statistics.work.commands == 3 && statistics.work.eepromWrites == 1)
    #expect(statistics.work.rfExchanges == statistics.rfExchanges)
    #expect(statistics.work.time.total < statistics.time.total)
    #expect(bench.chip.statistics.work == statistics.work)
  }

  @Test("a command that waits costs nothing while it waits")
  func waiting() {
    let bench = Bench(TestTag.type2())
    bench.field.remove()
    _ = bench.ask("3205ffffff")
    _ = bench.ask("4a0100")
    let before = bench.chip.statistics
    for _ in 0..<10 { _ = bench.chip.resume() }
    #expect(bench.chip.statistics == before)
  }

  @Test("statistics are text and JSON, times in milliseconds")
  func rendering() throws {
    var statistics = Statistics()
    statistics.commands = ["Diagnose": 2, "InDataExchange": 3]
    (statistics.rfExchanges, statistics.authentications) = (4, 1)
    (statistics.eepromWrites, statistics.presentations) = (2, 1)
    statistics.time.link = .microseconds(1250)
    statistics.time.rf = .milliseconds(3)
    #expect(
      statistics.description == """
        5 commands, 4 RF exchanges, 1 authentication, 2 EEPROM writes, 1 presentation
        modelled time 4.3 ms: link 1.3 ms, RF 3.0 ms
          InDataExchange: 3
          Diagnose: 2
        """)
    let json = String(decoding: try JSONEncoder().encode(statistics), as: UTF8.self)
    #expect(json.contains("\"linkMs\":1.25"))
    #expect(json.contains("\"totalMs\":4.25"))
    let decoded = try JSONDecoder().decode(Statistics.self, from: Data(json.utf8))
    #expect(decoded == statistics)
  }
}
