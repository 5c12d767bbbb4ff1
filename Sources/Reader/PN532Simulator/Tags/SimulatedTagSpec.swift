/// Which virtual tags a `sim:` reader finds.
///
///     ntag213                              one tag
///     ntag213+classic1k                    both in the field at once
///     ntag213*500,bad=2%,wrong=1%          a reel: 500 tags, one after another
///     ntag213,uid=04112233445566,file=tag.txt,content=blank
///
///     ntag213*500,save=tags,seed=3,pace=real
///     classic1k,sak=18,chip=clone
///     phone=iphone*3+android,pause=500     no tag, but telephones for a board that plays one
///
/// Keys, each at most once: `uid` (one for every tag in the field, joined by `+`), `file` and `uid`
/// not with a reel, `file` with one tag only and without a comma in the path,
/// `content=factory|blank`; `bad` and `wrong` with a reel only. `save`: a folder that keeps what
/// was written to the tags, a file for each; `seed`: other UIDs; `pace=real`: the whole board
/// answers as slowly as a real one; `pull=5` and `stay=3s` with a reel: every fifth tag is pulled
/// in the middle of its work, and tags stay for so long when it is over. Deviations from the data
/// sheets: `DeviationOption`, and `uid=random`.
package struct SimulatedTagSpec: Hashable, Sendable {
  package enum Arrangement: Hashable, Sendable {
    /// Products that lie in the field at the same time; none where there are telephones alone.
    case together([String])
    /// `count` tags of a product, presented one after another.
    case series(product: String, count: Int)
  }

  package let arrangement: Arrangement
  /// The UIDs of the tags together in the field; empty: the default ones.
  package let uids: [[UInt8]]
  package let content: TagCatalog.Content
  /// Where the tag's memory is kept between runs.
  package let file: String?
  /// The tags of a reel whose EEPROM fails.
  package let bad: Share
  /// The tags of a reel that are another product.
  package let wrong: Share
  /// The options that are not about tags, of those the caller allowed.
  package let otherOptions: [String: String]
  /// The number that the default UIDs count from: how many tags were laid down before these.
  package private(set) var firstIndex: Int

  /// Where the memories of tags that were written are kept, a file for each UID.
  package let folder: String?
  /// Every how many tags of a reel one is pulled in the middle of its work, and laid down again;
  /// nil: none.
  package let pull: Int?
  /// How long a tag of a reel stays when the work on it is over.
  package let stay: Duration
  /// Is true if the board answers as slowly as a real one.
  package var isRealtime: Bool
  /// The deviations that were asked for, as `DeviationOption` reads them.
  let deviationOptions: [String: String]
  /// How the tags differ from their data sheets.
  package let deviations: TagDeviations
  /// Telephones that are held to the board while it plays a tag, one after another, and the
  /// milliseconds between them.
  package let phones: [PhoneSpec]
  package let pause: Int
  /// What was said of cards.
  package let card: CardOptions

  /// Each gives other UIDs to as many tags as the longest reel has.
  static let seeds = 0...15
  /// The longest reel.
  package static let longestSeries = 1_000_000

  /// Reads `text`, with or without `sim:` before it. `otherKeys` are collected unread for others;
  /// every other key throws, and so does everything that cannot be made into tags.
  package init(
    parsing text: some StringProtocol, otherKeys: Set<String> = [], firstIndex: Int = 0
  ) throws(VirtualTagError) {
    let body = text.hasPrefix("sim:") ? text.dropFirst(4) : text[...]
    let pieces = body.split(separator: ",", omittingEmptySubsequences: false)
    let hasTags = !(pieces.first?.hasPrefix("phone=") ?? false)
    arrangement = hasTags ? try Self.arrangement(pieces.first ?? "") : .together([])
    var options = SpecOptions(otherKeys: otherKeys)
    for piece in pieces.dropFirst(hasTags ? 1 : 0) { try options.add(piece) }
    try options.check(against: arrangement)
    (uids, content, file) = (options.uids, options.content, options.file)
    (bad, wrong, otherOptions) = (options.bad, options.wrong, options.others)
    (folder, isRealtime) = (options.folder, options.isRealtime)
    (phones, pause) = (options.phones, options.pause)
    (pull, stay) = (options.pull, options.stay)
    (deviationOptions, deviations, card) = (options.deviations, options.tag, options.card)
    self.firstIndex = firstIndex + options.seed << 20
  }

  private static func arrangement(
    _ text: some StringProtocol
  ) throws(VirtualTagError) -> Arrangement {
    let names = text.split(separator: "+", omittingEmptySubsequences: false)
    let parts = text.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1 else {
      for name in names { try TagCatalog.check(String(name), uid: nil) }
      return .together(names.map { String($0) })
    }
    guard names.count == 1 else { throw .mixedArrangement(String(text)) }
    let digits = parts[1]
    guard parts.count == 2, digits.allSatisfy({ $0.isASCII && $0.isWholeNumber }),
      let count = Int(digits), (1...longestSeries).contains(count)
    else { throw .badCount(String(text)) }
    try TagCatalog.check(String(parts[0]), uid: nil)
    return .series(product: String(parts[0]), count: count)
  }

  /// Returns these tags with default UIDs that count from `count` further on: other readers have so
  /// many tags.
  package func shifted(by count: Int) -> SimulatedTagSpec {
    var spec = self
    spec.firstIndex += count
    return spec
  }

  /// How many tags there are.
  package var tagCount: Int {
    switch arrangement {
    case .together(let products): products.count
    case .series(_, let count): count
    }
  }

  /// The tag at `index` (0 to `tagCount` − 1), new; a file is not looked at.
  package func tag(at index: Int) throws(VirtualTagError) -> any StoredTag {
    switch arrangement {
    case .together(let products):
      return deviating(
        try TagCatalog.tag(
          products[index], uid: uids.isEmpty ? nil : uids[index], content: content,
          index: firstIndex + index, options: card))
    case .series(let product, _):
      let isWrong = wrong.contains(index, phase: 0.25)
      let name = isWrong ? Self.anotherProduct(than: product, index: index) : product
      let tag = try TagCatalog.tag(name, content: content, index: firstIndex + index, options: card)
      if bad.contains(index) { Self.wearOut(tag, index: index) }
      return deviating(tag)
    }
  }

  /// `tag` with the deviations that were asked for.
  func deviating(_ tag: any StoredTag) -> any StoredTag {
    (tag as? any CardWithBehaviour)?.behaviour = card.behaviour
    return deviations == TagDeviations() ? tag : DeviatingTag(tag, deviations)
  }

  /// What gets among the tags of a reel by mistake.
  private static func anotherProduct(than product: String, index: Int) -> String {
    let strays = ["ultralight-ev1-11", "ntag216", "classic1k"].filter { $0 != product }
    return strays[index % strays.count]
  }

  /// Nothing can be programmed from the first, second or third row of the user memory on.
  private static func wearOut(_ tag: any StoredTag, index: Int) {
    let memory = tag.userMemory
    tag.eeprom.defects = memory.lowerBound + index % 3 * tag.rows.size..<memory.upperBound
  }
}
