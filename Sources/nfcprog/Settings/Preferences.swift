import BenchKit
import Settings
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the settings file and the environment say to this run; read once, at its start.
struct Preferences: Sendable {
  /// Names for `--reader`, and what they stand for.
  let readers: [String: String]
  /// Where the value of `--reader` comes from, unless from the command line.
  let readerOrigin: String?
  /// The words behind the program's name, completed.
  let arguments: [String]

  private static let shared = Mutex(
    Preferences(
      readers: [:], readerOrigin: nil, arguments: Array(CommandLine.arguments.dropFirst())))

  /// Set by `main` before anything else runs.
  static var current: Preferences { shared.withLock { $0 } }

  /// Reads the file and the environment, and completes the command line. Fails with
  /// `configuration`.
  static func load() throws(BenchError) -> CommandLineSettings {
    let environment = ProcessInfo.processInfo.environment
    let path = path(environment)
    let given = Array(CommandLine.arguments.dropFirst())
    var file = SettingsFile()
    if !CommandLineSettings.asksForHelp(given) {
      file = try self.file(at: path, mustExist: environment["NFCPROG_CONFIG"]?.isEmpty == false)
    }
    let settings = try CommandLineSettings(
      completing: given, environment: environment, file: file,
      path: path)
    shared.withLock {
      $0 = Preferences(
        readers: file.readers, readerOrigin: settings.origin(of: "reader"),
        arguments: settings.arguments)
    }
    return settings
  }

  /// NFCPROG_CONFIG, else nfcprog.toml in the folder for settings (XDG Base Directory
  /// Specification).
  static func path(_ environment: [String: String]) -> String {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let path = value("NFCPROG_CONFIG") { return path }
    // A relative path is to be ignored, says the specification.
    let folder = value("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (folder ?? "\(value("HOME") ?? "")/.config") + "/nfcprog.toml"
  }

  /// A file that is not there says nothing, unless it was asked for.
  private static func file(
    at path: String, mustExist: Bool
  ) throws(BenchError) -> SettingsFile {
    guard mustExist || Files.exists(path) else { return SettingsFile() }
    let bytes: [UInt8]
    do {
      bytes = try Files.read(path)
    } catch {
      throw BenchError(.configuration, error.message)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw BenchError(.configuration, "\(path) is not UTF-8 text.")
    }
    do {
      return try SettingsFile(parsing: text)
    } catch {
      throw BenchError(.configuration, "\(path), line \(error.line): \(error.reason).")
    }
  }
}
