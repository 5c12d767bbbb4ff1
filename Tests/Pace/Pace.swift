#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How long tests wait for what has to come. Only what cannot be told a time (libnfc, PostgreSQL,
/// threads) is waited for on the machine's clock, until a condition holds and never blindly.
package enum Pace {
  /// How many times as long things take here as on a quiet machine: `NFCPROG_TEST_PACE`, which
  /// `Tests/run` measures (`Tests/pace`); 1 where nobody has.
  package static let factor = max(
    1, unsafe getenv("NFCPROG_TEST_PACE").flatMap { unsafe Double(String(cString: $0)) } ?? 1)

  /// What takes `seconds` at most on a quiet machine may take so long here.
  package static func limit(_ seconds: Double) -> Duration { .seconds(seconds * factor) }

  /// Looks every few milliseconds until `condition` holds, and says whether it does; once for each
  /// look, as it may do something and need not stay so. It holds a thread meanwhile: a task that
  /// waits so takes it from the tasks that it waits for.
  @available(*, noasync, renamed: "suspend(_:until:)")
  package static func wait(
    _ seconds: Double = 600, until condition: () throws -> Bool
  ) rethrows -> Bool {
    let end = ContinuousClock.now + limit(seconds)
    repeat {
      if try condition() { return true }
      usleep(2000)
    } while .now < end
    return false
  }

  /// Suspends the task until `condition` holds, as `wait` holds its thread.
  package static func suspend(
    _ seconds: Double = 600, until condition: () async throws -> Bool
  ) async rethrows -> Bool {
    let end = ContinuousClock.now + limit(seconds)
    repeat {
      if try await condition() { return true }
      try? await Task.sleep(for: .milliseconds(2))
    } while .now < end
    return false
  }
}
