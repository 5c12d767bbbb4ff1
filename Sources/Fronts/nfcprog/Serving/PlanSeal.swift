import Bytes
import TagMemory
import TagProgramming

/// What a client shows to have seen before a tag loses something for good: the tag's UID, and a
/// digest of the plan for it.
package struct PlanSeal: Sendable {
  /// Returns a digest that nobody else can make: a plan may hold a password, and whoever sees the
  /// digest of a short text finds the text.
  private let digest: @Sendable (String) -> String

  package init(_ digest: @escaping @Sendable (String) -> String) { self.digest = digest }

  /// Returns the seal of `program` for the tag `uid`, which was asked for with `words`, of a tag
  /// that holds or gets `message`.
  func text(
    of program: TagProgram, on uid: UID, asked words: [String], _ message: [UInt8]
  ) -> String {
    let steps = program.steps.map { step in
      let frames =
        if case .perform(let command, _) = step.action { command.frames } else { [[UInt8]]() }
      return "\(step) \((frames + [step.written?.bytes ?? []]).map { Hex.string($0) })"
    }
    return text(of: words + [Hex.string(message)] + steps, on: uid)
  }

  /// Returns the seal of anything that is done to the tag `uid`.
  func text(of steps: [String], on uid: UID) -> String {
    "\(uid.hex):\(digest(([uid.hex] + steps).joined(separator: "\n")))"
  }
}

extension TagProgram {
  /// Is true if somebody has to say yes to it: it locks, sets a password or a key, or writes once
  /// and for all. What makes a blank tag an NDEF tag is none of that.
  var needsConsent: Bool {
    steps.contains { step in
      step.purpose == .secret || step.isIrreversible && step.purpose != .capabilityContainer
    }
  }
}
