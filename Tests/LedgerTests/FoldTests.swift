import SeededNumbers
import Testing

@testable import Ledger

/// What the rules decide, told as events, brings a job where the rules have it.
@Suite("The fold of events")
struct FoldTests {
  private static func message(_ job: Int) -> [UInt8] { Array(repeating: UInt8(job), count: 32) }

  /// Gives the events that a bench writes when a command changes a job; empty where it writes none.
  private func told(
    _ command: LedgerCommand, on job: Int, from last: JobStanding, to next: JobStanding,
    scrap: [UInt8]?
  ) -> [(Happening, JobStanding)] {
    let tag = (next.state.binding ?? last.state.binding)?.tag ?? []
    let facts = MessageFacts(digest: next.state.binding?.message ?? [])
    let (kind, setsAside): (EventKind?, Bool) =
      switch command {
      case .claim, .renew, .entrust, .letGo: (nil, false)
      case .bind: (.reserved, false)
      case .finish: (.written, false)
      case .hold: (.held, false)
      case .giveBack: (.returned, scrap != nil)
      case .takeOver: (last.isWritten ? .reserved : .resumed, false)
      case .refuse: (.refused, false)
      case .release: (last.state.binding == nil ? nil : .released, false)
      case .retry: (.retried, false)
      case .recall:
        (nil, false)
      }
    if case .recall = command {
      var (steps, before): ([(Happening, JobStanding)], JobStanding) = ([], last)
      for (standing, kind) in last.wayBack(to: next) {
        defer { before = standing }
        guard let kind else { continue }
        let binding = standing.state.binding ?? before.state.binding
        steps.append(
          (
            Happening(
              kind: kind, job: job, tag: binding?.tag,
              message: binding.map { MessageFacts(digest: $0.message) },
              setsAside: standing.state == .pending && scrap != nil), standing
          ))
      }
      return steps
    }
    guard let kind else { return [] }
    return [
      (
        Happening(kind: kind.rawValue, job: job, tag: tag, message: facts, setsAside: setsAside),
        next
      )
    ]
  }

  @Test("brings each job where the rules have it, whatever is asked of them", arguments: 1...120)
  func fold(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    var ledger = MemoryLedger(jobs: 3)
    var records = Array(repeating: JobRecord(), count: 3)
    var scrap: Set<[UInt8]> = []
    var kinds: Set<String> = []
    for _ in 0..<150 {
      let job = Int.random(in: 1...3, using: &numbers)
      let last = ledger[job]
      let anybody = Bool.random(using: &numbers) ? "A" : "B"
      let name = Int.random(in: 0..<4, using: &numbers) == 0 ? anybody : last.state.bench ?? anybody
      let epoch = last.epoch - (Int.random(in: 0..<6, using: &numbers) == 0 ? 1 : 0)
      let tag = [UInt8(4), UInt8.random(in: 0...4, using: &numbers)]
      let bound = last.state.binding?.tag ?? tag
      let message = Self.message(job)
      let command: LedgerCommand =
        switch Int.random(in: 0..<13, using: &numbers) {
        case 0, 1: .claim(bench: name, until: 9)
        case 2: .entrust(bench: name, epoch: epoch)
        case 3, 4: .bind(bench: name, epoch: epoch, tag: tag, message: message)
        case 5: .finish(bench: name, epoch: epoch, tag: bound, message: message)
        case 6: .hold(bench: name, epoch: epoch, tag: bound)
        case 7:
          .giveBack(
            bench: name, epoch: epoch, tag: bound,
            isScrap: Int.random(in: 0..<9, using: &numbers) == 0)
        case 8: .takeOver(bench: name, tag: bound)
        case 9:
          .recall(
            bench: name, tag: Bool.random(using: &numbers) ? tag : bound,
            message: Bool.random(using: &numbers) ? message : nil,
            epoch: epoch + Int64.random(in: -2...3, using: &numbers))
        case 10: .refuse(bench: name, epoch: epoch)
        case 11: .release(whoeverWorks: Int.random(in: 0..<4, using: &numbers) == 0)
        default: .retry
        }
      let decision = ledger.perform(command, on: job)
      guard case .changed(let next, let aside) = decision else { continue }
      for (what, standing) in told(command, on: job, from: last, to: next, scrap: aside) {
        var event = Event(what, started: 0)
        (event.epoch, event.recalled) = (standing.epoch, standing.recalled)
        event.bench = standing.state.bench
        let isInOrder = records[job - 1].apply(event)
        #expect(isInOrder, "\(command), \(event), seed \(seed)")
        if what.setsAside, let tag = what.tag { scrap.insert(tag) }
        kinds.insert(what.word)
      }
      let folded = JobStanding(records[job - 1])
      switch next.state {
      case .claimed, .pending:
        #expect(folded.state == .pending && folded.epoch <= next.epoch, "\(command), seed \(seed)")
      case .bound, .held, .written, .failed:
        #expect(folded.state == next.state, "\(command), seed \(seed)")
        #expect(folded.epoch == next.epoch && folded.recalled == next.recalled)
      }
      #expect(scrap == ledger.scrap, "\(command), seed \(seed)")
    }
    #expect(kinds.count > 3)
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
    func fold(_ happenings: [Happening]) -> (JobRecord, Bool) {
      var (record, isGood) = (JobRecord(), true)
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
      .reserved(job: 1, tag: other, message), .held(job: 1, tag: tag),
      .returned(job: 1, tag: tag, setsAside: true), .refused(job: 1), .retried(job: 1),
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
