import NDEF
import PN532Simulator
import Pace
import Readers
import TagMemory

@testable import TagProgramming

/// One job on a tag or a board that does what it likes; what must hold whatever that is.
struct HostileRun {
  static let products = [
    "mini", "classic1k", "classic4k", "ultralight", "ultralight-ev1-11", "ultralight-ev1-21",
    "ultralight-c", "ultralight-aes", "ntag203", "ntag210", "ntag212", "ntag213", "ntag215",
    "ntag216",
    "type4", "st25ta02k", "ntag424", "desfire-ev1", "desfire-ev3", "felica-lite", "felica-lite-s",
    "felica-standard",
  ]

  private static let password = Protection(password: [0xA5, 0x5A, 0xC3, 0x3C], pack: [1, 2])

  /// Dumps to restore.
  private static let images = ["mini", "ntag213", "type4", "felica-lite-s"].map { product in
    let tag = try! TagCatalog.tag(product)
    let reader = TagReader(link: DirectLink(Chip(field: Field(tag))))
    reader.look(for: nil)
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
    var protected = WriteOptions()
    protected.protection = password
    protected.lock = true
    var locked = WriteOptions()
    locked.lock = true
    var fewest = WriteOptions()
    fewest.sectors = .fewest
    var feliCa = FeliCaFormat()
    feliCa.message = short
    feliCa.overwrite = true
    var card = Type4Format()
    card.message = short
    card.newKey = (1...16).map { UInt8($0) }
    card.lock = true
    let trailer = SectorTrailer(
      keyA: Key([1, 2, 3, 4, 5, 6])!, conditions: .nfcReadWrite, generalPurposeByte: .nfcReadWrite,
      keyB: Key([6, 5, 4, 3, 2, 1])!)
    return [
      .info, .read, .write(short, WriteOptions()), .write(long, WriteOptions()),
      .formatClassic(ClassicFormat()), .formatClassic(overwriting), .formatClassic(secret),
      .resetClassic, .writePages(PageWrite(start: 5, bytes: Array(1...16), force: false)),
      .writePages(PageWrite(start: 2, bytes: Array(1...16), force: true)),
      .write(short, protected), .lock(force: false), .lock(force: true), .protect(password),
      .unprotect, .dump, .write(short, fewest),
      .writeBlocks(BlockWrite(start: 8, bytes: Array(1...48), force: false)),
      .writeBlocks(
        BlockWrite(start: 8, bytes: Array(1...48) + trailer.serialize(), force: true)),
      .write(short, locked), .formatFeliCa(FeliCaFormat()), .formatFeliCa(feliCa),
      .formatType4(Type4Format()), .formatType4(card),
    ] + images.flatMap { [.restore(Restore($0)), .restore(Restore($0, force: true))] }
  }()

  /// Commands to the board that a job may take at the very most: forty passes over 40 sectors with
  /// every torn key.
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
    var planned: Set<WriteLog.Write> = []
    var strays: [String] = []
    link.onWrite = { write in
      if !planned.contains(write) { strays.append("write outside the plan: \(write)") }
    }
    let reader = TagReader(link: link, clock: TestTime().clock)
    reader.look(for: nil)
    var options = RunOptions()
    options.timeout = .zero
    options.patience = .zero
    options.credentials = Credentials(password: Self.password.password)
    let programmer = Programmer(reader: reader, options: options) { progress in
      if case .planned(let program) = progress { planned = program.attempts }
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

extension TagProgram {
  /// What it sends to be written, and to be refused; what a place holds that did not refuse is
  /// written again.
  fileprivate var attempts: Set<WriteLog.Write> {
    var refused = TagProgram()
    refused.steps = steps.compactMap { step in
      guard case .checkRefusal(let bytes) = step.action else { return nil }
      return Step(.write(bytes, .content), at: step.place)
    }
    let log = WriteLog()
    let commands = exchanges.compactMap { $0.command?.frame }
    return Set(writes + refused.writes + commands.flatMap { log.take([0x42] + $0) })
  }
}
