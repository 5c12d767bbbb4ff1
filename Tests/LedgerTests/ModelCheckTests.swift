import Foundation
import Testing

@testable import Ledger

/// Every world that can come of one, breadth first, so that what leads to a fault is shortest.
struct Exploration {
  private(set) var count = 0
  private(set) var steps = 0
  /// What is wrong, and the worlds that lead there.
  private(set) var fault: (text: String, path: [World])?

  init(from start: World, _ rules: @escaping World.Rules) {
    var worlds = [start]
    var places = [start: 0]
    var parents = [0]
    var before: [[Int]] = [[]]
    var next = 0
    func path(_ place: Int) -> [World] {
      var (place, path) = (place, [worlds[place]])
      while place != 0 {
        place = parents[place]
        path.append(worlds[place])
      }
      return path.reversed()
    }
    while next < worlds.count {
      let world = worlds[next]
      if let text = world.fault {
        fault = (text, path(next))
        break
      }
      for successor in world.successors(rules) {
        steps += 1
        if let known = places[successor] {
          before[known].append(next)
          continue
        }
        places[successor] = worlds.count
        worlds.append(successor)
        parents.append(next)
        before.append([next])
      }
      next += 1
    }
    count = worlds.count
    guard fault == nil else { return }
    // Backwards from the ends: what is not met there cannot be finished.
    var reaches = worlds.map(\.isFinished)
    var open = reaches.indices.filter { reaches[$0] }
    while let place = open.popLast() {
      for earlier in before[place] where !reaches[earlier] {
        reaches[earlier] = true
        open.append(earlier)
      }
    }
    if let stuck = reaches.firstIndex(of: false) {
      fault = ("what is here can never be finished", path(stuck))
    }
  }
}

@Suite("The rules of a ledger, in every order in which two benches can use them")
struct ModelCheckTests {
  static let rules: World.Rules = { $0.decide($1, on: $2, $3) }

  /// Jobs, tags and an operator's words; the exhaustive run has more of them, half a million
  /// worlds.
  static let sizes: [(jobs: Int, tags: Int, words: Int)] =
    ProcessInfo.processInfo.environment["NFCPROG_EXHAUSTIVE"] == nil
    ? [(1, 2, 1)] : [(1, 2, 1), (2, 1, 0), (1, 3, 1), (2, 2, 0)]

  @Test(
    "with crashes, cuts and an operator's word at any step, lose no job and double none",
    arguments: sizes)
  func everything(_ size: (jobs: Int, tags: Int, words: Int)) {
    let found = Exploration(
      from: World(jobs: size.jobs, tags: size.tags, words: size.words), Self.rules)
    #expect(found.fault?.text == nil, "\(found.fault?.path.map { "\($0)" } ?? [])")
    // Fewer would mean that something can no longer happen.
    #expect(found.count > 25_000)
  }

  @Test("must be as they are: each that is broken is found", arguments: BrokenRule.allCases)
  func broken(_ rule: BrokenRule) {
    let found = Exploration(from: rule.world, rule.decide)
    #expect(found.fault?.text == rule.fault)
  }
}

/// A rule that is not kept.
enum BrokenRule: String, CaseIterable {
  /// Leases run out while a tag is bound.
  case boundRunsOut
  /// What a bench may bind alone runs out.
  case entrustedRunsOut
  /// What comes from an earlier epoch is carried out.
  case noFence
  /// A tag that has a job gets another one.
  case tagTwice
  /// A finished job that is finished again is a conflict.
  case finishOnce
  /// Nobody but the bench that has bound a job may go on with it.
  case noTakeOver

  var world: World {
    self == .tagTwice ? World(jobs: 2, tags: 1, words: 0) : World(jobs: 1, tags: 2, words: 0)
  }

  var fault: String {
    switch self {
    case .boundRunsOut, .entrustedRunsOut, .noFence: "job 1 is on two tags"
    case .tagTwice: "a tag has two jobs"
    case .finishOnce: "the tag of job 1 was set aside, and the job is not free"
    case .noTakeOver: "what is here can never be finished"
    }
  }

  func decide(
    _ standing: JobStanding, _ command: LedgerCommand, _ job: Int, _ facts: LedgerFacts
  ) -> LedgerDecision {
    switch (self, command, standing.state) {
    case (.boundRunsOut, .claim, .bound) where facts.now > 0:
      return JobStanding(.pending, epoch: standing.epoch).decide(command, on: job, facts)
    case (.entrustedRunsOut, .claim, .claimed) where facts.now > 0:
      return JobStanding(.pending, epoch: standing.epoch).decide(command, on: job, facts)
    case (.noFence, .bind(_, _, let tag, let message), .claimed(let claim)):
      return standing.decide(
        .bind(bench: claim.bench, epoch: standing.epoch, tag: tag, message: message), on: job, facts
      )
    case (.noFence, .finish(_, _, let tag, let digest, let locks), _):
      let bench = standing.bench ?? ""
      return standing.decide(
        .finish(bench: bench, epoch: standing.epoch, tag: tag, digest: digest, locks), on: job,
        facts)
    case (.tagTwice, .bind, _):
      var blind = facts
      blind.jobOfTag = nil
      return standing.decide(command, on: job, blind)
    case (.finishOnce, .finish, .written): return .refused(.fenced)
    case (.noTakeOver, .takeOver, _): return .refused(.inUse)
    default: return standing.decide(command, on: job, facts)
    }
  }
}
