import LedgerSQLite
import Readers
import TagProgramming

/// What the time of one tag goes to.
final class StepWatch {
  private(set) var steps: [Timing.Step] = []
  private let clock: HostClock
  private var current = "look"
  private var since: Duration

  init(_ clock: HostClock) { (self.clock, since) = (clock, clock.now()) }

  /// All of it together.
  var total: Duration { steps.reduce(.zero) { $0 + $1.duration } }

  /// From now on the time goes to `name`.
  func enter(_ name: String) {
    guard name != current else { return }
    let now = clock.now()
    add(now - since)
    (current, since) = (name, now)
  }

  /// The last of it has ended.
  func stop() {
    add(clock.now() - since)
    since = clock.now()
  }

  func note(_ progress: JobProgress) {
    switch progress {
    case .waiting, .found, .identified, .planned: break
    case .retrying: enter("retry")
    case .step(_, _, let step):
      if step.isWrite {
        enter("write")
      } else if current != "write" || step.isCheck {
        enter("verify")
      }
    }
  }

  private func add(_ duration: Duration) {
    guard duration > .zero else { return }
    if let index = steps.firstIndex(where: { $0.name == current }) {
      steps[index] = Timing.Step(current, steps[index].duration + duration)
    } else {
      steps.append(Timing.Step(current, duration))
    }
  }
}
