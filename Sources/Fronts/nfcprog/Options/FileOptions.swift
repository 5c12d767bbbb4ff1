import ArgumentParser
import Bench

/// Says whether files that exist may be replaced.
struct FileOptions: ParsableArguments {
  @Flag(help: "Replace files that exist.")
  var force = false

  var consent: NamedFile.Consent { .files(force) }
}

/// A command whose `--force` replaces files, and allows nothing else.
protocol FilesCommand: TagOptionsCommand {
  var files: FileOptions { get }
}

extension FilesCommand {
  var consent: NamedFile.Consent { files.consent }
}

extension NamedFile.Consent {
  /// Of a `--force` that is for files alone.
  static func files(_ force: Bool) -> Self { force ? .given : .refused(asking: "--force") }

  /// Of one that also allows what a tag may not recover from: nobody is to give it for a file.
  static func filesAndTags(_ force: Bool) -> Self { force ? .given : .refused(asking: nil) }
}
