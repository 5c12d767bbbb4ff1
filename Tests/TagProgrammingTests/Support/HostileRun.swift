import NDEF
import PN532Simulator
import Readers
import TagMemory

@testable import TagProgramming

/// One job on a tag or a board that does what it likes; what must hold whatever that is.
struct HostileRun {
  static let products = [
    "mini", "classic1k", "classic4k", "ultralight", "ultralight-ev1-11", "ultralight-ev1-21",
    "ultralight-c", "ntag203", "ntag210", "ntag212", "ntag213", "ntag215", "ntag216",
  ]

  private static let password = Protection(password: [0xA5, 0x5A, 0xC3, 0x3C], pack: [1, 2])

  /// Dumps to restore.
  private static let images = ["mini", "ntag213"].map { product in
    let tag = try! TagCatalog.tag(product)
    let reader = TagReader(link: DirectLink(Chip(field: Field(tag))))
    return Programmer(reader: reader, options: RunOptions()).run(.dump).dump!.image
  }

  static let jobs: [Job] = {
    var overwriting = ClassicFormat()
    overwriting.overwrite = true
    var secret = ClassicFormat()
    secret.keyB = Key([1, 2, 3, 4, 5, 6])!
    let short = Message(try! URIRecord("https://example.com/t/1").record)
    let long = Message(
      try! Record(.media, type: Array("a/b".utf8), payload: [UInt8](repeating: 0x55, count: 290)))
    var sealed = WriteOptions()
    sealed.protection = password
    sealed.lock = true
    return [
      .info, .read, .write(short, WriteOptions()), .write(long, WriteOptions()),
      .formatClassic(ClassicFormat()), .formatClassic(overwriting), .formatClassic(secret),
      .resetClassic, .writePages(PageWrite(start: 5, bytes: Array(1...16), force: false)),
      .writePages(PageWrite(start: 2, bytes: Array(1...16), force: true)),
      .write(short, sealed), .lock(force: false), .lock(force: true), .protect(password),
      .unprotect, .dump, FaultCase.fewest(short), FaultCase.rawBlocks, FaultCase.rawTrailer,
    ] + images.flatMap { [.restore(Restore($0)), .restore(Restore($0, force: true))] }
  }()

  /// Commands to the board that a job may take at the very most: forty passes over 40 sectors with every torn key.
  static let mostCommands = 60_000

  private(set) var report = TagReport(.failed)
  /// What the run did that it must not do.
  private(set) var complaints: [String] = []

  /// `script` chooses the tag, the job, who lies and how often, and then the lies.
  init(_ script: [UInt8]) {
    let whims = Whims(script)
    let product = Self.products[Int(whims.next() ?? 0) % Self.products.count]
    let job = Self.jobs[Int(whims.next() ?? 0) % Self.jobs.count]
    let mode = whims.next() ?? 0
    let honesty: UInt8 = [0, 128, 230, 250][Int(mode >> 2 & 3)]
    let real: any VirtualTag = try! TagCatalog.tag(product)
    let lyingTag = HostileTag(real, honesty: honesty, mask: mode & 2 != 0, whims: whims)
    let isLyingBoard = mode & 1 == 1
    let chip = Chip(field: Field(isLyingBoard ? real : lyingTag))
    let link = WatchedLink(chip, whims: isLyingBoard ? whims : nil, honesty: honesty)
    run(job, link)
  }

  private mutating func run(_ job: Job, _ link: WatchedLink) {
    var planned: Set<TagProgram.Step> = []
    var strays: [String] = []
    link.onWrite = { place, bytes in
      let isPlanned = planned.contains { step in
        guard step.place.number == Int(place) else { return false }
        switch step.action {
        case .write(let wanted, _), .checkRefusal(let wanted): return wanted == bytes
        default: return false
        }
      }
      if !isPlanned { strays.append("write of \(place) outside the plan") }
    }
    var now = Duration.zero
    let clock = HostClock(now: { now }, sleep: { now += $0 })
    let reader = TagReader(link: link, clock: clock)
    var options = RunOptions()
    options.timeout = .zero
    options.patience = .zero
    options.credentials = Credentials(password: Self.password.password)
    let programmer = Programmer(reader: reader, options: options) { progress in
      if case .planned(let program) = progress { planned = Set(program.steps) }
    }
    report = programmer.run(job)
    complaints = strays
    if (report.failure == nil) == (report.result == .failed) {
      complaints.append("the result is \(report.result), the failure \(report.failure as Any)")
    }
    if report.failure?.kind == .internalError { complaints.append("\(report.failure!)") }
    if report.counts.frames > Self.mostCommands {
      complaints.append("\(report.counts.frames) commands")
    }
  }
}
