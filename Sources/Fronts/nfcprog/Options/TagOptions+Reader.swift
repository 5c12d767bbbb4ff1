import Bench

extension ReaderChoice {
  /// The reader that `--reader` names, else NFCPROG_READER, else the only one found.
  init(_ options: TagOptions, _ preferences: Preferences) throws(BenchError) {
    try self.init(naming: options.reader, preferences)
  }

  /// The reader called `reader`, the option's value, else the same.
  init(naming reader: String?, _ preferences: Preferences) throws(BenchError) {
    guard let (name, isTyped) = preferences.readerName(reader) else {
      self = try .only()
      return
    }
    do throws(BenchError) {
      try self.init(named: name, aliases: preferences.readers)
    } catch {
      throw isTyped ? error : error.blaming(.configuration)
    }
  }
}

extension TagOptions {
  /// The trace that `--trace` asks for. Fails where its file cannot be made. One that settings name
  /// for every run replaces the trace of the run before.
  func openTrace(_ preferences: Preferences) throws(BenchError) -> Trace? {
    try trace.map { path throws(BenchError) in
      let isLasting = preferences.origin(of: "trace") != nil && Trace.isTrace(path)
      let opened = try Trace(NamedFile(path, isLasting ? .given : consent))
      LastTrace(Console.environment).remember(path)
      return opened
    }
  }

  /// How a reader is opened.
  func readerSettings(
    _ trace: Trace?, _ preferences: Preferences
  ) -> ReaderSession.Settings {
    var settings = ReaderSession.Settings()
    (settings.speed, settings.isVerbose, settings.trace) = (baud.speed, verbose, trace)
    settings.boards = preferences.boards
    settings.onFailure = Console().complain
    let console = Console(json: json, quiet: quiet)
    settings.onRemark = { console.remark($0) }
    return settings
  }
}
