import Bytes
import PN532
import Testing

@testable import PN532Simulator

/// What `sim:` can be told to do otherwise than a genuine board and tag.
@Suite("Boards and tags that differ from their data sheets")
struct DeviationTests {
  private func bench(_ spec: String) throws -> Bench {
    let spec = try SimulatedTagSpec(parsing: spec)
    return Bench(try spec.tag(at: 0), deviations: [spec].board)
  }

  @Test("a copy of the chip: FAST_READ ends with 05h, InSelect is never answered")
  func clone() throws {
    let genuine = try bench("ntag213")
    let clone = try bench("ntag213,chip=clone")
    for bench in [genuine, clone] { #expect(bench.ask("4A0100").hasPrefix("4b0101")) }
    #expect(genuine.ask("423A0404") == "43000103a00c")
    #expect(clone.ask("423A0404") == "4305")
    #expect(clone.ask("40013004").hasPrefix("4100"))
    #expect(genuine.ask("5401") == "5500")
    #expect(clone.ask("5401") == "pending")
    #expect(clone.ask("40013004").hasPrefix("4100"))
  }

  @Test("after a refused authentication the chip refuses all until a tag is selected")
  func sticky() throws {
    let right = "40016004FFFFFFFFFFFF5A79379E"
    let bench = try bench("classic1k,auth14=yes,uid=5A79379E")
    #expect(bench.ask("4A0100").hasPrefix("4b01"))
    #expect(bench.ask(right) == "4100")
    #expect(bench.ask("40016004A0A1A2A3A4A55A79379E") == "4114")
    #expect(bench.ask(right) == "4114")
    #expect(bench.ask("5401") == "5500")
    #expect(bench.ask(right) == "4100")
    // A tag that is gone is told apart from a wrong key by a genuine chip only.
    bench.field.remove()
    #expect(bench.ask(right) == "4114")
  }

  @Test("a tag that ignores HLTA, and a chip that looks with WUPA, list one tag twice")
  func listedTwice() throws {
    let entry = "0044000704793a379e6c80"
    for spec in ["ntag213", "ntag213,halts=no", "ntag213,polls=wupa"] {
      let answer = try bench(spec).ask("4A0200")
      let count = spec == "ntag213" ? 1 : 2
      #expect(answer.count == 4 + count * (entry.count + 2), "\(spec): \(answer)")
    }
  }

  @Test("no FAST_READ: NAK and IDLE, as any unknown command")
  func fastRead() throws {
    let bench = try bench("ntag213,fastread=no")
    _ = bench.ask("4A0100")
    #expect(bench.ask("423A0404") == "4302")
    #expect(bench.ask("4260") == "4301")
  }

  @Test("a slow EEPROM: written, but answered after 12.8 ms")
  func slow() throws {
    for (patience, status) in [("08", "01"), ("0A", "00")] {
      let bench = try bench("ntag213,com=slow")
      _ = bench.ask("4A0100")
      #expect(bench.ask("3202000B" + patience) == "33")
      #expect(bench.ask("4001A20501020304") == "41" + status)
      #expect(bench.ask("40013005").hasPrefix("410001020304"))
    }
  }

  @Test("another SAK; 28h answers RATS, and MIFARE commands as APDUs")
  func sak() throws {
    #expect(try bench("classic1k,sak=18").ask("4A0100").hasPrefix("4b0101000418"))
    let card = try bench("classic1k,sak=28,uid=01020304")
    #expect(card.ask("4A0100") == "4b010100042804010203040578779402")
    #expect(card.ask("40016004FFFFFFFFFFFF01020304") == "41006e00")
    #expect(card.ask("1204") == "13")
    #expect(card.ask("320100") == "33")
    #expect(card.ask("4A0100") == "4b0101000428" + "0401020304")
    #expect(card.ask("40016004FFFFFFFFFFFF01020304") == "4100")
    #expect(card.ask("40013004").hasPrefix("4100"))
  }

  @Test("a random UID changes with the field, and authentication takes the one that shows")
  func randomUID() throws {
    let bench = try bench("classic1k,uid=random")
    func uid() -> String { String(bench.ask("4A0100").suffix(8)) }
    let first = uid()
    #expect(first.hasPrefix("08"))
    #expect(bench.ask("40016004FFFFFFFFFFFF" + first) == "4100")
    #expect(bench.ask("5401") == "5500")
    #expect(bench.ask("40016004FFFFFFFFFFFF" + first) == "4100")
    #expect(bench.ask("320100") == "33")
    let second = uid()
    #expect(second.hasPrefix("08") && second != first)
    #expect(bench.ask("40016004FFFFFFFFFFFF" + first) == "4114")
    _ = bench.ask("5401")
    #expect(bench.ask("40016004FFFFFFFFFFFF" + second) == "4100")
  }

  @Test("less memory than its name says, and a bit that is stuck")
  func cells() throws {
    let bench = try bench("ntag216,rows=45,stuck=81:0:1")
    _ = bench.ask("4A0100")
    #expect(bench.ask("4001A23011223344") == "4100")
    #expect(bench.ask("40013030").hasPrefix("410000000000"))
    #expect(bench.ask("4001A21411223344") == "4100")
    #expect(bench.ask("40013014").hasPrefix("410011233344"))
  }

  @Test("a FAST_READ of more than 65 pages ends with 07h, as no frame can hold it")
  func overflow() throws {
    let bench = try bench("ntag216")
    _ = bench.ask("4A0100")
    #expect(bench.ask("423A0040").count == 2 * 262)
    #expect(bench.ask("423A0041") == "4307")
    #expect(bench.ask("423A0042") == "4307")
    #expect(bench.ask("40013004").hasPrefix("4100"))
  }

  @Test("a tag that was selected by hand after the cipher was switched off is not deaf")
  func selectedByHand() throws {
    let bench = try bench("classic1k,uid=01020304")
    _ = bench.ask("4A0100")
    #expect(bench.ask("40016004FFFFFFFFFFFF01020304") == "4100")
    #expect(bench.ask("08633800") == "09")
    // REQA twice: the first is noise to a tag that expects the cipher.
    for request in ["08633D07", "08630200", "08630300"] { #expect(bench.ask(request) == "09") }
    #expect(bench.ask("4226") == "4301")
    #expect(bench.ask("4226") == "43000400")
    #expect(bench.ask("08633D00") == "09")
    #expect(bench.ask("429320") == "430001020304" + "04")
    for request in ["08630280", "08630380"] { #expect(bench.ask(request) == "09") }
    #expect(bench.ask("4293700102030404") == "430008")
    #expect(bench.ask("40016004FFFFFFFFFFFF01020304") == "4100")
  }

  @Test("a wrong CRC: NAK 1 from a Type 2 tag, NAK 5 from a Classic")
  func damagedFrame() throws {
    for (spec, code) in [("ntag213", "01"), ("classic1k", "05")] {
      let bench = try bench(spec)
      _ = bench.ask("4A0100")
      for request in ["08630200", "08630300"] { #expect(bench.ask(request) == "09") }
      #expect(bench.ask("4230040000") == "4300" + code)
      #expect(bench.ask("4230040000") == "4301", "\(spec) is IDLE after the NAK")
    }
  }

  @Test("an ISO-DEP card with a 4-byte UID")
  func shortISODEP() throws {
    let answer = try bench("type4,uid=01020304").ask("4A0100")
    #expect(answer == "4b010103042004010203040675778102" + "80")
  }

  @Test("short answers only: 07h for a longer one")
  func answers() throws {
    let bench = try bench("ntag216,answers=64")
    _ = bench.ask("4A0100")
    #expect(bench.ask("423A0413").count == 2 * 66)
    #expect(bench.ask("423A0414") == "4307")
  }

  // MARK: The wire

  private static let version = "0000ff02fed4022a00"
  private static let raise = "0000ff03fdd41007" + "1500"

  @Test("an adapter that cannot follow: the chip is out of reach until its power is cut")
  func adapter() throws {
    let bench = try bench("ntag213,baudmax=115200")
    let answer = bench.send(Self.version)
    #expect(answer.hasPrefix("0000ff00ff00"))
    #expect(bench.send(Self.raise).hasSuffix("d5111a00"))
    #expect(bench.send("0000ff00ff00").isEmpty)
    for speed in [LinkSpeed.baud115200, .baud921600] {
      #expect(bench.send("5555000000" + Self.version, speed: speed).isEmpty)
    }
    bench.line.powerCycle()
    _ = bench.send("5555000000000000")
    #expect(bench.send(Self.version) == answer)
  }

  @Test("long frames are damaged at high speeds, both ways")
  func longFrames() throws {
    let bench = try bench("ntag213,longframes=damaged")
    let long = Frame.command([0x00, 0x00] + [UInt8](repeating: 0x55, count: 200)).serialize()
    let echo = Frame.ack.serialize() + Frame.answer([0x01, 0] + long[8..<208]).serialize()
    #expect(bench.send(Hex.string(long)) == Hex.string(echo))
    #expect(bench.send(Self.raise).hasSuffix("d5111a00"))
    _ = bench.send("0000ff00ff00")
    #expect(bench.send(Self.version, speed: .baud921600).hasPrefix("0000ff00ff00"))
    #expect(bench.send(Hex.string(long), speed: .baud921600).isEmpty)
  }

  @Test("a late acknowledge and a late first byte")
  func late() throws {
    let spec = try SimulatedTagSpec(parsing: "ntag213,ack=40,firstbyte=1000")
    let bench = Bench(try spec.tag(at: 0), cold: true, deviations: [spec].board)
    _ = bench.send("5555000000000000")
    func delay() throws -> Duration? {
      let actions = bench.line.receive(try Hex.bytes(Self.version), bitsPerSecond: 115_200)
      guard case .delay(let time)? = actions.dropFirst().first else { return nil }
      return time
    }
    #expect(try delay() == .milliseconds(1040))
    #expect(try delay() == .milliseconds(40))
  }
}
