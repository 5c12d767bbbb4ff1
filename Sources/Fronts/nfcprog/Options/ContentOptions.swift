import ArgumentParser
import Bench
import JobLists

/// The option names a rule that links must keep.
struct ContentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What links must be: gs1, a GS1 Digital Link with right check digits.", visibility: .hidden))
  var lint: ContentRule?

  /// Fails with `badInput` where `link` is not what was asked for.
  func insist(on link: String) throws(BenchError) {
    guard let refusal = lint?.refusal(of: link) else { return }
    throw BenchError(.badInput, "\(refusal) Nothing was written.")
  }
}

extension ContentRule: ExpressibleByArgument {}
