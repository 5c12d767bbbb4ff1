import ArgumentParser
import Bytes
import PhoneSessions

/// What a tag session looks for, as `--poll` spells an `NFCTagReaderSession.Configuration`:
/// `iso14443,D2760000850101`.
struct PollingChoice: ExpressibleByArgument {
  /// What is looked for without `--poll`.
  static let standard = PollingChoice(polling: .iso14443)

  private static let names: [(name: String, polling: Polling)] = [
    ("iso14443", .iso14443), ("iso18092", .iso18092), ("iso15693", .iso15693), ("pace", .pace),
  ]

  let polling: Polling
  /// Of the applications that the app declares, those that are selected; empty: all.
  private(set) var applicationIDs: [[UInt8]] = []
  /// Of the system codes that the app declares, those that are polled for; empty: all.
  private(set) var systemCodes: [[UInt8]] = []

  private init(polling: Polling) { self.polling = polling }

  init?(argument: String) {
    var polling: Polling = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      if let one = Self.names.first(where: { $0.name == word })?.polling {
        polling.insert(one)
      } else if let id = AppGrants.applicationID(word) {
        applicationIDs.append(id)
      } else if let code = AppGrants.systemCode(word) {
        systemCodes.append(code)
      } else {
        return nil
      }
    }
    // What nobody looks for is not narrowed.
    guard !polling.isEmpty,
      applicationIDs.isEmpty || !polling.isDisjoint(with: [.iso14443, .pace]),
      systemCodes.isEmpty || polling.contains(.iso18092)
    else { return nil }
    self.polling = polling
  }

  /// What the app gets of what it declares.
  func narrow(_ declared: AppGrants) -> AppGrants {
    declared.narrowed(applicationIDs: applicationIDs, systemCodes: systemCodes)
  }

  /// As it is spelled.
  var text: String {
    (Self.names.filter { polling.contains($0.polling) }.map(\.name)
      + (applicationIDs + systemCodes).map { Hex.string($0).uppercased() }).joined(separator: ",")
  }
}

/// What a tag session looks for once polling is restarted: `--restart-polling`.
enum PollingRestart: ExpressibleByArgument {
  /// What it began with.
  case same
  case configuration(PollingChoice)

  init?(argument: String) {
    if argument == "same" {
      self = .same
    } else if let choice = PollingChoice(argument: argument) {
      self = .configuration(choice)
    } else {
      return nil
    }
  }

  /// How the transcript restarts polling for an app that declares `declared`.
  func step(_ declared: AppGrants) -> SessionTranscript.Restart {
    switch self {
    case .same: SessionTranscript.Restart(text: "for what the session began with", round: nil)
    case .configuration(let choice):
      SessionTranscript.Restart(
        text: "for \(choice.text)",
        round: PhoneSession.Round(choice.polling, choice.narrow(declared)))
    }
  }
}
