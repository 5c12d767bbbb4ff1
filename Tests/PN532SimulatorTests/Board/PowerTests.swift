import PN532
import PN532Simulator
import Testing

@Suite("Power and wake-up, UM0701-02 7.2.10 and 7.2.11")
struct PowerTests {
  private let version = "0000ff02fed4022a00"
  private let versionAnswer = "0000ff00ff000000ff06fad50332010607e800"

  @Test("after power-up the chip is deaf")
  func deaf() {
    let bench = Bench(cold: true)
    #expect(bench.chip.powerMode == .lowVbat)
    #expect(bench.ask("02") == "deaf")
    #expect(bench.send(version).isEmpty)
  }

  @Test("libnfc's 55 55 00… wakes it, and so do ten zeros before a frame")
  func wakeUp() {
    #expect(Bench(cold: true).send("55550000000000000000000000000000" + version) == versionAnswer)
    #expect(Bench(cold: true).send("00000000000000000000" + version) == versionAnswer)
  }

  @Test("the fifth rising edge wakes it: 55h has five, 00h one; the bytes until then are lost")
  func edges() {
    #expect(Bench(cold: true).send("55" + version) == versionAnswer)
    #expect(Bench(cold: true).send("00000000" + version) == versionAnswer)
    #expect(Bench(cold: true).send("000000" + version).isEmpty)
  }

  @Test("without SAMConfiguration there is no field: nothing is found, a waiting command waits")
  func samMissing() {
    let bench = Bench(TestTag.type2(), cold: true)
    bench.chip.wakeUp()
    #expect(bench.ask("32050001 02".replacing(" ", with: "")) == "33")
    #expect(bench.ask("4a0100") == "4b00")
    #expect(bench.ask("3205ff01ff") == "33")
    #expect(bench.ask("4a0100") == "pending")
    #expect(bench.ask("1401") == "15")
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
  }

  @Test("SAMConfiguration takes one to three parameters and four modes")
  func samForms() {
    let bench = Bench(cold: true)
    bench.chip.wakeUp()
    for form in ["1401", "140114", "14011401", "14010000", "140200", "1404"] {
      #expect(bench.ask(form) == "15")
    }
    for form in ["14", "1400", "1405", "1401000000"] { #expect(bench.ask(form) == "syntax error") }
  }

  @Test(
    "PowerDown answers, then sleeps until bytes come; settings and speed survive, targets do not")
  func powerDown() {
    let bench = Bench(TestTag.type2())
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    #expect(bench.ask("1007") == "11")
    bench.chip.hostAcknowledges()
    #expect(bench.ask("16f0") == "1700")
    #expect(bench.ask("02") == "deaf")
    let zeros = "00000000000000000000"
    #expect(bench.send(zeros + version).isEmpty, "the speed is still 921600")
    #expect(bench.send(zeros + version, speed: .baud921600) == versionAnswer)
    #expect(bench.ask("40013000") == "4127")
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
  }

  @Test("switching off and on starts from scratch, at 115200")
  func powerCycle() {
    let bench = Bench(TestTag.type2())
    _ = bench.ask("1005")
    bench.chip.hostAcknowledges()
    bench.line.powerCycle()
    #expect(bench.chip.speed == .baud115200)
    #expect(bench.send("55" + version) == versionAnswer)
    #expect(bench.ask("4a0100") == "pending", "MxRtyPassiveActivation is FFh again")
  }
}
