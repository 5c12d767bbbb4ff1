import Bench
import Bytes
import JSON
import LibNFCReaders
import Settings

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ProblemReport {
  /// Everything that is known here. `trace`: the trace file; one that was named `mustExist`. Fails
  /// with `noInput` without it.
  init(
    _ preferences: Preferences, check: Bool, trace: String?, mustExist: Bool
  ) throws(BenchError) {
    let discovery = Discovery()
    let readers = discovery.readers().map { ReaderState($0, check: check) }
    self.init([
      Section("Version", ProgramVersion.text.split(separator: "\n").map(String.init)),
      Section("System", Self.system),
      Section(
        "Readers",
        readers.map { JSONLine.text(ReaderJSON($0, event: nil)) }
          + discovery.troubles().map(ReaderRendering.text)),
      Section("Settings (\(preferences.path))", preferences.file.shownLines),
      Section("Environment", Self.variables(Console.environment)),
      try Self.trace(trace, mustExist: mustExist),
    ])
  }

  private static var system: [String] {
    let kernel = (try? Files.read("/proc/sys/kernel/osrelease")).map {
      "kernel \(Secret.firstLine(String(decoding: $0, as: UTF8.self)))"
    }
    return [ProcessInfo.processInfo.operatingSystemVersionString, kernel].compactMap(\.self)
  }

  /// The variables that nfcprog reads; the values of those that its settings file would show.
  static func variables(_ environment: Environment) -> [String] {
    environment.variables.keys.filter { $0.hasPrefix(CommandLineSettings.prefix) }.sorted().map {
      let option = String($0.dropFirst(CommandLineSettings.prefix.count)).lowercased()
        .map { $0 == "_" ? "-" : String($0) }.joined()
      let isShown = SettingsFile.shownOptions.contains(option) || option == "config"
      return "\($0)=\(isShown ? environment[$0] ?? "" : SettingsFile.leftOut)"
    }
  }

  private static func trace(_ path: String?, mustExist: Bool) throws(BenchError) -> Section {
    guard let path, mustExist || Files.exists(path) else { return Section("Trace", []) }
    let excerpt = TraceExcerpt(parsing: String(decoding: try Files.read(path), as: UTF8.self))
    var lines = excerpt.lines
    if excerpt.leftOutBefore > 0 {
      let count = excerpt.leftOutBefore
      lines.insert("(\(counted(count, "earlier line")) \(isAre(count)) left out)", at: 0)
    }
    if excerpt.unusable > 0 {
      let count = excerpt.unusable
      lines.append("(\(counted(count, "line")) \(isAre(count)) no trace; left out)")
    }
    return Section("Trace (\(path))", lines)
  }
}
