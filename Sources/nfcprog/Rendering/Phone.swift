import NDEF
import TagMemory
import TagProgramming
import UniversalLinks

/// What an iPhone does with a tag that is held to it while no app reads tags: the last lines of `info`.
struct Phone {
  private let reading: BackgroundReading

  /// Nil when the tag could not be looked at.
  init?(_ report: TagReport) {
    guard let reading = BackgroundReading(report) else { return nil }
    self.reading = reading
  }

  init(reading: BackgroundReading) { self.reading = reading }

  /// One line, then one for everything that may go wrong.
  var lines: [String] {
    let act =
      switch reading.handler {
      case .webLink:
        "opens \(reading.uri ?? "the link") in the app that its domain names, or in the browser"
      case .system(let name): "opens \(reading.uri ?? "the link") in \(name)"
      case nil: "does nothing with it"
      }
    return ["  An iPhone \(act)."] + reading.findings.map { "    \($0)" }
  }

  /// The same for `--json`.
  var json: TagJSON.Phone {
    let opener: String? =
      switch reading.handler {
      case .webLink: "app or browser"
      case .system(let name): name
      case nil: nil
      }
    return TagJSON.Phone(
      uri: reading.uri, opens: opener,
      findings: reading.findings.map {
        TagJSON.Finding(code: $0.code.rawValue, text: $0.message)
      })
  }
}

extension BackgroundReading {
  /// Findings of a message that is there and cannot be read.
  private static let damages: Set = [
    "tlv-beyond-area", "message-garbled", "ndef", "half-written", "attribute-length",
  ]

  /// What an iPhone does with a tag that was read; nil when it could not be looked at.
  init?(_ report: TagReport) {
    guard report.failure == nil, let product = report.product else { return nil }
    let bytes = report.rawMessage ?? []
    let raw = report.rawMessage.map { RawMessage(parsing: $0) }
    let uri = raw?.records.first { $0.header.typeNameFormat == .wellKnown && $0.type == [0x55] }
    let uriBytes = uri.map {
      $0.offset..<$0.typeOffset + $0.type.count + ($0.id?.count ?? 0) + $0.payload.count
    }
    let isMirrored = report.mirrored.flatMap { mirrored in uriBytes?.overlaps(mirrored) } ?? false
    var carrier = Carrier(
      isForumTag: product.isForumTag, mirrorOverlapsURI: isMirrored,
      wasChunked: raw?.isChunked ?? false, isNDEF: report.status != .notSupported)
    carrier.holdsOtherData = report.otherContent == .data
    let finding = report.findings.first { Self.damages.contains($0.code) }?.text
    let damage =
      finding ?? (report.otherContent == .lostMessage ? "no message ends within the tag" : nil)
    if bytes.isEmpty, let damage {
      self.init(damaged: "\(damage.prefix(1).lowercased())\(damage.dropFirst())")
    } else {
      self.init(parsing: bytes, carrier: carrier)
    }
  }
}
