import ArgumentParser
import Bench
import LibNFCReaders

struct ListReaders: PreferringCommand {
  static let configuration = CommandConfiguration(
    commandName: "readers",
    abstract: "List readers and diagnose problems.",
    discussion: """
        nfcprog readers
        nfcprog readers --check

      Only --check opens readers, and only USB readers and serial adapters; a UART, an I2C or \
      an SPI bus may have any device on it and is opened only where it is named: readers --check /dev/ttyS0.
      """)

  @Argument(help: "With --check: this reader alone.")
  var reader: String?

  @Flag(help: "Open each reader, run its self-test and print its firmware.")
  var check = false

  @Flag(help: "Report readers that come and go, until Ctrl-C.")
  var watch = false

  @Flag(
    help: "Print udev rules that let the groups plugdev and dialout open readers."
  )
  var udevRules = false

  @Flag(help: "Print one JSON object per reader on standard output.")
  var json = false

  func validate() throws {
    guard !udevRules || !(check || watch || json) else {
      throw ValidationError("--udev-rules does not go with other options.")
    }
    guard reader == nil || (check && !watch) else {
      throw ValidationError("A reader is named with --check alone.")
    }
  }

  func run(_ preferences: Preferences) throws {
    let console = Console(json: json)
    if let reader {
      let state: ReaderState
      do throws(BenchError) {
        state = try ReaderState(
          checking: try ReaderChoice(named: reader, aliases: preferences.readers))
      } catch {
        throw ExitCode(console.fail("readers", error).rawValue)
      }
      ReaderRendering.show(state, event: nil, on: console)
      if state.obstacle != nil { throw ExitCode(ExitStatus.unavailable.rawValue) }
      return
    }
    if udevRules {
      console.result(UdevRules.text)
      return
    }
    if watch {
      let interruption = Interruption()
      ReaderWatch(check: check).run(shouldStop: interruption.question) { state, event in
        ReaderRendering.show(state, event: event, on: console)
      }
      return
    }
    let discovery = Discovery()
    let states = discovery.readers().map { ReaderState($0, check: check) }
    for state in states { ReaderRendering.show(state, event: nil, on: console) }
    let troubles = discovery.troubles()
    for trouble in troubles { console.complain(ReaderRendering.text(trouble)) }
    if !states.contains(where: \.reader.isLikely), troubles.isEmpty {
      console.complain(
        "No reader was found. A PN532 on a serial adapter shows up as /dev/ttyUSB0 or the like; is it plugged in?"
      )
    }
    let answered = states.contains { $0.checkup?.firmware != nil }
    if check, !states.isEmpty, !answered {
      console.complain("No board has answered; each reader above says why.")
    }
    if states.isEmpty || check && !answered {
      throw ExitCode(ExitStatus.unavailable.rawValue)
    }
  }
}
