import TagMemory

/// How often a job goes over a tag again.
///
/// On a noisy antenna one write in twenty loses its answer, so a long message may need many passes;
/// each must leave less to write than the one before. Passes that do not are few, and bytes that
/// are read back wrong twice in the same way are those of a cell that will never hold others.
struct RetryBudget {
  /// Passes that may fail one after the other without getting any further.
  static let fruitless = 3
  /// Passes in all.
  static let total = 40

  /// How long after the first pass's beginning another may begin: ten seconds, and a tenth of one
  /// for every command of the plan, which healthy takes 2 to 25 ms.
  static func limit(_ program: TagProgram?) -> Duration {
    .seconds(10) + .milliseconds(100) * (program?.cost.commands ?? 0)
  }

  private(set) var count = 0
  private var fruitlessCount = 0
  private var fewestWrites = Int.max
  /// What the last pass found in place of what it had written, and where.
  private var found: Difference?

  /// A byte of a file that was read back as another than was written.
  private struct Difference: Equatable {
    let file: UInt16
    let offset: Int
    let byte: UInt8

    init?(_ setback: Setback) {
      guard case .execution(let failure) = setback, case .differs(let found) = failure.trouble,
        case .file(let file, let start) = failure.step.place,
        case .check(let expected) = failure.step.action,
        let index = zip(found, expected).enumerated().first(where: {
          $0.element.1 != nil && $0.element.0 != $0.element.1
        })?.offset
      else { return nil }
      (self.file, offset, byte) = (file, start + index, found[index])
    }
  }

  /// Is true if a pass has failed already.
  var isRetrying: Bool { count > 0 }

  /// Takes note of a failed pass, `elapsed` after the beginning of the first; false when it was the
  /// last one.
  mutating func allowsAnother(
    after setback: Setback, program: TagProgram?, elapsed: Duration
  ) -> Bool {
    var left = program?.steps.count(where: \.isWrite) ?? Int.max
    if case .execution(let failure) = setback, let program {
      left = program.steps[failure.index...].count(where: \.isWrite)
    }
    if left < fewestWrites {
      fewestWrites = left
      fruitlessCount = 0
    }
    count += 1
    fruitlessCount += 1
    if let found = Difference(setback) {
      if found == self.found { return false }
      self.found = found
    }
    return fruitlessCount <= Self.fruitless && count <= Self.total && elapsed < Self.limit(program)
  }
}
