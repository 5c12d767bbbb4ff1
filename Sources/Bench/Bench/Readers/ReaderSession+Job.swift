import Readers
import TagMemory
import TagProgramming

extension ReaderSession {
  /// The settings say how one job is done on an open reader.
  package struct JobSettings {
    /// The options hold for the job; `expected` is the type of tag that comes.
    package var options: RunOptions
    /// Is true if all that lies on the reader is to be named, of every technology.
    package var namesEverything = false
    /// Is true if somebody has asked for the end; asked between steps.
    package var shouldStop: () -> Bool
    /// Gets what a tag holds right before the first write to it (`Programmer.keepMemory`).
    package var keepMemory: ((KeptMemory) -> Void)?

    package init(_ options: RunOptions, shouldStop: @escaping () -> Bool) {
      (self.options, self.shouldStop) = (options, shouldStop)
    }
  }

  /// Waits for a tag and does `job`, whatever was looked for before.
  package func run(
    _ job: Job, _ settings: JobSettings, progress: @escaping (JobProgress) -> Void
  ) -> TagReport {
    reader.look(for: settings.options.expected)
    // Only a job that writes makes sure that no other tag lies beside the one that was found.
    if settings.namesEverything {
      reader.beside = .everything
    } else if job.onlyLooks || job.isForTypeA {
      reader.beside = .nothing
    }
    let programmer = Programmer(
      reader: reader, options: settings.options, progress: progress,
      shouldStop: { [self] in isEnding || settings.shouldStop() })
    programmer.keepMemory = settings.keepMemory
    return programmer.run(job)
  }
}
