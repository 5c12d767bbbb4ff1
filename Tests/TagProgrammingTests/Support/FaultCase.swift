import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A job on a tag in a certain state.
struct FaultCase: CustomTestStringConvertible, Sendable {
  let name: String
  let product: String
  /// Brings a factory tag into the state before the job.
  var prepare: @Sendable (Bench) -> Void = { _ in }
  var credentials = Credentials()
  /// The tag hides how many wrong passwords it takes: an answer to the right one that is refused or
  /// damaged is not asked for again, since that could shut the tag for good.
  var isAskedOnce = false
  /// A message on the tag before the job that damaged TLVs keep readers from: found once these are
  /// right.
  var hidden: Message?
  let job: Job

  var testDescription: String { "\(name) on \(product)" }
  var isClassic: Bool { product.hasPrefix("classic") || product == "mini" }
  var isFeliCa: Bool { product.hasPrefix("felica") }

  /// Whether it writes pages or blocks, whatever they mean.
  var isRaw: Bool {
    switch job {
    case .writePages, .writeBlocks: true
    default: false
    }
  }

  /// Those of this shard.
  static let all = whole.filter { Exhaustive.includes($0.testDescription) }

  private static let whole =
    type2Messages + type2Lengths + containers + protections + pages + formatting + classicMessages
    + restores + wholes
    + parts + felica + type4s + mirrors + keySeals + moving + growing + mended + resets

  // MARK: Messages

  static let short = write(uri("https://example.com/t/0001"))
  static let other = write(uri("https://example.com/another/page/0002"))
  /// With a length of three bytes.
  static let long = write(media(300))
  static let longer = write(media(420))

  static func write(_ message: Message) -> Job { .write(message, WriteOptions()) }
  private static func uri(_ text: String) -> Message { Message(try! URIRecord(text).record) }

  static func media(_ size: Int) -> Message {
    let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    return Message(try! Record(.media, type: Array("a/b".utf8), payload: payload))
  }

  static func after(_ jobs: Job..., with credentials: Credentials = Credentials())
    -> @Sendable (Bench) -> Void
  {
    { bench in for job in jobs { _ = bench.run(job) { $0.credentials = credentials } } }
  }

  /// A run that was ended before its step `step`.
  private static func cut(_ job: Job, before step: Int) -> @Sendable (Bench) -> Void {
    { _ = $0.run(job, until: step) }
  }

  // MARK: Type 2

  private static let type2Messages = [
    "ultralight", "ultralight-ev1-11", "ultralight-ev1-21", "ultralight-c", "ultralight-aes",
    "ntag203", "ntag210", "ntag212", "ntag213", "ntag215", "ntag216",
  ].flatMap { product in
    [
      FaultCase(name: "first URL", product: product, job: short),
      FaultCase(name: "longer URL", product: product, prepare: after(short), job: other),
      FaultCase(name: "shorter URL", product: product, prepare: after(other), job: short),
      FaultCase(name: "same URL", product: product, prepare: after(short), job: short),
    ]
  }

  private static let type2Lengths = ["ntag215", "ntag216"].flatMap { product in
    [
      FaultCase(name: "long message", product: product, job: long),
      FaultCase(name: "long after short", product: product, prepare: after(short), job: long),
      FaultCase(name: "short after long", product: product, prepare: after(long), job: short),
      FaultCase(name: "longer after long", product: product, prepare: after(long), job: longer),
    ]
  }

  /// The last write of the same job, that of the container, was cut short: 16 bytes of its area are
  /// left.
  private static let containers = ["ultralight", "ultralight-c"].map { product in
    FaultCase(
      name: "same URL, the container was torn", product: product,
      prepare: { bench in
        after(other)(bench)
        var memory = bench.memory
        memory[14] = 0x02
        bench.tag.eeprom.load(memory)
      }, job: other)
  }

  private static let pages = [
    FaultCase(
      name: "pages", product: "ntag213",
      job: .writePages(PageWrite(start: 6, bytes: Array(1...24), force: false))),
    FaultCase(
      name: "pages, a long TLV", product: "ntag215", prepare: after(short),
      job: .writePages(
        PageWrite(
          start: 4, bytes: [0x03, 0xFF, 0x01, 0x35] + media(300).serialize() + [0xFE, 0, 0],
          force: false))),
  ]

  /// A tag that holds another message than its dump.
  private static let restores = [
    restored("restore", "ntag213", short), restored("restore", "mini", short),
    restored("restore, own key B", "mini", formatWithKeyB),
    restored("restore, key B that is no secret", "mini", short, after: formatWithKeyB),
    FaultCase(
      name: "restore onto a blank tag", product: "ultralight",
      job: showing(restored("", "ultralight", short).job)),
  ]

  /// `job`, a restore, as an image of a list is one.
  private static func showing(_ job: Job) -> Job {
    guard case .restore(var restore) = job else { return job }
    restore.mustShowMessage = true
    return .restore(restore)
  }

  static func restored(
    _ name: String, _ product: String, _ made: Job, after old: Job = other
  )
    -> FaultCase
  {
    let source = try! Bench(product)
    _ = source.run(made)
    let image = source.run(.dump) { $0.credentials = knowingKey }.dump!.image
    return FaultCase(
      name: name, product: product, prepare: after(old),
      credentials: old == other ? Credentials() : knowingKey, job: .restore(Restore(image)))
  }

  // MARK: MIFARE Classic

  private static let format = Job.formatClassic(ClassicFormat())
  private static let formatWithURL: Job = {
    var format = ClassicFormat()
    format.message = uri("https://example.com/t/0001")
    return .formatClassic(format)
  }()

  static let ownKeyB = Key([0xC0, 0xFF, 0xEE, 1, 2, 3])!
  static let formatWithKeyB: Job = {
    var format = ClassicFormat()
    format.keyB = ownKeyB
    return .formatClassic(format)
  }()

  /// A factory tag with `keyA` and `keyB` in every trailer.
  static func keyed(_ keyA: Key, _ keyB: Key = .factory) -> @Sendable (Bench) -> Void {
    { bench in
      var memory = bench.memory
      for trailer in stride(from: 48, to: memory.count, by: 64) {
        memory.replaceSubrange(trailer..<trailer + 6, with: keyA.bytes)
        memory.replaceSubrange(trailer + 10..<trailer + 16, with: keyB.bytes)
      }
      bench.tag.eeprom.load(memory)
    }
  }

  private static let knowingKey = Credentials(keys: [ownKeyB])

  private static let formatting = [
    FaultCase(
      name: "format, other key A", product: "mini", prepare: keyed(ownKeyB),
      credentials: knowingKey, job: format),
    FaultCase(
      name: "reset, other key A", product: "mini", prepare: keyed(ownKeyB),
      credentials: knowingKey, job: .resetClassic),
    FaultCase(name: "format, zeros as keys", product: "mini", prepare: keyed(.zeros), job: format),
    FaultCase(
      name: "sample key B to another", product: "mini",
      prepare: { bench in
        var format = ClassicFormat()
        format.keyB = .sampleB
        _ = bench.run(.formatClassic(format))
      }, job: formatWithKeyB),
    FaultCase(name: "format, own key B", product: "mini", job: formatWithKeyB),
    FaultCase(
      name: "another key B", product: "mini", prepare: after(short), job: formatWithKeyB),
    FaultCase(
      name: "reset, own key B", product: "mini", prepare: after(formatWithKeyB),
      credentials: Credentials(keys: [ownKeyB]), job: .resetClassic),
    FaultCase(name: "format", product: "mini", job: format),
    FaultCase(name: "format", product: "classic1k", job: format),
    FaultCase(name: "format", product: "classic4k", job: format),
    FaultCase(
      name: "format, cut short", product: "classic1k", prepare: cut(format, before: 40), job: format
    ),
    FaultCase(
      name: "format, cut short", product: "classic4k", prepare: cut(format, before: 90), job: format
    ),
    FaultCase(name: "format, foreign", product: "classic1k", prepare: foreign, job: format),
    FaultCase(name: "format with URL", product: "mini", job: formatWithURL),
    FaultCase(
      name: "format with URL", product: "classic1k", prepare: after(other), job: formatWithURL),
    FaultCase(name: "reset", product: "mini", prepare: after(short), job: .resetClassic),
    FaultCase(name: "reset", product: "classic1k", prepare: after(short), job: .resetClassic),
    FaultCase(name: "reset", product: "classic4k", prepare: after(short), job: .resetClassic),
  ]

  private static let classicMessages =
    [FaultCase(name: "first URL", product: "mini", job: short)]
    + ["classic1k", "classic4k"].flatMap { product in
      [
        FaultCase(name: "URL", product: product, prepare: after(format), job: short),
        FaultCase(name: "longer URL", product: product, prepare: after(short), job: other),
        FaultCase(name: "shorter URL", product: product, prepare: after(other), job: short),
        FaultCase(name: "same URL", product: product, prepare: after(short), job: short),
        FaultCase(name: "long after short", product: product, prepare: after(short), job: long),
        FaultCase(name: "short after long", product: product, prepare: after(long), job: short),
        FaultCase(name: "longer after long", product: product, prepare: after(long), job: longer),
      ]
    } + [
      FaultCase(name: "URL, foreign", product: "classic1k", prepare: foreign, job: other)
    ]

  /// As other formatters leave a tag: two NFC sectors only, the others as delivered; a publisher's
  /// sector in the directory; a NULL TLV before the message and no terminator behind it.
  static let foreign: @Sendable (Bench) -> Void = { bench in
    _ = bench.run(short)
    var memory = bench.memory
    let blank = try! Bench("classic1k").memory
    for sector in 3..<16 {
      memory.replaceSubrange(
        sector * 64..<sector * 64 + 64, with: blank[sector * 64..<sector * 64 + 64])
      memory.replaceSubrange(16 + sector * 2..<18 + sector * 2, with: [0, 0])
    }
    memory[17] = 0x02
    let message = Array(memory[64..<112])
    let end = message.lastIndex(of: 0xFE)!
    memory.replaceSubrange(64..<112, with: [0x00] + message[..<end] + message[(end + 1)...])
    memory[16] = MAD.checksum(memory[17..<48])
    bench.tag.eeprom.load(memory)
  }
}
