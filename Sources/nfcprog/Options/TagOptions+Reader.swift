import BenchKit

extension ReaderChoice {
  /// The reader that `--reader` names, else NFCPROG_READER, else the only one found.
  init(options: TagOptions) throws(BenchError) {
    let preferences = Preferences.current
    guard let name = options.reader ?? Console.environment["NFCPROG_READER"] else {
      self = try .only()
      return
    }
    let isTyped = options.reader != nil && preferences.readerOrigin == nil
    do throws(BenchError) {
      try self.init(named: name, aliases: preferences.readers)
    } catch {
      throw isTyped ? error : error.blaming(.configuration)
    }
  }
}

extension TagOptions {
  /// The trace that `--trace` asks for. Fails where its file cannot be made.
  func openTrace() throws(BenchError) -> Trace? {
    try trace.map { path throws(BenchError) in try Trace(path: path) }
  }

  /// How a reader is opened.
  func readerSettings(_ trace: Trace?) -> ReaderSession.Settings {
    var settings = ReaderSession.Settings()
    (settings.speed, settings.isVerbose, settings.trace) = (baud.speed, verbose, trace)
    settings.onFailure = Console().complain
    return settings
  }
}
