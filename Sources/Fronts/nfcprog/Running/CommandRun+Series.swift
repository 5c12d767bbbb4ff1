import Bench

extension CommandRun {
  /// Carries `body` out on an open reader, and tells of each tag. Fails where the reader cannot be
  /// opened, and where it could not be closed in order after all tags were good.
  func series(
    _ settings: Cloning.Settings, _ text: CloneText, _ body: (Cloning) -> Cloning.Ending
  ) throws(BenchError) -> ExitStatus {
    let interruption = Interruption()
    let work = try work(interruption, settings.run)
    let session = try work.open()
    // No tag is to be written that no record is kept of: it ends, too, when nobody takes the
    // results any more.
    let cloning = Cloning(settings, on: session, tell: text.show) {
      interruption.isRequested || OutputFile.standardOutputIsLost
    }
    let status = text.conclude(body(cloning), count: settings.count)
    defer { say(work.settings.trace?.saved) }
    do throws(BenchError) {
      try session.close()
    } catch {
      // What became of the tags is more than what became of a file.
      guard status != .success else { throw error }
      console.complain(error)
    }
    return status
  }

  /// Does one job on `count` tags, each of them once.
  func perform(
    _ prepare: () throws(BenchError) -> Preparation, onTags count: Int
  ) -> ExitStatus {
    do throws(BenchError) {
      try options.requireOneReader()
      let preparation = try prepare()
      preparation.remarks.show(on: console)
      if loss != nil { try options.requireConsent(toLock: true) }
      var settings = Cloning.Settings()
      (settings.run, settings.count) = (try runOptions(), count)
      if let demand = preparation.demand {
        settings.run.refusal = { demand.refusal(of: $0, on: $1) }
      }
      let text = CloneText(command, console: console, count: count, preparation.remarks)
      return try series(settings, text) { $0.run(preparation.job) }
    } catch {
      return console.fail(command, error)
    }
  }
}
