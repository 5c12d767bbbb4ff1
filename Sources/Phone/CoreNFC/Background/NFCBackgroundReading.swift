import Bench
import Foundation
import PhoneSessions
import SiteFetching
import Synchronization
import TagProgramming
import UniversalLinks

/// A phone in the pocket: it reads the tag on the reader by itself, and decides by the site's
/// association file what a tap on its notification opens.
///
///     let background = NFCBackgroundReading(aasa: file, appID: "Q7K2M9P4ZX.com.example.app")
///     if case .wakes(let activity) = try await background.next(timeout: .seconds(5)) {
///       _ = appDelegate.application(.shared, continue: activity) { _ in }
///     }
public struct NFCBackgroundReading: Sendable {
  /// An outcome says what a tap on the notification opens.
  public enum Outcome: @unchecked Sendable {
    /// The app, or the App Clip, of that name: its delegate gets this activity.
    case wakes(NSUserActivity)
    /// The browser, and why not the app.
    case browser(URL, reason: String)
    /// An app of the system, such as Mail or Phone.
    case system(URL)
    /// Nothing: there is no notification.
    case nothing(reason: String)
  }

  /// The association file: a file URL, taken as if it were at the link's host, or an https address.
  public let aasa: URL
  /// The app, such as `Q7K2M9P4ZX.com.example.app`.
  public let appID: String
  /// The reader; nil: that of the sessions.
  public let reader: String?

  /// Reads by the rules of the file `aasa` for the app `appID`, on `reader`, as `--reader` names
  /// it; nil: the usual one.
  public init(aasa: URL, appID: String, reader: String? = nil) {
    (self.aasa, self.appID, self.reader) = (aasa, appID, reader)
  }

  /// Waits for a tag and says what happens. While a session is active, a phone does not read by
  /// itself: `nothing`.
  ///
  /// Throws an `NFCReaderError` where the reader cannot be had, and what reading the file throws.
  public func next(timeout: Duration = .seconds(30)) async throws -> Outcome {
    let association = try await association()
    let found = try await read(timeout: timeout)
    guard let reading = found.reading else { return .nothing(reason: found.reason) }
    let outcome = PocketOutcome(
      LinkCheck(reading, association: association, appIDs: [appID]), reading)
    let reason = outcome.reasons.joined(separator: "\n")
    guard outcome.act != .nothing, let uri = outcome.uri else {
      return .nothing(reason: reason)
    }
    guard let url = URL(string: uri) else { return .nothing(reason: "\(uri) is not a URL.") }
    switch outcome.act {
    // A rehearsal takes it for granted that the App Clip that it names is registered.
    case .unknown where outcome.isAppClip && outcome.appIDs.contains(appID), .wakes:
      let message = NFCNDEFMessage(data: Data(found.message)) ?? NFCNDEFMessage(records: [])
      return .wakes(NSUserActivity(link: url, of: message))
    // What is not known to wake an app opens the browser on a phone that does not have it.
    case .browser, .unknown: return .browser(url, reason: reason)
    case .system: return .system(url)
    case .nothing: return .nothing(reason: reason)
    }
  }

  /// Of a rehearsal, where the app may not have its ID yet.
  private func association() async throws -> LinkCheck.Association {
    var association = try await devicesAssociation()
    association.countsPlaceholders = true
    return association
  }

  private func devicesAssociation() async throws -> LinkCheck.Association {
    if aasa.isFileURL {
      var association = LinkCheck.Association(parsing: try Data(contentsOf: aasa))
      (association.isPlaced, association.isAssumed) = (false, true)
      return association
    }
    let fetcher = SiteFetcher()
    if let domain = SiteFetch.domain(ofPlace: aasa.absoluteString) {
      return try await fetcher.fetch(domain: domain).association()
    }
    var association = await fetcher.fetch(address: aasa.absoluteString).association()
    (association.isPlaced, association.isAssumed) = (false, true)
    return association
  }

  /// What was read of a tag; `reason`: why there is nothing to go by.
  private struct Found: Sendable {
    var reading: BackgroundReading?
    var message: [UInt8] = []
    var reason = ""
  }

  private func read(timeout: Duration) async throws -> Found {
    let (name, phone) = (reader ?? NFCReaderSession.benchReader, BenchScope.current.phone)
    let isCancelled = Mutex(false)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "background reading").async {
          continuation.resume(
            with: Result { try Self.read(name, on: phone, timeout) { isCancelled.withLock { $0 } } }
          )
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }

  /// On a thread of its own: the reader blocks.
  private static func read(
    _ name: String?, on phone: PhoneReader, _ timeout: Duration, shouldStop: @escaping () -> Bool
  ) throws -> Found {
    guard let turn = phone.beginBackground() else {
      return Found(
        reason: phone.hasSession
          ? "A session is active: a phone does not read tags by itself meanwhile."
          : "The phone reads another tag by itself already.")
    }
    defer { turn.end() }
    let source: ReaderSession
    do throws(BenchError) {
      source = try phone.open(name)
    } catch {
      throw NFCReaderError(SessionError(.unsupportedFeature, error.reason))
    }
    defer { try? source.close() }
    source.reader.technologies = [.typeA, .typeB, .feliCa]
    var options = RunOptions()
    options.timeout = timeout
    let report = Programmer(
      reader: source.reader, options: options,
      shouldStop: { shouldStop() || turn.isUnwanted }
    ).run(.info)
    if shouldStop() { throw CancellationError() }
    if turn.isUnwanted {
      return Found(reason: "A session has begun: a phone does not read tags by itself meanwhile.")
    }
    if let failure = report.failure {
      let error = SessionError(failure)
      guard error.code != .terminatedUnexpectedly else { throw NFCReaderError(error) }
      return Found(reason: error.reason)
    }
    guard let reading = BackgroundReading(report) else {
      return Found(reason: "A phone does not read this type of tag by itself.")
    }
    return Found(reading: reading, message: report.shownContent.shown ?? [])
  }
}
