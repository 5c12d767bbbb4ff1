@testable import Ledger

/// Everything that can happen next.
extension World {
  func successors(_ rules: @escaping Rules) -> [World] {
    var worlds: [World] = []
    /// Adds what `change` makes of this world, unless it says that it cannot be.
    func add(_ change: (inout World) -> Bool) {
      var world = self
      if change(&world) { worlds.append(world.normalized) }
    }
    for index in benches.indices {
      let bench = benches[index]
      if bench.answer != nil || bench.hand != nil || bench.reader != nil {
        add { world in
          world.crash(index)
          return true
        }
      }
      addClaims(index, rules, add)
      addReports(index, rules, add)
      addTags(index, rules, add)
    }
    if words > 0 { addWords(rules, add) }
    return worlds
  }

  /// The process dies and starts again. It starts only with the store, which it asks for its
  /// claims: they may have been released meanwhile.
  private mutating func crash(_ index: Int) {
    let bench = benches[index]
    (benches[index].answer, benches[index].reader) = (nil, nil)
    guard let hand = bench.hand else { return }
    if hand.tag == nil {
      if !isClaimed(hand, by: bench.name) { benches[index].hand = nil }
    } else {
      benches[index].hand?.isAway = true
    }
  }

  /// Whether the store has a claim of the bench's as the bench's disk has it.
  private func isClaimed(_ hand: Bench.Hand, by name: String) -> Bool {
    guard case .claimed(let claim) = ledger[hand.job].state else { return false }
    return claim.bench == name && ledger[hand.job].epoch == hand.epoch
  }

  /// The bench gets a job from the store.
  private func addClaims(
    _ index: Int, _ rules: @escaping Rules, _ add: ((inout World) -> Bool) -> Void
  ) {
    let bench = benches[index]
    // The answer goes to the disk before the store hears that it may forget the lease.
    if let answer = bench.answer {
      add { world in
        (world.benches[index].hand, world.benches[index].answer) = (answer, nil)
        return true
      }
    }
    if bench.hand == nil, bench.answer == nil, bench.outbox.isEmpty {
      for job in numbers {
        for isLate in [false, true] {
          add { world in
            guard
              case .changed = world.ask(
                .claim(bench: bench.name, until: 0), job, isLate: isLate, rules)
            else { return false }
            world.benches[index].answer = Bench.Hand(
              job: job, epoch: world.ledger[job].epoch)
            return true
          }
        }
      }
    }
    guard let hand = bench.hand else { return }
    if let tag = hand.tag {
      // The tag was away, and the store says that the job is not on it any more.
      let binding = ledger[hand.job].binding
      guard hand.isAway, bench.reader == nil, bench.outbox.isEmpty,
        binding?.bench != bench.name || binding?.tag != Self.uid(tag)
      else { return }
      return add { world in
        world.benches[index].hand = nil
        return true
      }
    }
    add { world in
      _ = world.ask(.letGo(bench: bench.name, epoch: hand.epoch), hand.job, rules)
      world.benches[index].hand = nil
      return true
    }
    guard !hand.isEntrusted else { return }
    for (isLate, isAnswerLost) in [(false, false), (true, false), (false, true)] {
      add { world in
        let decision = world.ask(
          .entrust(bench: bench.name, epoch: hand.epoch), hand.job, isLate: isLate, rules)
        guard !isAnswerLost else { return true }
        switch decision {
        case .changed, .done: world.benches[index].hand?.isEntrusted = true
        case .refused: world.benches[index].hand = nil
        }
        return true
      }
    }
  }

  /// The outbox is emptied in its order; an answer that is lost leaves the entry for another time.
  private func addReports(
    _ index: Int, _ rules: @escaping Rules, _ add: ((inout World) -> Bool) -> Void
  ) {
    let bench = benches[index]
    guard let entry = bench.outbox.first else { return }
    for isAnswerLost in [false, true] {
      add { world in
        let decision = world.ask(bench.command(entry), entry.job, rules)
        guard !isAnswerLost else { return true }
        world.benches[index].outbox.removeFirst()
        if case .refused(let refusal) = decision { world.meet(refusal, of: entry, index) }
        return true
      }
    }
  }

  /// The store has refused what the bench did alone.
  private mutating func meet(_ refusal: LedgerRefusal, of entry: Bench.Entry, _ index: Int) {
    let bench = benches[index]
    // The bench has read since that the tag does not hold the job.
    let isOver = bench.outbox.contains {
      $0.kind == .giveBack && $0.job == entry.job && $0.tag == entry.tag
    }
    drop(index, entry)
    guard refusal != .superseded, !isOver else { return }
    if let hand = bench.hand, hand.job == entry.job, !hand.hasWritten {
      // Nothing was written, so nothing of it is on the tag; a job that another tag kept from it
      // is as good as ever.
      if case .tagTaken = refusal {
        benches[index].hand = Bench.Hand(
          job: hand.job, epoch: hand.epoch, isEntrusted: hand.isEntrusted)
      }
    } else if case .tagTaken = refusal {
      tags[entry.tag].isDoubtful = true
    } else {
      // The job may be on another tag by now.
      tags[entry.tag].isAside = true
    }
    if bench.reader == entry.tag { benches[index].reader = nil }
  }

  /// The job is no longer this bench's: what else was to be said of it is void.
  private mutating func drop(_ index: Int, _ entry: Bench.Entry) {
    benches[index].outbox.removeAll { $0.job == entry.job && $0.tag == entry.tag }
    if benches[index].hand?.job == entry.job { benches[index].hand = nil }
  }

  /// An operator says of a job's tag that it is not used, and it is thrown away. Of a claim he says
  /// so only when the bench stands still.
  private func addWords(_ rules: @escaping Rules, _ add: ((inout World) -> Bool) -> Void) {
    for job in numbers {
      add { world in
        let (state, bound) = (world.ledger[job].state, world.ledger[job].binding?.tag)
        guard case .changed = world.ask(.release(whoeverWorks: true), job, rules) else {
          return false
        }
        world.words -= 1
        if let bound { world.tags[Self.tag(bound)].isAside = true }
        for index in world.tags.indices where world.tags[index].content == job {
          world.tags[index].isAside = true
        }
        for (index, bench) in world.benches.enumerated() {
          if bench.hand?.job == job, let tag = bench.hand?.tag { world.tags[tag].isAside = true }
          if case .claimed(let claim) = state, claim.bench == bench.name { world.crash(index) }
        }
        return true
      }
    }
  }
}
