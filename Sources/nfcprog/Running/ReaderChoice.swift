import LibNFCReaders
import PN532Simulator
import Readers

/// Which reader a command works on: `--reader`, else NFCPROG_READER, else the only one found.
enum ReaderChoice: Hashable {
  /// Tags that are laid down one after another.
  case simulated([SimulatedTagSpec])
  case connection(ConnectionString)

  init(options: TagOptions) throws(CommandFailure) {
    if let name = options.reader {
      let isPreference = Preferences.current.readerOrigin != nil
      self = try Self(name: name, orElse: isPreference ? .configuration : .usage)
    } else if let name = Console.environment("NFCPROG_READER") {
      self = try Self(name: name, orElse: .configuration)
    } else {
      self = try Self(name: Self.onlyOne(of: Discovery().readers()), orElse: .unavailable)
    }
  }

  /// Reads a reader's name, one of the settings file's or its own; what names none fails with `status`.
  init(name: String, orElse status: ExitStatus) throws(CommandFailure) {
    if let place = Preferences.current.readers[name] {
      self = try Self(place: place, name: name, orElse: .configuration)
    } else {
      self = try Self(place: name, name: name, orElse: status)
    }
  }

  private init(place: String, name: String, orElse status: ExitStatus) throws(CommandFailure) {
    if place.hasPrefix("sim:") {
      do {
        self = .simulated(try SimulatedTagSpec.turns(parsing: place))
      } catch {
        throw CommandFailure(status, sentence(error.description))
      }
      return
    }
    do {
      self = .connection(try Discovery().connection(named: place, calling: name))
    } catch {
      let isAbsent = Discovery.isIdentity(place)
      throw CommandFailure(isAbsent ? .unavailable : status, sentence(error.description))
    }
  }

  /// The connection string of the only likely reader among `found`. Fails with `unavailable` and lists what
  /// was found.
  static func onlyOne(of found: [ReaderDescription]) throws(CommandFailure) -> String {
    let likely = found.filter(\.isLikely)
    if likely.count == 1 { return likely[0].connection }
    let hint = "Name one with --reader or NFCPROG_READER."
    if likely.isEmpty {
      let others = found.isEmpty ? "" : " Ports that may have a board: \(names(found))."
      throw CommandFailure(.unavailable, "No reader was found.\(others) \(hint)")
    }
    throw CommandFailure(
      .unavailable, "\(likely.count) readers were found: \(names(likely)). \(hint)")
  }

  private static func names(_ readers: [ReaderDescription]) -> String {
    readers.map(\.connection).joined(separator: ", ")
  }
}

/// `text` with a capital at its start and a full stop at its end.
func sentence(_ text: String) -> String {
  let capital = text.prefix(1).uppercased() + text.dropFirst()
  return capital.last.map { ".?!".contains($0) } == true ? capital : capital + "."
}
