import NDEF
import PN532Simulator
import Readers
import TagMemory

@testable import TagProgramming

/// A virtual tag on a simulated board, and a programmer to use on it.
struct Bench {
  let tag: any VirtualTag
  let chip: Chip

  init(_ product: String, content: TagCatalog.Content = .factory, faults: FaultPlan = .none) throws
  {
    self.init(try TagCatalog.tag(product, content: content), faults: faults)
  }

  init(_ tag: any VirtualTag, faults: FaultPlan = .none) {
    self.tag = tag
    chip = Chip(field: Field(tag), faults: faults)
  }

  /// Opens the reader and runs `job`, as one start of the program does.
  func run(_ job: Job, _ change: (inout RunOptions) -> Void = { _ in }) -> TagReport {
    var options = RunOptions()
    options.timeout = .zero
    change(&options)
    // Time passes only where the reader waits.
    var now = Duration.zero
    let clock = HostClock(now: { now }, sleep: { now += $0 })
    let reader = TagReader(link: DirectLink(chip), clock: clock)
    try? reader.prepare()
    return Programmer(reader: reader, options: options).run(job)
  }

  var memory: [UInt8] { tag.eeprom.bytes }
}

/// A message of one URI record.
func url(_ text: String) throws -> Message {
  Message(try URIRecord(text).record)
}
