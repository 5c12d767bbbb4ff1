import Bytes
import PN532
import PN532Simulator
import Testing

@Suite("InDataExchange and InCommunicateThru, UM0701-02 7.3.8 and 7.3.9")
struct ExchangeTests {
  private func selected(_ tag: TestTag) -> Bench {
    let bench = Bench(tag)
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    return bench
  }

  private let auth = "40016004ffffffffffff278b7034"

  @Test("a tag that has gone: timeout, 01h")
  func gone() {
    let bench = selected(.classic())
    bench.field.remove()
    #expect(bench.ask(auth) == "4101")
    #expect(bench.ask("40013004") == "4101")
    #expect(bench.ask("5401") == "5501")
    #expect(bench.ask("423004") == "4301")
  }

  @Test("another tag in its place is not spoken to")
  func swapped() {
    let bench = selected(.type2())
    let other = TestTag(uid: [4, 9, 9, 9, 9, 9, 9])
    bench.field.place([other])
    #expect(bench.ask("40013004") == "4101")
    #expect(bench.ask("5401") == "5501")
    #expect(other.heard.isEmpty)
  }

  @Test("a wrong key: 14h, then silence until the tag is selected again")
  func wrongKey() {
    let bench = selected(.classic())
    #expect(bench.ask("40016004000000000000278b7034") == "4114")
    #expect(bench.ask(auth) == "4101")
    #expect(bench.ask("5401") == "5500")
    #expect(bench.ask(auth) == "4100")
    #expect(bench.ask("40013000").hasPrefix("4100"))
  }

  @Test("AUTH takes twelve bytes, no more and no fewer")
  func authenticationLength() {
    let bench = selected(.classic())
    #expect(bench.ask("40016004ffffffffffff") == "syntax error")
    #expect(bench.ask("40016004ffffffffffff04278b70345566") == "syntax error")
    #expect(bench.ask("400160") == "syntax error")
  }

  @Test("an open sector shows in Status2, and ends with InSelect, a listing or the field")
  func openSector() {
    for ending in ["5401", "4a0100", "320100"] {
      let bench = selected(.classic())
      #expect(bench.ask(auth) == "4100")
      #expect(bench.ask("066338") == "0708")
      #expect(bench.ask("40013000").hasPrefix("4100"))
      _ = bench.ask(ending)
      #expect(bench.ask("066338") == "0700")
    }
    let bench = selected(.classic())
    #expect(bench.ask(auth) == "4100")
    #expect(bench.ask("5401") == "5500")
    #expect(bench.ask("40013000") == "4113", "READ without authentication is NAKed")
  }

  @Test("switching the cipher off under an open sector leaves the tag with noise")
  func cipherOff() {
    let bench = selected(.classic())
    #expect(bench.ask(auth) == "4100")
    #expect(bench.ask("08633800") == "09")
    #expect(bench.ask("40013000") == "4101")
    #expect(bench.ask("40013000") == "4101")
  }

  @Test("writes: A2 in one part, A0 in two; the chip turns the ACK into 00h and a NAK into 13h")
  func writes() {
    let tag = TestTag.type2()
    let bench = selected(tag)
    #expect(bench.ask("4001a205aabbccdd") == "4100")
    #expect(tag.eeprom.bytes[20..<24] == [0xAA, 0xBB, 0xCC, 0xDD])
    #expect(bench.ask("4001a006" + "0102030405060708090a0b0c0d0e0f10") == "4100")
    #expect(tag.eeprom.bytes[24..<28] == [1, 2, 3, 4])
    #expect(tag.heard.suffix(2).map(\.count) == [2, 16])
    #expect(bench.ask("4001a220aabbccdd") == "4113")
    #expect(bench.ask("4001a205aabbccdd") == "4101", "after the NAK the tag is IDLE")
  }

  @Test(
    "commands of a wrong length get the error frame",
    arguments: [
      "4001", "400130", "4001300000", "4001a205aabbcc", "4001a00601", "4001b0", "4001c105",
    ])
  func lengths(_ command: String) {
    #expect(selected(.type2()).ask(command) == "syntax error")
  }

  @Test("value operations: the operand is answered by silence, TRANSFER by an ACK")
  func valueOperations() throws {
    let card = try TagCatalog.tag("classic1k", uid: [0x27, 0x8B, 0x70, 0x34])
    var memory = card.eeprom.bytes
    let value = try Hex.bytes("05000000faffffff0500000004fb04fb")
    memory.replaceSubrange(64..<80, with: value)
    card.eeprom.load(memory)
    let bench = Bench(card)
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    #expect(bench.ask(auth) == "4100")
    #expect(bench.ask("4001c10402000000") == "4100")
    #expect(bench.ask("4001b004") == "4100")
    #expect(card.eeprom.bytes[64] == 7)
    #expect(bench.ask("4001c10502000000") == "4113", "block 5 is no value block")
  }

  @Test("Thru: with the CRC check a nibble is status 02h, without it one byte of four bits")
  func nibbles() {
    let bench = selected(.type2())
    #expect(bench.ask("42a205aabbccdd") == "4302")
    #expect(bench.ask("08630300") == "09")
    #expect(bench.ask("42a205aabbccdd") == "43000a")
    #expect(bench.ask("06633c") == "0704")
    #expect(bench.ask("42a220aabbccdd") == "430000")
  }

  @Test("Thru: without the CRC check the CRC comes with the data; without adding it the host must")
  func checksums() throws {
    let bench = selected(.type2())
    #expect(bench.ask("4260") == "43000004040201000f03")
    #expect(bench.ask("08630300") == "09")
    #expect(bench.ask("423000") == "4300000102030405060708090a0b0c0d0e0f" + "77f5")
    #expect(bench.ask("06633c") == "0700")
    #expect(bench.ask("08630200630380") == "09")
    #expect(bench.ask("42300002a8").hasPrefix("430000"), "CRC_A of 30 00 is 02 A8")
    #expect(bench.ask("423000ffff") == "4301")
    #expect(bench.ask("42300002a8") == "4301", "the damaged frame has sent the tag to IDLE")
  }

  @Test("activation by hand: REQA, anticollision and select over two levels, HLTA, WUPA")
  func byHand() throws {
    let tag = TestTag.type2()
    let bench = Bench(tag)
    _ = bench.ask("320101")
    _ = bench.ask("08630200630300633d07")
    #expect(bench.ask("4226") == "43004400")
    _ = bench.ask("08633d00")
    #expect(bench.ask("429320") == "430088047fa95a")
    _ = bench.ask("08630280630380")
    #expect(bench.ask("42937088047fa95a") == "430004")
    _ = bench.ask("08630200630300")
    #expect(bench.ask("429520") == "43009a1f668063")
    _ = bench.ask("08630280630380")
    #expect(bench.ask("4295709a1f668063") == "430000")
    #expect(tag.state == .active)
    #expect(bench.ask("425000") == "4301")
    #expect(tag.state == .halt)
    _ = bench.ask("08630200630300633d07")
    #expect(bench.ask("4226") == "4301")
    #expect(bench.ask("4252") == "43004400")
  }

  @Test("two tags at once collide in anticollision")
  func collision() {
    let bench = Bench(TestTag.classic([1, 2, 3, 4]), TestTag.classic([5, 6, 7, 8]))
    _ = bench.ask("320101")
    _ = bench.ask("08630200630300633d07")
    #expect(bench.ask("4226") == "43000400")
    _ = bench.ask("08633d00")
    #expect(bench.ask("429320") == "4306")
  }

  @Test("the contactless unit's buffer: what is put in goes out, the answer is fetched from it")
  func fifo() {
    let bench = selected(.type2())
    _ = bench.ask("0863310c633a80" + "633930633900")
    #expect(bench.ask("06633a") == "0702")
    _ = bench.ask("08633d80")
    #expect(bench.ask("06633a") == "0710")
    #expect(bench.ask("0663396339633963 39".replacing(" ", with: "")) == "0700010203")
  }

  @Test("after a poll in vain the REQA is left in the buffer, as nfcpy looks for it")
  func fifoAfterPoll() {
    let bench = Bench()
    bench.field.remove()
    #expect(bench.ask("4a0100") == "4b00")
    #expect(bench.ask("066339") == "0726")
  }

  @Test("ISO-DEP: APDUs go through the block protocol; blocks by hand are answered too")
  func isoDEP() {
    let bench = selected(.isoDEP())
    #expect(bench.ask("400100a40400") == "410000a404009000")
    // Whatever number an I-block has, the card answers with its own next one; R(NAK) with the other
    // one asks whether it is there.
    #expect(bench.ask("4203 00a40400".replacing(" ", with: "")) == "430003" + "00a404009000")
    #expect(bench.ask("42b3") == "430003" + "00a404009000", "the last block once more")
    #expect(bench.ask("42b2") == "4300a3")
    #expect(bench.ask("42c2") == "4300c2")
    #expect(bench.ask("42b2") == "4301")
    #expect(bench.ask("5401") == "5500")
    #expect(bench.ask("42b2") == "4300a3")
  }

  @Test("ISO-DEP: a long answer is fetched part by part; a command cannot be given in parts")
  func chaining() {
    let bench = selected(.isoDEP())
    let longest = String(repeating: "55", count: 262)
    #expect(bench.ask("4041" + longest) == "4110", "chaining by the host is for peers")
    let first = bench.ask("4001" + longest)
    #expect(first == "4140" + longest, "bit 6: more follows")
    #expect(bench.ask("4001") == "41009000")
    #expect(bench.ask("4001") == "syntax error", "nothing is left to fetch")
  }

  @Test("InDeselect keeps a target, InRelease forgets it")
  func release() {
    let bench = selected(.type2())
    #expect(bench.ask("4401") == "4500")
    #expect(bench.ask("40013000").hasPrefix("4100"), "woken by itself")
    #expect(bench.ask("5201") == "5300")
    #expect(bench.ask("40013000") == "4127")
  }
}
