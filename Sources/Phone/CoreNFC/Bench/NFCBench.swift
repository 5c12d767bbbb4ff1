import Foundation
import PhoneSessions
import Synchronization

/// A bench sets here what a phone has of its own: whose rules count, what the app declares, and who
/// shows what the phone's sheet would.
///
/// Each counts for the sessions that are made after it was set.
public enum NFCBench {
  /// Whose rules a session keeps.
  public enum Mode: String, Hashable, Sendable {
    /// An iPhone's: declared applications and system codes only, no MIFARE Classic, 60 seconds. The
    /// default.
    case phone
    /// The bench's: no limits; a MIFARE Classic is an `NFCMiFareTag`, and `writeNDEF` formats a
    /// blank tag.
    case bench
  }

  /// Whose rules count.
  public static var mode: Mode {
    get { BenchScope.current.settings.withLock { $0.mode } }
    set { BenchScope.current.settings.withLock { $0.mode = newValue } }
  }

  /// The app's Info.plist: a path, a file URL, or the dictionary itself. Nil, the default:
  /// `Info.plist` in the working directory or beside the program; where there is none, everything
  /// counts as declared.
  public static var infoPlist: Any? {
    get { BenchScope.current.settings.withLock { $0.infoPlist.value } }
    set { BenchScope.current.settings.withLock { $0.infoPlist = BenchScope.Unchecked(newValue) } }
  }

  /// The app's entitlements, likewise. Nil: the files `*.entitlements` beside the Info.plist that
  /// was found.
  public static var entitlements: Any? {
    get { BenchScope.current.settings.withLock { $0.entitlements.value } }
    set {
      BenchScope.current.settings.withLock { $0.entitlements = BenchScope.Unchecked(newValue) }
    }
  }

  /// Who shows what the phone's sheet would; standard error by default.
  public static var presenter: any NFCBenchPresenter {
    get { BenchScope.current.settings.withLock { $0.presenter.value } }
    set { BenchScope.current.settings.withLock { $0.presenter = BenchScope.Unchecked(newValue) } }
  }

  /// Gets a name and a text for what the app's developer should know, on any thread. Nil, the
  /// default: each once on standard error.
  public static var diagnosticHandler: (@Sendable (_ name: String, _ text: String) -> Void)? {
    get { BenchScope.current.settings.withLock { $0.diagnosticHandler } }
    set { BenchScope.current.settings.withLock { $0.diagnosticHandler = newValue } }
  }

  /// How long a session may last in phone mode; tests cannot wait for a minute.
  package static var timeLimit: Duration {
    get { BenchScope.current.settings.withLock { $0.timeLimit } }
    set { BenchScope.current.settings.withLock { $0.timeLimit = newValue } }
  }

  // MARK: Diagnostics

  /// Tells the app's developer.
  static func say(_ remark: Remark) {
    let (handler, isNew) = BenchScope.current.settings.withLock { settings in
      (settings.diagnosticHandler, settings.said.insert(remark.code).inserted)
    }
    if let handler { return handler(remark.code, remark.text) }
    if isNew { complain("CoreNFC (\(remark.code)): \(remark.text)") }
  }

  /// A line on standard error.
  static func complain(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}

/// Shows what an iPhone's sheet shows.
///
/// Calls come on any thread, and two may come at once: an app may set `alertMessage` on one thread
/// while its session ends on another.
public protocol NFCBenchPresenter {
  /// What the user is to do: the session's `alertMessage`.
  func show(alert: String)
  /// The session ends with this message and a cross.
  func show(error: String)
  /// The sheet goes away.
  func dismiss()
}

/// The default: a line each on standard error.
struct StandardErrorPresenter: NFCBenchPresenter {
  func show(alert: String) { NFCBench.complain("NFC: \(alert)") }
  func show(error: String) { NFCBench.complain("NFC failed: \(error)") }
  func dismiss() {}
}
