/// A job is one program: its parts are planned each on what the one before it leaves, and joined before the first write.
extension TagProgram {
  /// One part of a job.
  public struct Phase: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      /// The tag becomes an NDEF tag, or a whole one. A blank tag gets its message with it.
      case format
      /// The message alone.
      case message
      /// A password, and what it protects.
      case protection
      /// Nobody may write any more, for good.
      case locks
    }

    public let kind: Kind
    /// The numbers of its steps, from 0; none where the tag holds already what the part is for.
    public let steps: Range<Int>
    /// Whether the message that was there stays through all of it.
    let keepsMessage: Bool
  }

  /// One program of `parts`, in their order.
  init(joining parts: [(kind: Phase.Kind, program: TagProgram)]) {
    for (kind, program) in parts {
      let start = steps.count
      append(program)
      phases.append(
        Phase(kind: kind, steps: start..<steps.count, keepsMessage: program.keepsMessage))
    }
    keepsMessage = preparation == nil && parts.first?.program.keepsMessage ?? false
    blindSpot = parts.lazy.compactMap(\.program.blindSpot).first
    mirrored = parts.lazy.compactMap(\.program.mirrored).first
  }

  /// This program behind `begun`: what a run has done by the time it has to plan anew.
  func following(_ begun: ArraySlice<Step>) -> TagProgram {
    var program = self
    program.steps = begun + steps
    program.phases = phases.map {
      let range = $0.steps.lowerBound + begun.count..<$0.steps.upperBound + begun.count
      return Phase(kind: $0.kind, steps: range, keepsMessage: $0.keepsMessage)
    }
    return program
  }

  /// The part that makes a tag fit for the message that follows it; nil where the program has no such two parts.
  var preparation: Phase? {
    guard phases.contains(where: { $0.kind == .message }) else { return nil }
    return phases.first { $0.kind == .format }
  }
}
