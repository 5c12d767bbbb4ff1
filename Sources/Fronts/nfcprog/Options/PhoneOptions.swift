import ArgumentParser
import Bench
import PhoneSessions

/// What an app's session is like.
struct PhoneOptions: ParsableArguments {
  /// `--session`.
  enum Session: String, ExpressibleByArgument, CaseIterable {
    case ndef, tag
  }

  @Option(
    help: ArgumentHelp(
      "Run a session as an app does: ndef for messages, tag for a tag's own commands.",
      valueName: "ndef|tag"))
  var session: Session?

  @Option(
    help: ArgumentHelp(
      "What a tag session looks for (default: iso14443); of the applications and system codes that Info.plist declares, those that are named beside it, as in iso14443,D2760000850101.",
      valueName: "iso14443,iso18092,iso15693,pace"))
  var poll: PollingChoice?

  @Option(
    help: ArgumentHelp(
      "Once the tag is read, the session restarts polling for this, as restartPolling(configuration:) does; same: for what it began with, as restartPolling() does. Once for each restart.",
      valueName: "iso14443,…|same"))
  var restartPolling: [PollingRestart] = []

  @Option(
    help: ArgumentHelp(
      "The app's Info.plist in XML; the session refuses what it does not declare.",
      valueName: "file"))
  var infoPlist: String?

  @Option(help: ArgumentHelp("The app's entitlements in XML.", valueName: "file"))
  var entitlements: String?

  @Flag(
    help: ArgumentHelp(
      "The session reads by itself and ends after the first message, as with invalidateAfterFirstRead."
    ))
  var invalidateAfterFirstRead = false

  @Flag(help: "Without a phone's limits: every application and system code, and MIFARE Classic.")
  var unlimited = false

  func validate() throws {
    guard
      session != nil
        || (poll == nil && restartPolling.isEmpty && infoPlist == nil && entitlements == nil
          && !unlimited)
    else {
      throw ValidationError(
        "--poll, --restart-polling, --info-plist, --entitlements and --unlimited go with --session."
      )
    }
    guard !invalidateAfterFirstRead || session == .ndef else {
      throw ValidationError("--invalidate-after-first-read goes with --session ndef.")
    }
    guard poll == nil && restartPolling.isEmpty || session == .tag else {
      throw ValidationError("--poll and --restart-polling go with --session tag.")
    }
  }

  /// What the session looks for.
  var kind: PhoneSession.Kind {
    session == .tag ? .tag((poll ?? .standard).polling) : .ndef
  }

  /// Returns what the app declares. Fails with `noInput` and `badInput` for the files.
  func grants() throws(BenchError) -> AppGrants {
    guard infoPlist != nil || entitlements != nil else { return .all }
    var values: [String: AppGrants.Value] = [:]
    for path in [entitlements, infoPlist].compactMap(\.self) {
      let bytes = try Files.read(path)
      do throws(PropertyListFile.FormatError) {
        values.merge(try PropertyListFile.values(parsing: bytes)) { $1 }
      } catch {
        throw BenchError(.badInput, "\(path): \(error.reason).")
      }
    }
    return AppGrants(values)
  }
}
