import Foundation
import PN532Simulator
import TagMemory
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("A station that falls takes no other with it")
struct FallenStationTests {
  private struct Wrong: Error {
    let what: String
  }

  /// The mistake is made in a process of its own, which a mistake in the test would end, too.
  @Test(
    "a mistake of the program at one reader: the other's tags are finished, and no code is lost",
    arguments: Mistake.allCases)
  func mistake(kind: Mistake) async {
    await #expect(processExitsWith: .exitCode(70)) { [kind] in
      StationGuard.install()
      for place in kind == .overflow ? [0, 3, 9, 14, 20] : [0, 9, 14] {
        let bench = try LineBench(codes: 4)
        let tags = try (0..<8).map { try LineBench.tag($0) }
        let readers = [
          TestReader("bad", Array(tags[..<2]), mistake: (place, kind)),
          TestReader("good", Array(tags[2..<4])),
        ]
        let (summary, _) = try bench.run(readers) { $0.timeout = .seconds(30) }
        guard case .stationFell(reader: "bad") = summary.ending else {
          throw Wrong(what: "\(summary)")
        }
        // A tag of the sound station has its code and the journal knows, or nobody has touched it.
        let journal = try bench.journal.open()
        for tag in tags[2..<4] {
          let held = LineBench.link(on: tag)
          let known = try journal.history(of: UID(tag.uid))
          if case .written(let written)? = known, written.uri == held { continue }
          guard held == nil, known == nil else { throw Wrong(what: "\(place): \(tag.uid)") }
        }
        let again = try bench.run([TestReader("1", tags)]) { $0.timeout = .seconds(30) }
        let links = tags.compactMap { LineBench.link(on: $0) }
        guard links.count == 4, Set(links).count == 4, case .complete = again.summary.ending else {
          throw Wrong(what: "\(place): \(links), \(again.summary)")
        }
      }
      exit(70)
    }
  }

  @Test(
    "a mistake on any other thread ends the process, under guard as without",
    arguments: Mistake.allCases.filter { $0.signal != nil }, [false, true])
  func elsewhere(kind: Mistake, isGuarded: Bool) async throws {
    let result = await #expect(processExitsWith: .failure) { [kind, isGuarded] in
      if isGuarded { StationGuard.install() }
      // Another station works meanwhile.
      if isGuarded {
        Thread.detachNewThread { StationGuard.run(0) { while true { sleep(1) } } }
        usleep(10_000)
      }
      let thread = Thread { kind.make() }
      thread.start()
      sleep(20)
      exit(0)
    }
    #expect(result?.exitStatus == .signal(try #require(kind.signal)))
  }

  @Test(
    "such a signal that somebody sends to the process ends it, whichever thread gets it",
    arguments: [SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGTRAP])
  func sent(signal: CInt) async {
    let result = await #expect(processExitsWith: .failure) { [signal] in
      StationGuard.install()
      Thread.detachNewThread {
        StationGuard.run(0) {
          kill(getpid(), signal)
          sleep(20)
        }
      }
      sleep(30)
      exit(0)
    }
    #expect(result?.exitStatus == .signal(signal))
  }

  @Test("whatever bytes one reader's tags hold, the other's get their codes, each once")
  func strangers() throws {
    var random = SystemRandomNumberGenerator()
    let products = [
      "ntag424", "type4", "st25ta02k", "ntag213", "ultralight-c", "ultralight-aes", "classic1k",
      "felica-lite-s", "ultralight-ev1-11", "ntag216",
    ]
    for round in 0..<30 {
      let strange = try (0..<3).map { index in
        let tag = try LineBench.tag(index, products[(round + index * 3) % products.count])
        var memory = tag.eeprom.bytes
        // What a tag says of itself stands at either end of its memory.
        for _ in 0..<Int.random(in: 1...24, using: &random) {
          let place = Int.random(in: 0..<64, using: &random)
          let isFront = Bool.random(using: &random)
          let at = isFront ? min(place, memory.count - 1) : max(0, memory.count - 160 + place)
          memory[min(at, memory.count - 1)] = [
            0, 1, 2, 0x0F, 0x10, 0x7F, 0x80, 0xFE, 0xFF, .random(in: 0...255, using: &random),
          ].randomElement(using: &random)!
        }
        // The UID of a tag is its own.
        if ["ntag2", "ultra", "class"].contains(tag.product.prefix(5)) {
          memory.replaceSubrange(0..<9, with: tag.eeprom.bytes[0..<9])
        }
        tag.eeprom.load(memory)
        return tag
      }
      let bench = try LineBench(codes: 3)
      let sound = try (0..<6).map { try LineBench.tag(20 + $0) }
      let (summary, _) = try bench.run([
        TestReader("strange", strange), TestReader("sound", sound),
      ]) {
        ($0.timeout, $0.mixesTypes) = (.seconds(1), true)
        $0.overwrite = round % 2 == 0
      }
      // A strange tag that may hold a job is waited for; every other job is on a tag.
      #expect(summary.pending == 0 && summary.passed + summary.waitedFor.count >= 3, "\(summary)")
      let links = sound.compactMap { LineBench.link(on: $0) }
      #expect(Set(links).count == links.count)
      let journal = try bench.journal.open()
      #expect(try journal.verify().isEmpty)
      for tag in sound where LineBench.link(on: tag) != nil {
        guard case .written(let written)? = try journal.history(of: UID(tag.uid)) else {
          Issue.record("a sound tag was written, and the journal does not know")
          continue
        }
        #expect(written.uri == LineBench.link(on: tag))
      }
    }
  }
}
