import PhoneSessions
import Synchronization

/// What sessions go by: a reader, whose rules count, and what the app declares. A process has one,
/// and a test may have its own.
final class BenchScope: Sendable {
  /// The scope of the test that runs here; nil outside of one.
  @TaskLocal static var own: BenchScope?

  /// The process's.
  private static let shared = BenchScope()
  /// Those of tests that run now.
  private static let open = Mutex<[BenchScope]>([])

  /// What counts here: the scope of the test, the task of which this code is a part, or a session
  /// of which has called it; outside of tests that have one, the process's.
  ///
  /// Of code on a queue of the app's own nobody knows which test it belongs to. Where the process
  /// has no reader that it could mean, it belongs to the one test at work.
  static var current: BenchScope {
    if let own { return own }
    let open = strays
    return open.count == 1 ? open[0] : shared
  }

  /// Is true if it cannot be told which test this code belongs to: one of several, or, in a task
  /// that is no part of a test (`Task.detached`), perhaps none. It gets no reader then, and above
  /// all not the board that may be plugged in here.
  static var isAmbiguous: Bool {
    guard own == nil, shared.settings.withLock({ $0.reader == nil }) else { return false }
    let count = open.withLock(\.count)
    return isOfTask ? count > 0 : count > 1
  }

  private static var isOfTask: Bool { unsafe withUnsafeCurrentTask { unsafe $0 != nil } }

  /// The tests that code of no task and no session may belong to.
  private static var strays: [BenchScope] {
    guard !isOfTask, shared.settings.withLock({ $0.reader == nil }) else { return [] }
    return open.withLock(\.self)
  }

  let phone: PhoneReader
  let settings: Mutex<Settings>

  private init(_ phone: PhoneReader = .shared, _ settings: Settings = Settings()) {
    self.phone = phone
    self.settings = Mutex(settings)
  }

  /// Carries out `operation` with virtual tags or a reader of its own; all else is as it was set
  /// outside.
  static func run<Value>(
    reader: String, isolation: isolated (any Actor)?, _ operation: () async throws -> Value
  ) async rethrows -> Value {
    var settings = current.settings.withLock(\.self)
    settings.reader = reader
    let scope = BenchScope(PhoneReader(), settings)
    // The scope of a suite is not at work while that of its test is.
    let outer = own
    open.withLock { open in
      open.removeAll { $0 === outer }
      open.append(scope)
    }
    defer {
      open.withLock { open in
        open.removeAll { $0 === scope }
        if let outer { open.append(outer) }
      }
    }
    return try await $own.withValue(scope, operation: operation, isolation: isolation)
  }

  /// Carries out `body`, called from a queue, as a part of this scope.
  func enter<Value>(_ body: () throws -> Value) rethrows -> Value {
    try Self.$own.withValue(self) { try body() }
  }

  /// Who shows what the phone's sheet would.
  var presenter: any NFCBenchPresenter { settings.withLock { $0.presenter.value } }

  /// What a bench sets.
  struct Settings: Sendable {
    var reader: String?
    var mode = NFCBench.Mode.phone
    var infoPlist = Unchecked<Any?>(nil)
    var entitlements = Unchecked<Any?>(nil)
    var presenter = Unchecked<any NFCBenchPresenter>(StandardErrorPresenter())
    var diagnosticHandler: (@Sendable (String, String) -> Void)?
    var timeLimit = PhoneSession.Settings.phoneTimeLimit
    /// The diagnostics that standard error has.
    var said: Set<String> = []
  }

  /// What the bench's owner hands over, and answers for.
  struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }
}
