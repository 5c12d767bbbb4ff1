import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// Nobody who prints, dumps or reflects what a job takes and gives sees a key or a password.
@Suite("Secrets under reflection")
struct ReflectedSecretTests {
  private static let password: [UInt8] = [0xA7, 0x5B, 0xC3, 0x3D]
  private static let key = Key([0xA7, 0x5B, 0xC3, 0x3D, 0x99, 0x17])!
  private static let cardKey: [UInt8] = [0xA7, 0x5B, 0xC3, 0x3D] + Array(0x61...0x6C)

  /// Whether `text` has the secret's first four bytes: as numbers, whatever stands between them,
  /// or as hexadecimal digits.
  private static func shows(_ text: String) -> Bool {
    let numbers = text.split { !$0.isNumber }.joined(separator: " ")
    let digits = text.lowercased().filter { !$0.isWhitespace && !":,-".contains($0) }
    return " \(numbers) ".contains(" 167 91 195 61 ") || digits.contains("a75bc33d")
  }

  /// All the ways in which a value becomes text by itself.
  private static func texts(_ value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), dumped]
  }

  @Test("the test sees a secret where one is shown")
  func sees() {
    struct Open { var password = ReflectedSecretTests.password }
    #expect(Self.texts(Open()).allSatisfy(Self.shows))
    #expect(Self.shows("page 43: A7 5B C3 3D") && !Self.shows("page 43: 00 00 00 00"))
  }

  /// A product, what it was given before, and the jobs.
  private static let cases: [(product: String, before: [Job], jobs: [Job])] = {
    let secret = Protection(password: password, pack: [1, 2])
    let long = Protection(key: cardKey)
    var keyed = ClassicFormat()
    keyed.keyB = key
    var card = Type4Format()
    card.newKey = cardKey
    let lines: [(String, [Job], [Job])] = [
      (
        "ntag213", [FaultCase.short],
        [
          .protect(secret), PreparedTag.write { $0.protection = secret }, .lock(force: false),
          .writePages(PageWrite(start: 43, bytes: password, force: true)),
        ]
      ),
      ("ntag213", [.protect(secret)], [FaultCase.other, .unprotect, .dump, .info]),
      ("ultralight-c", [], [.protect(long), PreparedTag.write { $0.protection = long }]),
      ("ultralight-aes", [.protect(long)], [FaultCase.short, .unprotect, .dump]),
      ("classic1k", [], [.formatClassic(keyed), FaultCase.short]),
      (
        "classic1k", [.formatClassic(keyed)],
        [FaultCase.short, .lock(force: false), .dump, .info, .resetClassic, FaultCase.rawTrailer]
      ),
      ("desfire-ev1", [], [.formatType4(card)]),
      ("desfire-ev1", [.formatType4(card)], [FaultCase.short, .lock(force: false), .info]),
    ]
    return lines
  }()

  @Test(
    "a report, its program, every event, the job and the options show none",
    arguments: cases.indices)
  func reports(_ index: Int) throws {
    let (product, before, jobs) = Self.cases[index]
    let credentials = Credentials(
      keys: [Self.key], password: product.hasPrefix("ultralight") ? Self.cardKey : Self.password,
      cardKeys: [Self.cardKey])
    var options = RunOptions()
    options.credentials = credentials
    for job in jobs {
      for isDry in [true, false] {
        let bench = try Bench(product)
        for earlier in before { _ = bench.run(earlier) { $0.credentials = credentials } }
        var values: [Any] = [job, credentials, options]
        let report = bench.run(job) {
          $0.credentials = credentials
          $0.dryRun = isDry
        } tell: {
          values.append($0)
        }
        values.append(report)
        if let image = report.dump?.image { values += [image, Job.restore(Restore(image))] }
        for value in values {
          for text in Self.texts(value) where Self.shows(text) {
            Issue.record("\(product), \(type(of: value)): \(text.prefix(600))")
          }
          if let progress = value as? JobProgress, case .planned = progress {
            #expect("\(progress)".split(whereSeparator: \.isNewline).count == 1, "\(progress)")
          }
        }
      }
    }
  }

  @Test("keys of tags that prove themselves show none")
  func proofs() throws {
    let key = try #require(AESKey(Self.cardKey))
    let ring = KeyRing(.fixed([key, key, key, key, key]))
    let personalisation = Personalisation(keys: ring)
    for value in [key, ring, personalisation, Job.resetSDM(personalisation)] as [Any] {
      for text in Self.texts(value) { #expect(!Self.shows(text), "\(text.prefix(300))") }
    }
  }
}
