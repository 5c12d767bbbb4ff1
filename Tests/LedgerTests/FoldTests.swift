import SeriesContract
import Testing

@testable import Ledger

/// What the rules decide, told as events, brings a job where the rules have it.
@Suite("The fold of events")
struct FoldTests {
  private static func message(_ job: Int) -> [UInt8] { Array(repeating: UInt8(job), count: 32) }

  @Test("brings each job where the rules have it, whatever is asked of them", arguments: 1...120)
  func fold(seed: UInt64) {
    for isShared in [true, false] {
      var contract = SeriesContract(
        [MemoryLedger(jobs: 3, isShared: isShared)],
        of: [.init("A", station: "1", run: nil), .init("B", station: "2", run: nil)], jobs: 3,
        isShared: isShared, seed: seed
      ) { (store, milliseconds) throws(Never) in store.endLeases(earlierBy: milliseconds) }
      #expect(contract.faults(in: 150) == [], "seed \(seed)")
    }
  }

  @Test("takes in nothing that contradicts what happened before")
  func contradictions() {
    let message = MessageFacts(digest: Self.message(1))
    let locks = TagLocks(isLocked: true, isProtected: false)
    let (tag, other): ([UInt8], [UInt8]) = ([4, 1], [4, 2])
    let onTag: [Happening] = [
      .resumed(job: 1, tag: tag), .held(job: 1, tag: tag),
      .written(job: 1, tag: tag, digest: message.digest, locks),
      .returned(job: 1, tag: tag, setsAside: false), .released(job: 1, tag: tag),
    ]
    func fold(_ happenings: [Happening]) -> (JobStanding, Bool) {
      var (record, isGood) = (JobStanding(), true)
      for (number, what) in happenings.enumerated() {
        isGood = record.apply(Event(number: Int64(number + 1), what, started: 0))
      }
      return (record, isGood)
    }
    let reserved = Happening.reserved(job: 1, tag: tag, message)
    for what in onTag {
      #expect(!fold([what]).1 && fold([]).0 == fold([what]).0, "\(what) of a job that waits")
      #expect(fold([reserved, what]).1, "\(what)")
    }
    let finished = [reserved, onTag[2]]
    for what in [
      .reserved(job: 1, tag: other, message), .resumed(job: 1, tag: tag),
      .held(job: 1, tag: tag), .returned(job: 1, tag: tag, setsAside: true), .refused(job: 1),
      .retried(job: 1),
    ] as [Happening] {
      let (record, isGood) = fold(finished + [what])
      #expect(!isGood && record == fold(finished).0, "\(what) of a finished job")
    }
    #expect(
      !fold([reserved, .written(job: 1, tag: tag, digest: Self.message(2), locks)]).1)
    #expect(!fold([reserved, .held(job: 1, tag: other)]).1)
    #expect(fold([.refused(job: 1), .retried(job: 1)]).0.isPending)
    #expect(!fold([.refused(job: 1), reserved]).1)
    // What changes no job changes nothing.
    for what in [
      .passed(job: 1, tag: other, setsAside: true),
      .unknown(kind: "lost", job: 1, tag: tag),
    ] as [Happening] {
      #expect(fold(finished + [what]).1 && fold(finished + [what]).0 == fold(finished).0)
    }
  }

  @Test("an event is read from a store's columns as it was, and nothing is made of half of one")
  func columns() {
    let message = MessageFacts(
      digest: Self.message(1), length: 20, uri: "https://a.example", day: nil)
    for kind in EventKind.allCases {
      for job in [1, nil] {
        for tag in [[UInt8(4)], nil] {
          for given in [message, nil] {
            let what = Happening(kind: kind.rawValue, job: job, tag: tag, message: given)
            #expect(what.word == kind.rawValue)
            guard what.kind != nil else {
              #expect(what.job == job && what.tag == tag && !what.changesJob)
              continue
            }
            let again = Happening(
              kind: what.word, job: what.job, tag: what.tag,
              message: what.message ?? what.digest.map { MessageFacts(digest: $0) },
              isLocked: what.locks?.isLocked ?? false,
              isProtected: what.locks?.isProtected ?? false, setsAside: what.setsAside)
            #expect(again == what)
          }
        }
      }
    }
  }
}
