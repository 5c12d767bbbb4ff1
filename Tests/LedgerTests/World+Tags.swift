@testable import Ledger

/// What happens with the tag on a bench's reader.
extension World {
  func addTags(_ index: Int, _ rules: @escaping Rules, _ add: ((inout World) -> Bool) -> Void) {
    let bench = benches[index]
    guard let tag = bench.reader else {
      for tag in tags.indices
      where tags[tag].isUsed && !benches.contains(where: { $0.reader == tag })
        && isOfUse(tag, to: bench)
      {
        add { world in
          world.benches[index].reader = tag
          return true
        }
      }
      return
    }
    // It is taken away.
    add { world in
      world.benches[index].reader = nil
      if bench.hand?.tag == tag { world.benches[index].hand?.isAway = true }
      return true
    }
    if let hand = bench.hand, hand.tag == tag, hand.isAway {
      addReturn(index, hand, tag, rules, add)
    } else if bench.hand?.tag == tag {
      addWork(index, tag, rules, add)
    } else {
      addBinding(index, tag, rules, add)
    }
  }

  /// Whether the bench can do anything with the tag; else it is left alone.
  private func isOfUse(_ tag: Int, to bench: Bench) -> Bool {
    if let hand = bench.hand {
      return hand.tag == tag || hand.tag == nil && tags[tag].content == nil
    }
    guard bench.answer == nil, bench.outbox.isEmpty,
      let job = ledger.jobs(where: .onTag(Self.uid(tag))).first
    else {
      return false
    }
    if case .written = ledger[job].state { return false }
    return true
  }

  /// A tag of the bench's that was away. The store says whether the job is still its; without the
  /// store nothing is written, but what is read there is true.
  private func addReturn(
    _ index: Int, _ hand: Bench.Hand, _ tag: Int, _ rules: @escaping Rules,
    _ add: ((inout World) -> Bool) -> Void
  ) {
    let bench = benches[index]
    if tags[tag].content == hand.job {
      add { world in
        world.benches[index].note(.finish, hand, tag)
        (world.benches[index].hand, world.benches[index].reader) = (nil, nil)
        return true
      }
    }
    guard bench.outbox.isEmpty else { return }
    for isAnswerLost in [false, true] {
      add { world in
        let decision = world.ask(
          .takeOver(bench: bench.name, tag: Self.uid(tag)), hand.job, rules)
        guard !isAnswerLost else { return true }
        // The job has gone to another tag meanwhile.
        guard case .changed = decision else {
          (world.benches[index].hand, world.benches[index].reader) = (nil, nil)
          return true
        }
        world.benches[index].hand?.epoch = world.ledger[hand.job].epoch
        world.benches[index].hand?.isAway = false
        return true
      }
    }
  }

  /// A tag that the bench has no job on.
  private func addBinding(
    _ index: Int, _ tag: Int, _ rules: @escaping Rules, _ add: ((inout World) -> Bool) -> Void
  ) {
    let bench = benches[index]
    if bench.hand == nil, bench.outbox.isEmpty,
      let job = ledger.jobs(where: .onTag(Self.uid(tag))).first
    {
      // The store knows the tag: this bench goes on with its job. Whether the other is at work is
      // told by its lease, which may be over all the same.
      add { world in
        guard
          case .changed = world.ask(
            .takeOver(bench: bench.name, tag: Self.uid(tag)), job, rules)
        else { return false }
        world.benches[index].hand = Bench.Hand(
          job: job, epoch: world.ledger[job].epoch, isEntrusted: true, tag: tag)
        return true
      }
    }
    // A message that the bench knows nothing of is foreign.
    guard tags[tag].content == nil, let hand = bench.hand, hand.tag == nil else { return }
    if hand.isEntrusted {
      add { world in
        world.benches[index].hand?.tag = tag
        world.benches[index].note(.bind, hand, tag)
        return true
      }
    } else {
      // Without the store's word, a lease is good for nothing.
      add { world in
        let entry = Bench.Entry(job: hand.job, tag: tag, kind: .bind, epoch: hand.epoch)
        guard case .changed = world.ask(bench.command(entry), hand.job, rules) else {
          world.benches[index].hand = nil
          return true
        }
        world.benches[index].hand?.tag = tag
        return true
      }
    }
  }

  /// A tag that the bench's job is bound to.
  private func addWork(
    _ index: Int, _ tag: Int, _ rules: @escaping Rules, _ add: ((inout World) -> Bool) -> Void
  ) {
    let bench = benches[index]
    guard let hand = bench.hand else { return }
    if tags[tag].content == hand.job {
      add { world in
        world.benches[index].note(.finish, hand, tag)
        (world.benches[index].hand, world.benches[index].reader) = (nil, nil)
        return true
      }
    } else {
      add { world in
        world.tags[tag].content = hand.job
        world.benches[index].hand?.hasWritten = true
        return true
      }
      add { world in
        world.benches[index].note(.giveBack, hand, tag)
        (world.benches[index].hand, world.benches[index].reader) = (nil, nil)
        return true
      }
    }
  }
}
