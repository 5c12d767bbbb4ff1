import NDEF
import TagMemory
import TagProgramming
import UniversalLinks

extension BackgroundReading {
  private static let somebodys =
    "It may be somebody's card (a bank card, a key card, a telephone): do not format it."

  /// What an iPhone does with a tag that was read; nil when it could not be looked at.
  package init?(_ report: TagReport) {
    guard report.failure == nil, let product = report.product else { return nil }
    let content = report.shownContent
    var carrier = Carrier(isForumTag: product.isForumTag)
    switch content {
    case .lost(let lost):
      self.init(damaged: lost.reason)
      return
    case .message, .empty: break
    case .notLookedAt: carrier.holding = .unknown
    case .unreadable(let obstacle):
      carrier.holding = .unreadable(reason: "\(obstacle)")
      // Keys that are neither NFC's nor the factory's are somebody's.
      if obstacle.opener == .sectorKey { carrier.caution = Self.somebodys }
    case .foreign: carrier.holding = .otherData
    case .unformatted, .blank:
      carrier.holding = product.cannotBeFormatted ? .unformattable : .unformatted
      // A card of no known product, and one that may have applications that nobody has looked for.
      if product == .type4 {
        carrier.caution = Self.somebodys
      } else if product.isDESFireEV1OrLater {
        carrier.caution = "Format it first, unless it is somebody's card, such as a key card."
      }
    }
    let bytes = content.held.map { $0.shown ?? $0.stored } ?? []
    let raw = RawMessage(parsing: bytes)
    let uri = raw.records.first { $0.header.typeNameFormat == .wellKnown && $0.type == [0x55] }
    let uriBytes = uri.map {
      $0.offset..<$0.typeOffset + $0.type.count + ($0.id?.count ?? 0) + $0.payload.count
    }
    carrier.mirrorOverlapsURI =
      report.mirrored.flatMap { mirrored in uriBytes?.overlaps(mirrored) } ?? false
    carrier.wasChunked = raw.isChunked
    self.init(parsing: bytes, carrier: carrier)
  }
}
