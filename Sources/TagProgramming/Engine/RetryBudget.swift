/// How often a job goes over a tag again.
///
/// On a noisy antenna one write in twenty loses its answer, so a long message may need many passes;
/// each must leave less to write than the one before. Passes that do not are few.
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

  /// Whether a pass has failed already.
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
    return fruitlessCount <= Self.fruitless && count <= Self.total && elapsed < Self.limit(program)
  }
}
