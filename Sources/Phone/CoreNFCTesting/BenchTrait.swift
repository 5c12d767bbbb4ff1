import CoreNFC
import Testing

/// A trait that gives each test, and each case of a test with arguments, a bench of its own.
///
///     @Test(.bench("ntag213")) func writesTheLink() async throws {
///       try await LinkWriter().write("https://example.com/t/1")
///       #expect(try await LinkReader().read() == "https://example.com/t/1")
///     }
///
/// Tests run in parallel, each with virtual tags that no other sees and one session at a time of
/// its own. On a suite it counts for each of its tests; a test's own trait counts before the
/// suite's.
public struct BenchTrait: TestTrait, SuiteTrait, TestScoping {
  /// The reader, as `NFCReaderSession.benchReader` takes it.
  public let reader: String
  /// The rules that sessions keep.
  public let mode: NFCBench.Mode

  /// Is true, so that each test of a suite has a bench of its own.
  public var isRecursive: Bool { true }

  /// Carries out a test, or a case of one, on a bench of its own.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await NFCBench.withReader(reader) {
      NFCBench.mode = mode
      try await function()
    }
  }
}

extension Trait where Self == BenchTrait {
  /// A bench for each test: `tag` is a virtual tag (`ntag213`, `classic1k,content=blank`), or a
  /// reader as `NFCReaderSession.benchReader` takes it (`/dev/ttyUSB0`), which only one test at a
  /// time can open. `mode`: whose rules sessions keep.
  public static func bench(_ tag: String, mode: NFCBench.Mode = .phone) -> Self {
    // A virtual tag's options may have colons: `ntag213,uid=04:79:…`.
    let isName = tag.hasPrefix("/") || tag.prefix { $0 != "," }.contains(":")
    return BenchTrait(reader: isName ? tag : "sim:\(tag)", mode: mode)
  }
}
