import NDEF
import PN532Simulator
import Pace
import Readers
import TagMemory

@testable import TagProgramming

/// A virtual tag on a simulated board, and a programmer to use on it.
struct Bench {
  let tag: any VirtualTag
  let chip: Chip
  /// What happens to one command on its way to the chip, or to its answer.
  var hostFault: DirectLink.Fault?
  /// Takes down what is written, where that is wanted.
  var log: WriteLog?

  init(_ product: String, content: TagCatalog.Content = .factory, faults: FaultPlan = .none) throws
  {
    self.init(try TagCatalog.tag(product, content: content), faults: faults)
  }

  init(
    _ tag: any VirtualTag, faults: FaultPlan = .none,
    deviations: BoardDeviations = BoardDeviations()
  ) {
    self.tag = tag
    chip = Chip(field: Field(tag), faults: faults, deviations: deviations)
  }

  /// A board and a tag that differ from their data sheets, as `sim:` spells it.
  init(deviating text: String) throws {
    let spec = try SimulatedTagSpec(parsing: text)
    tag = try spec.tag(at: 0)
    chip = Chip(field: Field(tag), deviations: [spec].board)
  }

  /// Opens the reader and runs `job`, as one start of the program does. `lastStep`: the step, from
  /// 1, before which somebody asks for the end.
  /// `isSurveyed`: the tag is looked at before the job is chosen, as in a series.
  func run(
    _ job: Job, until lastStep: Int = .max, isSurveyed: Bool = false,
    _ change: (inout RunOptions) -> Void = { _ in },
    tell: @escaping (JobProgress) -> Void = { _ in },
    keep: ((KeptMemory) -> Void)? = nil
  ) -> TagReport {
    var options = RunOptions()
    options.timeout = .zero
    change(&options)
    // Time passes only where the reader waits.
    let link = DirectLink(chip, log: log)
    let reader = TagReader(link: link, clock: TestTime().clock)
    if tag.technology == .f { reader.technologies = [.feliCa] }
    try? reader.prepare()
    link.strike(hostFault)
    var step = 0
    let programmer = Programmer(
      reader: reader, options: options,
      progress: { progress in
        if case .step(let number, _, _) = progress { step = number }
        tell(progress)
      }, shouldStop: { step >= lastStep })
    programmer.keepMemory = keep
    return isSurveyed ? programmer.runSurveyed { _ in job } : programmer.run(job)
  }

  var memory: [UInt8] { tag.eeprom.bytes }
}

/// A message of one URI record.
func url(_ text: String) throws -> Message {
  Message(try URIRecord(text).record)
}
