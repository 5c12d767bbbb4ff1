import NDEF
import Readers
import TagMemory
import Testing

@testable import PN532Simulator
@testable import TagProgramming

@Suite("An NTAG 424 DNA gets LRP, and a TagTamper its loop watched, whatever happens on the way")
struct LeakageResilientTests {
  private static let ring = PersonalisationTests.ring
  private static let template = PersonalisationTests.template
  private static let tampered = "https://example.com/t?e={picc}&t={tt}&c={mac:picc}"
  private static let hidden = "https://example.com/t?e={picc}&d={enc:lot-{tt}-7}&c={mac}"

  private static func job(
    _ template: String, lrp: Bool = false, loop: Bool = false, randomUID: Bool = false
  ) throws -> Job {
    let (text, input) = try SDMTemplate.expand(template, usesLRP: lrp)
    var options = WriteOptions()
    var personalisation = Personalisation(keys: ring, codeInput: input)
    (personalisation.usesLRP, personalisation.watchesTamperLoop) = (lrp, loop)
    personalisation.randomUID = randomUID
    options.personalisation = personalisation
    return .write(try url(text), options)
  }

  /// A job that turns LRP on. `try!`: the template is a constant of this suite.
  static var lrp: Job { try! job(template, lrp: true) }

  private static func proof(_ bench: Bench, _ template: String) throws -> SUNProof {
    let tag = try #require(bench.tag as? VirtualNTAG424)
    let text = PersonalisationTests.address(PersonalisationTests.reading(tag))
    return try SUNProof(try SUNParts("https://" + text, template: template), keys: ring)
  }

  @Test("LRP: marked in the plan, done once, proven, and undone but for LRP")
  func leakageResilient() throws {
    let bench = try Bench("ntag424")
    let job = try Self.job(Self.template, lrp: true)
    let planned = bench.run(job) { $0.dryRun = true }
    #expect(planned.program?.irreversibleSteps.count == 1)
    let report = bench.run(job)
    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    let proof = try Self.proof(bench, Self.template)
    #expect(proof.usesLRP && proof.uid == UID(bench.tag.uid))
    #expect(proof.fileData == Array("lot-7~~~~~~~~~~~".utf8))
    let before = bench.memory
    #expect(bench.run(job).result == .unchanged && bench.memory == before)
    #expect(bench.run(.info).details.contains { $0.text.contains("LRP") })
    // Without the flag an LRP tag is left alone, and another address takes it with the flag.
    let refused = bench.run(try Self.job(Self.template))
    #expect(refused.failure?.cause == .type4(.usesLRP) && refused.failure?.remedy == .allowLRP)
    #expect(bench.memory == before)
    let other = "https://example.com/other?e={picc}&c={mac}"
    #expect(bench.run(try Self.job(other, lrp: true)).failure == nil)
    #expect(try Self.proof(bench, other).usesLRP)
    let reset = bench.run(.resetSDM(Personalisation(keys: .delivered, before: Self.ring)))
    #expect(reset.failure == nil, "\(reset.failure?.message ?? "")")
    let tag = try #require(bench.tag as? VirtualNTAG424)
    for number in KeyRing.keyNumbers { #expect(tag.key(number) == AESKey.delivered.bytes) }
    #expect(tag.configuration.isLRP)
    #expect(bench.run(job).result == .written)
  }

  @Test("a tag that proves itself with AES turns to LRP with all its keys")
  func turning() throws {
    let bench = try Bench("ntag424")
    #expect(bench.run(try Self.job(Self.template)).failure == nil)
    #expect(try Self.proof(bench, Self.template).usesLRP == false)
    let report = bench.run(try Self.job(Self.template, lrp: true))
    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    #expect(try Self.proof(bench, Self.template).usesLRP)
  }

  @Test(
    "{tt}: in plain text and encrypted, closed, open, and closed again", arguments: [true, false])
  func tamper(isHidden: Bool) throws {
    let template = isHidden ? Self.hidden : Self.tampered
    let bench = try Bench("ntag424tt")
    let refused = bench.run(try Self.job(template))
    #expect(refused.failure?.cause == .type4(.loopUnwatched))
    #expect(refused.failure?.remedy == .watchLoop)
    let plain = try Bench("ntag424").run(try Self.job(template, loop: true))
    #expect(plain.failure?.cause == .type4(.noTamperLoop(.ntag424)))
    let job = try Self.job(template, loop: true)
    #expect(bench.run(job) { $0.dryRun = true }.program?.irreversibleSteps.count == 1)
    let report = bench.run(job)
    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    let tag = try #require(bench.tag as? VirtualNTAG424)
    let closed = TamperState(ever: .closed, now: .closed)
    #expect(try Self.proof(bench, template).tamper == closed)
    #expect(bench.run(job).result == .unchanged)
    // Once it watches, the flag is no longer needed.
    #expect(bench.run(try Self.job(template)).result == .unchanged)
    tag.behaviour.loopIsOpen = true
    #expect(try Self.proof(bench, template).tamper == TamperState(ever: .open, now: .open))
    tag.behaviour.loopIsOpen = false
    #expect(try Self.proof(bench, template).tamper == TamperState(ever: .open, now: .closed))
    let details = bench.run(.info).details
    #expect(details.contains { $0.text == "opened before, and closed now" })
    if isHidden {
      #expect(
        try Self.proof(bench, template).fileData?.starts(with: Array("lot-OC-7".utf8)) == true)
    }
  }

  @Test("a TagTamper with LRP, an encrypted state and a random UID")
  func everything() throws {
    let bench = try Bench("ntag424tt")
    let job = try Self.job(Self.hidden, lrp: true, loop: true, randomUID: true)
    #expect(bench.run(job) { $0.dryRun = true }.program?.irreversibleSteps.count == 3)
    let report = bench.run(job)
    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    let tag = try #require(bench.tag as? VirtualNTAG424)
    let proof = try Self.proof(bench, Self.hidden)
    #expect(proof.uid == UID(tag.storedUID) && proof.usesLRP && proof.tamper?.now == .closed)
    #expect(tag.uid.count == 4 && bench.run(job).result == .unchanged)
  }

  @Test("random templates in LRP mode: offsets right, readable, and the code proves")
  func templates() throws {
    var generator = SplitMix64(state: 77)
    for round in 0..<(Exhaustive.isAsked ? 1000 : 20) {
      let places =
        round % 2 == 0
        ? ["{picc}", "{tt}"] : ["{uid}", "{counter}", round % 3 == 0 ? "{enc:lot{tt}}" : "{tt}"]
      var template = "https://example.com/"
      for place in places.shuffled(using: &generator) {
        template += "?" + String(repeating: "x", count: .random(in: 1...9, using: &generator))
        template += "=" + place
      }
      template += "&c={mac:example}"
      let bench = try Bench("ntag424tt")
      let report = bench.run(try Self.job(template, lrp: true, loop: true))
      #expect(report.failure == nil, "\(template): \(report.failure?.message ?? "")")
      let proof = try Self.proof(bench, template)
      #expect(proof.uid == UID(bench.tag.uid) && proof.tamper?.ever == .closed, "\(template)")
    }
  }

  @Test("a fault anywhere: every key is the old or the new one, and the same command ends it well")
  func faults() throws {
    let faults = ProofFaults(
      product: "ntag424tt",
      job: try Self.job(Self.hidden, lrp: true, loop: true, randomUID: true), keys: Self.ring
    ) { bench, what in
      let tag = try #require(bench.tag as? VirtualNTAG424)
      let uid = UID(tag.storedUID)
      for number in KeyRing.keyNumbers {
        #expect(tag.key(number) == Self.ring.key(number, of: uid).bytes, "key \(number): \(what)")
      }
      let proof = try Self.proof(bench, Self.hidden)
      #expect(proof.uid == uid && proof.usesLRP && proof.tamper?.now == .closed, "\(what)")
      #expect(tag.configuration.hasRandomUID, "\(what)")
    }
    let runs = try faults.strikeAll(oneOf: 8, andOf: 3)
    #expect(runs > 100)
  }
}
