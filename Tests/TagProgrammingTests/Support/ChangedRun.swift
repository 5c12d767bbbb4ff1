import NDEF
import PN532Simulator
import TagMemory

@testable import TagProgramming

/// One job on a tag whose settings hold what they hold: capability containers, attribute blocks,
/// file settings, configuration pages, directories and trailers, GET_VERSION and ATS.
struct ChangedRun {
  private static let jobs = Result<[Job], any Error> {
    let message = Message(try URIRecord("https://example.com/t/1").record)
    var closing = WriteOptions()
    closing.lock = true
    var feliCa = FeliCaFormat()
    feliCa.message = message
    return [
      .info, .read, .info, .dump, .write(message, WriteOptions()), .write(message, closing),
      .lock(force: false), .formatType4(Type4Format()), .formatFeliCa(feliCa),
      .formatClassic(ClassicFormat()), .unprotect,
    ]
  }

  /// Those that say in a container, in settings or in an answer what they are.
  private static let described = HostileRun.products.filter {
    !["mini", "classic1k", "classic4k"].contains($0)
  }

  /// What the run did that it must not do.
  private(set) var complaints: [String] = []

  /// `script` chooses the tag and the job, and then what of the tag is changed, and to what.
  /// `looks`: the job is to look at the tag and to describe it, whatever the script says, and the
  /// tag is no Classic and has no signature, whose check takes longer than all the rest.
  init(_ script: [UInt8], looks: Bool = false) throws {
    let whims = Whims(script)
    let jobs = try Self.jobs.get()
    let products = looks ? Self.described : HostileRun.products
    let product = products[Int(whims.next() ?? 0) % products.count]
    let chosen = jobs[Int(whims.next() ?? 0) % jobs.count]
    let job = looks ? .info : chosen
    let mode = whims.next() ?? 0
    let real: any VirtualTag = try TagCatalog.tag(
      product, content: mode & 1 == 0 ? .factory : .blank)
    var memory = real.eeprom.bytes
    let places = Self.places(product, memory.count)
    while !places.isEmpty, let which = whims.next() {
      let place = places[Int(which) % places.count]
      guard let first = whims.next(), let count = whims.next() else { break }
      let start = place.lowerBound + Int(first) % place.count
      let bytes = whims.bytes(min(1 + Int(count) % 16, place.upperBound - start))
      memory.replaceSubrange(start..<start + bytes.count, with: bytes)
    }
    real.eeprom.load(memory)
    let changes = mode & 2 == 0 ? [] : Array(script.dropFirst(3).prefix(16))
    let bench = Bench(
      ChangedTag(real, version: changes, ats: mode & 4 == 0 ? [] : changes, isSigned: !looks))
    let report = bench.run(job) { $0.dryRun = mode & 8 == 0 }
    if job == .dump, report.result == .read, report.dump == nil {
      complaints.append("\(product): said to be read, and nothing is there to save")
    }
    if report.failure?.kind == .internalError { complaints.append("\(report.failure!)") }
    if report.result == .failed, report.failure?.holds == .unchanged, bench.memory != memory {
      complaints.append("\(product), \(job): said to be unchanged, and is not")
    }
    if mode & 8 == 0, bench.memory != memory { complaints.append("a dry run has written") }
  }

  /// Where `product` keeps what decides how it is read.
  private static func places(_ product: String, _ count: Int) -> [Range<Int>] {
    switch product {
    // The container, the length of the message, and the file's settings.
    case "ntag424": [0..<32, 32..<40, 448..<480]
    case "type4": [0..<16, 16..<20]
    case "st25ta02k": [0..<16, 16..<84]
    case "felica-lite", "felica-lite-s": [0..<16, count - 16..<count]
    case "felica-standard": [0..<16]
    // Only GET_VERSION and ATS: the structure is the virtual card's own.
    case "desfire-ev1", "desfire-ev3": []
    // The directory and two trailers, with their keys as they are.
    case "mini", "classic1k", "classic4k": [16..<48, 54..<58, 64..<80, 118..<122]
    default: [8..<24, max(0, count - 24)..<count]
    }
  }
}

/// A tag that says what it is in other bytes than its product's.
final class ChangedTag: VirtualTag {
  private let tag: any VirtualTag
  /// GET_VERSION's answer; empty: the tag's own.
  private let version: [UInt8]
  /// Whether it has its maker's signature.
  private let isSigned: Bool
  let ats: [UInt8]

  init(_ tag: any VirtualTag, version: [UInt8], ats: [UInt8], isSigned: Bool) {
    (self.tag, self.version, self.isSigned) = (tag, version, isSigned)
    self.ats = tag.ats.isEmpty || ats.isEmpty ? tag.ats : ats
  }

  var product: String { tag.product }
  var atqa: UInt16 { tag.atqa }
  var sak: UInt8 { tag.sak }
  var uid: [UInt8] { tag.uid }
  var technology: TagTechnology { tag.technology }
  var isClassic: Bool { tag.isClassic }
  var eeprom: EEPROM { tag.eeprom }
  var state: TagState { tag.state }

  func powerOff() { tag.powerOff() }
  func select() { tag.select() }
  func halt() { tag.halt() }
  func returnToIdle() { tag.returnToIdle() }
  func enterProtocol() { tag.enterProtocol() }

  func poll(systemCode: UInt16, requestCode: UInt8) -> [UInt8]? {
    tag.poll(systemCode: systemCode, requestCode: requestCode)
  }

  func receive(_ frame: [UInt8]) -> TagAnswer {
    if !isSigned, frame.starts(with: [0x3C, 0x00]) { return .nibble(0) }
    if !isSigned, frame.starts(with: [0x90, 0x3C]) { return .data([0x91, 0x1C]) }
    let answer = tag.receive(frame)
    guard !version.isEmpty, case .data(let bytes) = answer else { return answer }
    if frame == [0x60] { return .data(Array((version + bytes).prefix(8))) }
    guard frame.starts(with: [0x90, 0x60]), bytes.count == 9 else { return answer }
    return .data(Array((version + bytes).prefix(7)) + bytes.suffix(2))
  }

  func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool {
    tag.authenticate(command: command, block: block, key: key, uid: uid)
  }
}
