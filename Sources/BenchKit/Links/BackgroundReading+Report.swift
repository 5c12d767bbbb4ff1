import NDEF
import TagMemory
import TagProgramming
import UniversalLinks

extension BackgroundReading {
  /// Findings of a message that is there and cannot be read.
  private static let damages: Set = [
    "tlv-beyond-area", "message-garbled", "ndef", "half-written", "attribute-length",
  ]

  /// What an iPhone does with a tag that was read; nil when it could not be looked at.
  package init?(_ report: TagReport) {
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
      wasChunked: raw?.isChunked ?? false,
      isNDEF: report.status != .notSupported && !report.isHidden)
    carrier.holdsOtherData = report.otherContent == .data
    carrier.isHidden = report.isHidden
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
