import NDEF
import Readers
import TagMemory
import Testing

@testable import PN532Simulator
@testable import TagProgramming

@Suite("An NTAG 424 DNA gets keys and proves itself, whatever happens on the way")
struct PersonalisationTests {
  static let master = AESKey((1...16).map { UInt8($0) }) ?? .delivered
  static let ring = KeyRing(.an10922(master: master, name: Array("test".utf8)), version: 3)
  static let template = "https://example.com/t?e={picc}&d={enc:lot-7}&c={mac}"

  static func job(
    _ template: String = template, keys: KeyRing = ring, before: KeyRing = .delivered,
    lock: Bool = false
  ) throws -> Job {
    let (text, input) = try SDMTemplate.expand(template)
    var options = WriteOptions()
    options.personalisation = Personalisation(keys: keys, before: before, codeInput: input)
    options.lock = lock
    return .write(try url(text), options)
  }

  private func virtual(_ bench: Bench) throws -> VirtualNTAG424 {
    try #require(bench.tag as? VirtualNTAG424)
  }

  /// What a telephone reads, as a message: in frames, without the code under test.
  static func reading(_ tag: VirtualNTAG424) -> [UInt8] {
    tag.powerOff()
    tag.select()
    for frame in ["00A4040007D276000085010100", "00A4000C02E104"] {
      _ = tag.receive(Hexadecimal.bytes(frame))
    }
    guard case .data(let bytes) = tag.receive([0x00, 0xB0, 0x00, 0x00, 0x00]) else { return [] }
    return Array(bytes.dropLast(2))
  }

  /// The address in a file, without its abbreviated start.
  static func address(_ file: [UInt8]) -> String {
    String(decoding: file[7..<2 + Int(file[1])], as: UTF8.self)
  }

  private func expectDone(_ bench: Bench, _ what: String, keys: KeyRing = ring) throws {
    let tag = try virtual(bench)
    let uid = UID(tag.storedUID)
    for number in KeyRing.keyNumbers {
      #expect(tag.key(number) == keys.key(number, of: uid).bytes, "key \(number): \(what)")
    }
    let text = Self.address(Self.reading(tag))
    let parts = try SUNParts("https://" + text, template: Self.template)
    let proof = try SUNProof(parts, keys: keys)
    #expect(proof.uid == uid && proof.counter == tag.registers.readings, "\(what)")
    #expect(proof.fileData == Array("lot-7~~~~~~~~~~~".utf8), "\(what)")
  }

  @Test("a delivered tag; then nothing is left to do, with another key it is refused")
  func delivered() throws {
    for product in ["ntag424", "ntag424tt"] {
      let bench = try Bench(product)
      let report = bench.run(try Self.job())
      #expect(report.failure == nil, "\(report.failure?.message ?? "")")
      #expect(report.result == .written && report.verified)
      try expectDone(bench, product)
      let before = bench.memory
      let again = bench.run(try Self.job())
      #expect(again.result == .unchanged && again.verified && bench.memory == before)
      let other = KeyRing(.an10922(master: .delivered, name: [1]), version: 9)
      let refused = bench.run(try Self.job(keys: other))
      #expect(refused.failure?.kind == .refused && bench.memory == before)
      #expect(refused.failure?.cause == .type4(.keysUnknown([0, 1, 2, 3, 4])))
      #expect(refused.failure?.remedy == .giveHeldKeys)
    }
  }

  @Test("its dump is put onto a tag only with the operator's word: the proof in it is a frozen one")
  func dumped() throws {
    let source = try Bench("ntag424")
    #expect(source.run(.dump).dump?.image.isMirrored == false)
    #expect(source.run(try Self.job()).failure == nil)
    let image = try #require(source.run(.dump).dump?.image)
    let bench = try Bench("ntag424")
    let before = bench.memory
    let report = bench.run(.restore(Restore(image)))
    #expect(report.failure?.cause == .type4(.dumpMirrored) && report.failure?.kind == .refused)
    #expect(report.failure?.remedy == .permitForce && bench.memory == before)
    let forced = bench.run(.restore(Restore(image, force: true)))
    #expect(forced.failure == nil && forced.findings.contains { $0.code == "dump-mirrored" })
  }

  @Test("what a dry run lists is what an undisturbed run writes")
  func plan() throws {
    let bench = try Bench("ntag424")
    let job = try Self.job()
    let planned = bench.run(job) { $0.dryRun = true }
    let delivered = try Bench("ntag424").memory
    #expect(planned.result == .planned && bench.memory == delivered)
    var steps: [TagProgram.Step] = []
    let done = bench.run(job, tell: { if case .step(_, _, let step) = $0 { steps.append(step) } })
    #expect(done.failure == nil && planned.program?.steps == steps)
    #expect(planned.program?.irreversibleSteps.isEmpty == true)
    let text = steps.map { "\($0)" }.joined(separator: "\n")
    for number in KeyRing.keyNumbers {
      let key = Self.ring.key(number, of: UID(bench.tag.uid))
      #expect(!text.contains(Hexadecimal.text(key.bytes)))
    }
  }

  @Test("another address, another set of keys, and back to delivery")
  func again() throws {
    let bench = try Bench("ntag424")
    #expect(bench.run(try Self.job("https://example.com/first?c={mac}&u={uid}")).failure == nil)
    #expect(bench.run(try Self.job()).result == .written)
    try expectDone(bench, "another address")
    let bolt = KeyRing(.boltCard(issuer: Self.master), version: 4)
    #expect(bench.run(try Self.job(keys: bolt, before: Self.ring)).failure == nil)
    try expectDone(bench, "other keys", keys: bolt)
    let reset = Job.resetSDM(Personalisation(keys: .delivered, before: bolt))
    let report = bench.run(reset)
    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    let delivered = try Bench("ntag424").memory
    #expect(bench.memory == delivered)
    #expect(bench.run(reset).result == .unchanged)
  }

  @Test("another message is refused for the key, in the plan as in the run; nothing is written")
  func messageNeedsKey() throws {
    let bench = try Bench("ntag424")
    #expect(bench.run(try Self.job()).failure == nil)
    let before = bench.memory
    for isPlan in [true, false] {
      let report = bench.run(.write(try url("https://example.com/other"), WriteOptions())) {
        $0.dryRun = isPlan
      }
      #expect(report.failure?.cause == .type4(.writeNeedsKey(.ntag424, 0)))
      #expect(report.failure?.remedy == .giveProofKeys && report.failure?.kind == .refused)
      #expect(bench.memory == before)
    }
  }

  @Test("locked for good: marked in the plan, and nobody changes it again")
  func locked() throws {
    let bench = try Bench("ntag424")
    let job = try Self.job(lock: true)
    #expect(bench.run(job) { $0.dryRun = true }.program?.irreversibleSteps.count == 1)
    let report = bench.run(job)
    #expect(report.failure == nil && report.isLocked == true, "\(report.failure?.message ?? "")")
    try expectDone(bench, "locked")
    #expect(bench.run(job).result == .unchanged)
    #expect(bench.run(try Self.job("https://example.com/{picc}{mac}")).failure?.kind == .refused)
  }

  @Test("no other tag takes such a job, and no tag a template that breaks a rule")
  func refused() throws {
    for product in ["ntag213", "classic1k", "felica-lite-s", "type4", "desfire-ev1"] {
      let bench = try Bench(product)
      let before = bench.memory
      let report = bench.run(try Self.job())
      #expect(report.failure?.kind == .badInput || report.failure?.kind == .refused, "\(product)")
      #expect(bench.memory == before, "\(product)")
    }
    let bench = try Bench("ntag424")
    let before = bench.memory
    for template in ["https://a.example/?u={uid}&p={picc}", "https://a.example/?e={enc:a}&c={mac}"]
    {
      #expect(bench.run(try Self.job(template)).failure?.kind == .badInput)
    }
    #expect(bench.memory == before)
  }

  @Test("a random UID is for good, and the true one is found again by the shared key")
  func randomUID() throws {
    let bench = try Bench("ntag424")
    guard case .write(let message, var options) = try Self.job() else { return }
    options.personalisation?.randomUID = true
    let job = Job.write(message, options)
    #expect(bench.run(job) { $0.dryRun = true }.program?.irreversibleSteps.count == 1)
    #expect(bench.run(job).failure == nil)
    try expectDone(bench, "random UID")
    #expect(bench.tag.uid.count == 4)
    let again = bench.run(job)
    #expect(again.result == .unchanged, "\(again.failure?.message ?? "")")
  }

  @Test(
    "whatever text the code begins at, it proves with the template and without, or is refused",
    arguments: ["/", "t", "h", "p", "goes", "https", "example", "shop", "e="])
  func codeInput(text: String) throws {
    for (scheme, rest) in [
      ("https://www.", "shop.example/p/{picc}/{mac:\(text)}"),
      ("https://", "example.com/t?e={picc}&c={mac:\(text)}"),
    ] {
      guard let job = try? Self.job(scheme + rest) else { continue }
      let bench = try Bench("ntag424")
      let blank = bench.memory
      let report = bench.run(job)
      if report.failure?.kind == .badInput {
        #expect(bench.memory == blank)
        continue
      }
      #expect(report.failure == nil, "\(rest): \(report.failure?.message ?? "")")
      let tag = try virtual(bench)
      let shown = scheme + Self.address(Self.reading(tag))
      for parts in [
        try SUNParts(shown, template: scheme + rest), try SUNParts(guessing: shown),
      ] {
        #expect(try SUNProof(parts, keys: Self.ring).uid == UID(tag.storedUID), "\(rest)")
      }
      // What the code takes in stands where the text begins.
      let parts = try SUNParts(shown, template: scheme + rest)
      #expect(parts.codeInput.starts(with: text.utf8), "\(rest)")
      var forged = try SUNParts(guessing: shown)
      forged.leading = forged.leading.map { $0 ^ 1 }
      #expect(throws: SUNError.wrongCode) { try SUNProof(forged, keys: Self.ring) }
    }
  }

  @Test("random templates: offsets right, readable, and the code proves")
  func templates() throws {
    var generator = SplitMix64(state: 21)
    for round in 0..<(Exhaustive.isAsked ? 5000 : 60) {
      func filler() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789-._/")
        return String(
          (0..<Int.random(in: 1...9, using: &generator)).map { _ in
            letters.randomElement(using: &generator) ?? "a"
          })
      }
      let isPlain = Bool.random(using: &generator)
      var places = isPlain ? ["{uid}", "{counter}"] : ["{picc}"]
      places.shuffle(using: &generator)
      if round % 3 == 0 { places.append("{enc:\(filler().filter { $0 != "/" })x}") }
      let names = ["", ":uid", ":counter", ":picc", ":https", ":example"]
      let from = names[Int.random(in: 0..<names.count, using: &generator)]
      var template = "https://example.com/" + filler()
      for place in places + ["{mac\(from)}"] { template += "?" + filler() + "=" + place }
      template += "&" + filler()
      guard let job = try? Self.job(template, keys: Self.ring), template.count < 150 else {
        continue
      }
      let bench = try Bench("ntag424")
      let report = bench.run(job)
      if report.failure?.kind == .badInput { continue }
      #expect(report.failure == nil, "\(template): \(report.failure?.message ?? "")")
      let tag = try virtual(bench)
      let text = "https://" + Self.address(Self.reading(tag))
      let proof = try SUNProof(try SUNParts(text, template: template), keys: Self.ring)
      #expect(proof.uid == UID(tag.storedUID), "\(template)")
    }
  }

  @Test(
    "an address proves its tag without a template, whatever its values look like",
    arguments: [
      ("?d={enc:abc}&e={picc}&c={mac}", "abc"), ("?e={picc}&d={enc:abc}&c={mac}", "abc"),
      ("?d={enc:abc}&e={picc}&c={mac:d}", "abc"), ("?n=20261126000000&e={picc}&c={mac}", ""),
      ("?s=00112233445566778899AABBCCDDEEFF&e={picc}&c={mac}", ""),
      ("?e={picc}&s=00112233445566778899AABBCCDDEEFF&c={mac}", ""),
      ("?n=20261126000000&e={picc}&d={enc:abc}&c={mac}", "abc"),
      ("?n=20261126000000&d={enc:abc}&e={picc}&c={mac}", "abc"),
      ("?n=123456&e={picc}&c={mac}", ""), ("?u={uid}&n={counter}&c={mac}", ""),
    ])
  func guessed(_ rest: String, _ data: String) throws {
    let bench = try Bench("ntag424")
    let report = bench.run(try Self.job("https://example.com/t" + rest, keys: Self.ring))
    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    let tag = try virtual(bench)
    let shown = "https://" + Self.address(Self.reading(tag))
    let proofs = try SUNParts.readings(of: shown).compactMap { try? SUNProof($0, keys: Self.ring) }
    #expect(proofs.first?.uid == UID(tag.storedUID))
    #expect((proofs.first?.fileData ?? []).starts(with: data.utf8))
    // A digit of the code: no reading of it proves anything.
    let last = shown.last == "0" ? "1" : "0"
    #expect(
      try SUNParts.readings(of: shown.dropLast() + last)
        .allSatisfy { (try? SUNProof($0, keys: Self.ring)) == nil })
  }

  /// Every exchange and every programming cycle: no tag that neither old nor new keys open, and the
  /// same command finishes it.
  @Test("a fault anywhere: every key is the old or the new one, and the same command ends it well")
  func faults() throws {
    let faults = ProofFaults(product: "ntag424", job: try Self.job(), keys: Self.ring) {
      try expectDone($0, $1)
    }
    let runs = try faults.strikeAll(oneOf: 5, andOf: 2)
    #expect(runs > 100)
  }
}

/// Digits and bytes, apart from the code under test.
enum Hexadecimal {
  static func bytes(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] * 16 + digits[$0 + 1])
    }
  }

  static func text(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
