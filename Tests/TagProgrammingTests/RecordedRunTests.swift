import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Recorded runs, replayed: the same verdict, the same bytes")
struct RecordedRunTests {
  /// A job of Docs/Performance.md, or one with a key, and the tag that it is done on.
  struct Recorded: Sendable {
    let name: String
    let product: String
    /// What was done on the tag before.
    var before: [Job] = []
    let job: Job
    var expected: Product?
    /// What the operator knows of it, and knew before.
    var credentials = Credentials()

    init(
      _ name: String, _ product: String, after before: [Job] = [], _ job: Job,
      expected: Product? = nil, credentials: Credentials = Credentials()
    ) {
      (self.name, self.product, self.before, self.job) = (name, product, before, job)
      (self.expected, self.credentials) = (expected, credentials)
    }
  }

  private static let (url, old) = (FaultCase.short, FaultCase.other)
  private static let password: [UInt8] = [0xCA, 0xFE, 0xD0, 0x0D]
  private static let key: [UInt8] = (1...16).map { UInt8($0) }

  private static func written(_ change: (inout WriteOptions) -> Void) -> Job {
    guard case .write(let message, var options) = url else { preconditionFailure("no message") }
    change(&options)
    return .write(message, options)
  }

  private static func format(_ change: (inout ClassicFormat) -> Void) -> Job {
    var format = ClassicFormat()
    change(&format)
    return .formatClassic(format)
  }

  private static func card(_ key: [UInt8]?, _ change: (inout Type4Format) -> Void = { _ in }) -> Job
  {
    var format = Type4Format()
    format.newKey = key
    change(&format)
    return .formatType4(format)
  }

  private static let unseen = format { $0.overwrite = true }
  private static let fewest = written { $0.sectors = .fewest }
  private static let known = Product.ntag213

  static let jobs: [Recorded] =
    [
      Recorded("a URL on a factory NTAG213", "ntag213", url),
      Recorded("a URL replaced on an NTAG213", "ntag213", after: [old], url),
      Recorded("a URL read from an NTAG213", "ntag213", after: [url], .read),
      Recorded("a URL replaced on a known NTAG213", "ntag213", after: [old], url, expected: known),
      Recorded("a URL read from a known NTAG213", "ntag213", after: [url], .read, expected: known),
      Recorded(
        "a URL on a factory 1K, fewest sectors, unseen", "classic1k",
        written {
          $0.sectors = .fewest
          $0.overwrite = true
        }),
      Recorded("a URL on a factory 1K, fewest sectors", "classic1k", fewest),
      Recorded("a URL on a factory 1K, all sectors", "classic1k", url),
      Recorded("a URL on a formatted 1K", "classic1k", after: [fewest], url),
      Recorded("a URL read from a 1K", "classic1k", after: [fewest], .read),
      Recorded(
        "700 bytes on a factory 1K, unseen", "classic1k",
        .write(
          FaultCase.media(690),
          {
            var options = WriteOptions()
            options.overwrite = true
            return options
          }())),
      Recorded("a format of a 1K, unseen", "classic1k", unseen),
      Recorded("a format of a 1K", "classic1k", format { _ in }),
      Recorded("a format of a 4K with MAD2, unseen", "classic4k", unseen),
      Recorded("a format of a 4K with MAD2", "classic4k", format { _ in }),
      Recorded(
        "a format of a 1K with a URL, unseen", "classic1k",
        format {
          $0.overwrite = true
          $0.message = FaultCase.media(20)
        }),
      Recorded("a reset of a 1K", "classic1k", after: [unseen], .resetClassic),
      Recorded("a URL replaced on a FeliCa Lite-S", "felica-lite-s", after: [old], url),
      Recorded(
        "a URL replaced on a known FeliCa Lite-S", "felica-lite-s", after: [old], url,
        expected: .feliCaLiteS),
      Recorded("a URL on an empty Type 4 tag", "type4", url),
      Recorded("a URL replaced on a Type 4 tag", "type4", after: [old], url),
      Recorded("a URL read from a Type 4 tag", "type4", after: [url], .read),
      Recorded("a URL on an NTAG 424 DNA", "ntag424", url),
      Recorded("a URL on a smart card with a Classic", "classic1k,sak=28", url),
      Recorded("what a card of type B says", "typeb", .info),
    ] + keyed

  /// Jobs whose frames a trace masks, or that are encrypted with keys of the moment.
  private static var keyed: [Recorded] {
    let owned = Credentials(password: password)
    let keyOwned = Credentials(password: key)
    let cardOwned = Credentials(cardKeys: [key])
    func protect(_ secret: [UInt8]) -> Job {
      .protect(Protection(secret: secret))
    }
    // Its template is a constant of that suite.
    let personal = try! PersonalisationTests.job()
    let reset = Job.resetSDM(Personalisation(keys: .delivered, before: PersonalisationTests.ring))
    return [
      Recorded("a password on an NTAG213", "ntag213", after: [url], protect(password)),
      Recorded(
        "a password taken off an NTAG213", "ntag213", after: [protect(password)], .unprotect,
        credentials: owned),
      Recorded("a key on an Ultralight C", "ultralight-c", after: [url], protect(key)),
      Recorded(
        "a key taken off an Ultralight C", "ultralight-c", after: [protect(key)], .unprotect,
        credentials: keyOwned),
      Recorded("a key on an Ultralight AES", "ultralight-aes", after: [url], protect(key)),
      Recorded(
        "a URL on a DESFire EV1 under a key", "desfire-ev1", after: [card(key)], url,
        credentials: cardOwned),
      Recorded("a format of a DESFire EV1 with a key", "desfire-ev1", card(key)),
      Recorded("a format of a DESFire EV2 with a key", "desfire-ev2", card(key)),
      Recorded(
        "a lock of a DESFire EV1", "desfire-ev1", after: [card(key), url], .lock(force: false),
        credentials: cardOwned),
      Recorded("proofs on an NTAG 424 DNA", "ntag424", personal),
      Recorded("proofs on an NTAG 424 DNA again", "ntag424", after: [personal], personal),
      Recorded("proofs taken off an NTAG 424 DNA", "ntag424", after: [personal], reset),
      Recorded("proofs by LRP on an NTAG 424 DNA", "ntag424", LeakageResilientTests.lrp),
      Recorded(
        "proofs by LRP again", "ntag424", after: [LeakageResilientTests.lrp],
        LeakageResilientTests.lrp),
    ]
  }

  /// Every way in which a simulated board or its tag may differ from the data sheets, by the
  /// simulator's own list, and none.
  static let deviations =
    [""]
    + DeviationOption.all.flatMap { option in option.samples.map { ",\(option.key)=\($0)" } }
    + [",uid=random"]

  @Test("every job of Docs/Performance.md, with each deviation", arguments: deviations)
  func jobs(deviation: String) throws {
    var count = 0
    for recorded in Self.jobs where !Self.asksForTrueUID(recorded, deviation) {
      guard let bench = try? Bench(deviating: recorded.product + deviation) else { continue }
      for job in recorded.before {
        _ = bench.run(job) { $0.credentials = recorded.credentials }
      }
      try RecordedRun.expectReplays(recorded.job, on: bench, "\(recorded.name)\(deviation)") {
        $0.credentials = recorded.credentials
        $0.expected = recorded.expected
      }
      count += 1
    }
    #expect(count > 0)
  }

  /// The UID of a tag that shows a random one goes encrypted, and no trace has it: a job that needs
  /// it cannot be replayed.
  private static func asksForTrueUID(_ recorded: Recorded, _ deviation: String) -> Bool {
    deviation == ",uid=random" && recorded.name.hasPrefix("proofs")
  }

  @Test("the UID that a tag keeps to itself is not made up: the trace does not say")
  func trueUID() throws {
    let recorded = Self.jobs.filter { Self.asksForTrueUID($0, ",uid=random") }
    #expect(!recorded.isEmpty)
    for recorded in recorded {
      let bench = try Bench(deviating: recorded.product + ",uid=random")
      for job in recorded.before { _ = bench.run(job) }
      let run = try RecordedRun.replayed(recorded.job, on: bench)
      #expect(run.report.failure?.kind == .configuration, "\(recorded.name)")
      #expect(run.report.failure?.remedy == .compareWithTrace, "\(recorded.name)")
    }
  }

  @Test("a plan without deviations does what it should: no run fails that is recorded")
  func good() throws {
    for recorded in Self.jobs where !recorded.product.contains(",") {
      let bench = try Bench(recorded.product)
      for job in recorded.before {
        _ = bench.run(job) { $0.credentials = recorded.credentials }
      }
      let run = try RecordedRun.expectReplays(recorded.job, on: bench, recorded.name) {
        $0.credentials = recorded.credentials
      }
      #expect(run.report.failure == nil, "\(recorded.name): \(run.report.failure?.message ?? "")")
    }
  }

  /// Jobs of each family, for faults.
  private static let struck = jobs.filter {
    [
      "a URL on a factory NTAG213", "a URL on a formatted 1K",
      "a URL replaced on a FeliCa Lite-S", "a URL replaced on a Type 4 tag",
      "a key on an Ultralight C", "a format of a DESFire EV1 with a key",
      "proofs on an NTAG 424 DNA",
    ].contains($0.name)
  }

  @Test(
    "whatever befalls a tag or the line is the same failure, replayed",
    arguments: FaultKind.all.indices)
  func faults(index: Int) throws {
    let kind = FaultKind.all[index]
    for recorded in Self.struck {
      let prepared = try Bench(recorded.product)
      for job in recorded.before { _ = prepared.run(job) }
      for place in kind.place == .programming ? [0, 1, 4] : [2, 6, 11] {
        var plan = FaultPlan()
        kind.arm(place, &plan, try TagCatalog.tag(recorded.product, index: 7))
        var bench = try Bench(recorded.product, faults: plan)
        bench.hostFault = kind.host.map { DirectLink.Fault(place: place, kind: $0) }
        bench.tag.eeprom.load(prepared.memory)
        try RecordedRun.expectReplays(
          recorded.job, on: bench, "\(recorded.name), \(kind.name) at \(place)")
      }
    }
  }

  @Test(
    "jobs on every prepared tag, with all that may be known of it", arguments: TagTrial.all)
  func trials(trial: TagTrial) throws {
    // One in eight, others for each tag; all of them in the exhaustive run.
    let shift = trial.testDescription.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 8
    for (index, (name, job, credentials)) in trial.jobs.enumerated()
    where Exhaustive.isAsked || index % 8 == shift {
      try RecordedRun.expectReplays(
        job, on: try trial.tag.bench(), "\(trial.testDescription): \(name)"
      ) { $0.credentials = credentials }
    }
  }
}
