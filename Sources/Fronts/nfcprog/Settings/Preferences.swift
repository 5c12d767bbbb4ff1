import ArgumentParser
import Bench
import Settings

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the settings file and the environment say to this run: read once by `main`, which hands it
/// to the command.
///
/// One rule holds for every option: the command line, then the environment, then the file, then the
/// default. `CommandLineSettings` completes the command line so, and `readerName` is the same rule
/// for `NFCPROG_READER`, which no option of a command has to name.
struct Preferences: Sendable {
  /// Names for `--reader`, and what they stand for.
  let readers: [String: String]
  /// Where the values of options come from that the command line does not give.
  private let origins: [String: String]
  /// The words behind the program's name, completed.
  let arguments: [String]
  /// The settings file, and where it is or would be.
  var file = SettingsFile()
  var path = ""

  /// The value of `NFCPROG_READER`; nil without one.
  let environmentReader: String?

  /// The words as they were given, and nothing beside them.
  init(arguments: [String] = Array(CommandLine.arguments.dropFirst())) {
    (readers, origins, environmentReader) = ([:], [:], nil)
    self.arguments = arguments
  }

  init(
    _ settings: CommandLineSettings, readers: [String: String], environment: [String: String]
  ) {
    self.readers = readers
    arguments = settings.arguments
    origins = Dictionary(settings.additions.map { ($0.option, $0.origin) }) { first, _ in first }
    environmentReader = environment["NFCPROG_READER"]
  }

  private init(_ file: SettingsFile, _ path: String) {
    (readers, origins, environmentReader) = (file.readers, [:], nil)
    arguments = []
    (self.file, self.path) = (file, path)
  }

  /// Where the value of `option` comes from; nil when the command line gives it, or nothing does.
  func origin(of option: String) -> String? { origins[option] }

  /// The name of the reader to work on, and whether a person has typed it; nil where nothing names
  /// one. `option` is the value of `--reader`.
  func readerName(_ option: String?) -> (name: String, isTyped: Bool)? {
    if let option { return (option, origin(of: "reader") == nil) }
    return environmentReader.map { ($0, false) }
  }

  /// Reads the file and the environment, and completes the command line of `root`. Fails with
  /// `configuration`.
  static func load(for root: any ParsableCommand.Type) throws(BenchError) -> (
    CommandLineSettings, Preferences
  ) {
    let environment = ProcessInfo.processInfo.environment
    let path = path(environment)
    let given = Array(CommandLine.arguments.dropFirst())
    var file = SettingsFile()
    if !CommandLineSettings.asksForHelp(given) {
      file = try self.file(at: path, mustExist: environment["NFCPROG_CONFIG"]?.isEmpty == false)
    }
    let settings = try CommandLineSettings(
      completing: given, of: root, environment: environment, file: file, path: path)
    var preferences = Preferences(settings, readers: file.readers, environment: environment)
    (preferences.file, preferences.path) = (file, path)
    return (settings, preferences)
  }

  /// What the file says of readers and boards; it completes no command line.
  static func ofReaders() throws(BenchError) -> Preferences {
    let environment = ProcessInfo.processInfo.environment
    let path = path(environment)
    let file = try file(
      at: path, mustExist: environment["NFCPROG_CONFIG"]?.isEmpty == false)
    return Preferences(file, path)
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
