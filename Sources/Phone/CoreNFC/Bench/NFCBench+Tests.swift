extension NFCBench {
  /// Carries out `operation` on a bench of its own: `reader` as `benchReader` takes it, virtual
  /// tags that nobody else has, one session at a time among its own alone. What `NFCBench` is set
  /// to in there counts in there.
  ///
  ///     try await NFCBench.withReader("sim:ntag213") {
  ///       try await LinkWriter().write("https://example.com/t/1")
  ///     }
  ///
  /// It counts for the task and those that it starts, and for the delegates and handlers of
  /// sessions that are made there. Code on a queue of the app's own belongs to it where
  /// `benchReader` was not set outside and no other operation has a bench of its own at that time;
  /// beside others, a session that is made there ends with an error that says so.
  ///
  /// Swift Testing has the trait `.bench("ntag213")` of the module CoreNFCTesting for that.
  public static func withReader<Value>(
    _ reader: String, isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws -> Value
  ) async rethrows -> Value {
    try await BenchScope.run(reader: reader, isolation: isolation, operation)
  }
}
