import ArgumentParser
import Bench
import TagMemory
import TagProgramming

/// A command that does one job on one tag.
protocol TagCommand: PreferringCommand, TagOptionsCommand {
  /// The job. Everything that was given is checked here, before a reader is opened. `arguments` are
  /// the words of the command line, whose order the parser does not keep.
  func prepare(_ arguments: [String]) throws(BenchError) -> Preparation

  /// The job of a command of whose input there is nothing to say.
  func job() throws(BenchError) -> Job

  /// What is left to do once the tag has been read or written; the file that it wrote.
  func finish(_ report: TagReport) throws(BenchError) -> NamedFile.Saved?

  /// The type of tag that comes, where that is known.
  var expected: Product? { get }

  /// What the tag loses for good, of which a person at the terminal is asked.
  var loss: Loss? { get }

  /// What saves the tag's memory before it is lost; nil: nothing does.
  var backup: Backup? { get }

  /// Is true if it is said, too, what an iPhone does with the tag.
  var showsPhone: Bool { get }

  /// Is true if the tag is asked for its counters, too.
  var readsCounters: Bool { get }

  /// How many tags get the job; nil: one.
  var count: Int? { get }
}

extension TagCommand {
  func prepare(_ arguments: [String]) throws(BenchError) -> Preparation { Preparation(try job()) }

  /// Commands that prepare more than a job have their own `prepare`.
  func job() throws(BenchError) -> Job { try prepare([]).job }

  func finish(_ report: TagReport) throws(BenchError) -> NamedFile.Saved? { nil }

  var expected: Product? { nil }

  var loss: Loss? { nil }

  var backup: Backup? { nil }

  var showsPhone: Bool { false }

  var readsCounters: Bool { false }

  var count: Int? { nil }

  func run(_ preferences: Preferences) throws { try runOnTag(preferences) }

  /// Does the job on the tag that lies on the reader.
  func runOnTag(_ preferences: Preferences) throws {
    var run = CommandRun(
      Self.configuration.commandName ?? "", options, preferences, tagType: expected)
    run.readsCounters = readsCounters
    run.loss = loss
    run.backup = backup
    func preparation() throws(BenchError) -> Preparation { try prepare(preferences.arguments) }
    let status =
      count.map { run.perform(preparation, onTags: $0) }
      ?? run.perform(preparation, showsPhone: showsPhone, finish: finish)
    if status != .success { throw ExitCode(status.rawValue) }
  }
}

/// One that works on any type of tag, and is told with `--tag` which.
protocol TypedTagCommand: TagCommand {
  var tagType: TagTypeOptions { get }
}

extension TypedTagCommand {
  var expected: Product? { tagType.product }
}
