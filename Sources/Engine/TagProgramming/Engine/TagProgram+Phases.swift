/// A job is one program: its parts are planned each on what the one before it leaves, and joined
/// before the first write.
extension TagProgram {
  /// One part of a job.
  package struct Phase: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// The tag becomes an NDEF tag, or a whole one. A blank tag gets its message with it.
      case format
      /// The message alone.
      case message
      /// A password, and what it protects.
      case protection
      /// Nobody may write any more, for good.
      case locks
      /// Back to the state of delivery.
      case reset
      /// The memory of a dump.
      case restore
      /// What the operator gave, byte by byte.
      case raw
    }

    package let kind: Kind
    /// The numbers of its steps, from 0; none where the tag holds already what the part is for.
    package let steps: Range<Int>
    /// Is true if everything in it can be undone.
    package let canBeUndone: Bool
    /// What the tag shows before each of the program's steps; nil where that is not known: raw
    /// bytes may mean anything.
    let showing: Showing?

    /// What the tag shows once all steps before `index` are done; nil where that is not known.
    package func shows(before index: Int) -> Shows? { showing?.shows(before: index) }

    /// Returns the phase behind `count` other steps.
    fileprivate func moved(by count: Int) -> Phase {
      Phase(
        kind: kind, steps: steps.lowerBound + count..<steps.upperBound + count,
        canBeUndone: canBeUndone, showing: showing?.moved(by: count))
    }
  }

  /// The parts of the job, in their order; a program of one piece has one.
  package var phases: [Phase] { parts.isEmpty ? [whole(kind, after: .oldMessage)] : parts }

  /// One program of `parts`, in their order.
  init(joining parts: [(kind: Phase.Kind, program: TagProgram)]) {
    var shows: Shows? = .oldMessage
    for (kind, program) in parts {
      let phase = program.whole(kind, after: shows).moved(by: steps.count)
      shows = phase.showing?.after
      append(program)
      self.parts.append(phase)
    }
    blindSpot = parts.lazy.compactMap(\.program.blindSpot).first
    probes = parts.first?.program.probes ?? 0
    switchesMirrorOff = parts.contains(where: \.program.switchesMirrorOff)
    keepsBehind = parts.compactMap(\.program.keepsBehind).first
  }

  /// All of this program as one part, on a tag that showed `before`. Passwords and locks leave the
  /// message as they find it; what else the tag shows is not known where the planner does not say
  /// it.
  private func whole(_ kind: Phase.Kind, after before: Shows?) -> Phase {
    let keepsMessage = kind == .protection || kind == .locks || !changesTag
    return Phase(
      kind: kind, steps: steps.indices, canBeUndone: !steps.contains(where: \.isIrreversible),
      showing: showing ?? (keepsMessage ? before.map { Showing($0) } : nil))
  }

  /// This program behind `begun`: what a run has done by the time it has to plan again.
  func following(_ begun: ArraySlice<Step>) -> TagProgram {
    var program = self
    program.parts = phases.map { $0.moved(by: begun.count) }
    program.steps = begun + steps
    return program
  }

  /// The part that step `index` belongs to.
  func phase(of index: Int) -> Phase? { phases.first { $0.steps.contains(index) } }
}
