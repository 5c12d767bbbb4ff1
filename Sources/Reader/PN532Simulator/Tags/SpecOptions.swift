import Bytes

/// The `key=value` part of a tag specification, while it is read.
struct SpecOptions {
  let otherKeys: Set<String>
  var uids: [[UInt8]] = []
  var content = TagCatalog.Content.factory
  var file: String?
  var bad = Share.none
  var wrong = Share.none
  var folder: String?
  var seed = 0
  var isRealtime = false
  /// Who holds a telephone to the board while it plays a tag.
  var phones: [PhoneSpec] = []
  /// Milliseconds between two of them.
  var pause = 0
  var pull: Int?
  var stay = Duration.zero
  /// Deviations, by key.
  var deviations: [String: String] = [:]
  var tag = TagDeviations()
  var card = CardOptions()
  private var cardKeys: [String] = []
  var others: [String: String] = [:]
  private var seen: Set<String> = []

  static let keys =
    [
      "uid", "file", "content", "bad", "wrong", "save", "seed", "pace", "pull", "stay", "phone",
      "pause",
    ]
    + DeviationOption.all.map(\.key) + CardOption.all.map(\.key)

  init(otherKeys: Set<String>) { self.otherKeys = otherKeys }

  mutating func add(_ piece: some StringProtocol) throws(VirtualTagError) {
    guard let equals = piece.firstIndex(of: "="), equals < piece.endIndex else {
      throw .notAnOption(String(piece))
    }
    let key = String(piece[..<equals])
    let value = String(piece[piece.index(after: equals)...])
    guard Self.keys.contains(key) || otherKeys.contains(key) else {
      throw .unknownOption(key, known: Self.keys + otherKeys.sorted())
    }
    guard seen.insert(key).inserted else { throw .repeatedOption(key) }
    switch key {
    case "uid" where value == "random": tag.hasRandomUID = true
    case "uid": uids = try Self.uids(value)
    case "file":
      guard !value.isEmpty else { throw .badValue(key: key, value: value, wanted: "a path") }
      file = value
    case "content":
      guard let known = TagCatalog.Content(rawValue: value) else {
        throw .badValue(key: key, value: value, wanted: "factory or blank")
      }
      content = known
    case "save":
      guard !value.isEmpty else { throw .badValue(key: key, value: value, wanted: "a folder") }
      folder = value
    case "seed":
      guard let number = Int(value), SimulatedTagSpec.seeds.contains(number) else {
        throw .badValue(
          key: key, value: value, wanted: "a number from 0 to \(SimulatedTagSpec.seeds.upperBound)")
      }
      seed = number
    case "pace":
      guard value == "real" || value == "fast" else {
        throw .badValue(key: key, value: value, wanted: "real or fast")
      }
      isRealtime = value == "real"
    case "phone":
      guard let list = PhoneSpec.list(value) else {
        throw .badValue(key: key, value: value, wanted: PhoneSpec.wanted)
      }
      phones = list
    case "pause":
      guard let number = Int(value), (0...60_000).contains(number) else {
        throw .badValue(key: key, value: value, wanted: "0 to 60000 milliseconds")
      }
      pause = number
    case "pull":
      guard let number = Int(value), (1...SimulatedTagSpec.longestSeries).contains(number) else {
        throw .badValue(
          key: key, value: value, wanted: "every how many tags one is pulled, such as 5")
      }
      pull = number
    case "stay":
      guard value.hasSuffix("s"), let seconds = Double(value.dropLast()), (0...60).contains(seconds)
      else {
        throw .badValue(key: key, value: value, wanted: "0s to 60s, such as 5s")
      }
      stay = .seconds(seconds)
    case "bad": bad = try Self.share(key, value)
    case "wrong": wrong = try Self.share(key, value)
    default:
      if let option = CardOption.all.first(where: { $0.key == key }) {
        guard option.apply(value, &card) else {
          throw .badValue(key: key, value: value, wanted: option.wanted)
        }
        cardKeys.append(key)
        return
      }
      guard let option = DeviationOption.all.first(where: { $0.key == key }) else {
        others[key] = value
        return
      }
      var board = BoardDeviations()
      guard option.apply(value, &board, &tag) else {
        throw .badValue(key: key, value: value, wanted: option.wanted)
      }
      deviations[key] = value
    }
  }

  /// Checks whether the options make sense for these tags.
  func check(against arrangement: SimulatedTagSpec.Arrangement) throws(VirtualTagError) {
    let products =
      switch arrangement {
      case .together(let products): products
      case .series(let product, _): [product]
      }
    for key in cardKeys {
      guard products.contains(where: { TagCatalog.has($0, option: key) }) else {
        throw .optionNeeds(key, "a card that has it, such as type4")
      }
    }
    if pause > 0, phones.isEmpty { throw .optionNeeds("pause", "phone=KIND") }
    if folder != nil, file != nil { throw .optionNeeds("save", "tags without a file of their own") }
    switch arrangement {
    case .series:
      if !uids.isEmpty { throw .optionNeeds("uid", "tags that are not on a reel") }
      if file != nil { throw .optionNeeds("file", "one tag that is not on a reel") }
    case .together(let products):
      let reel = "a reel, such as \(products.first ?? "ntag213")*500"
      if bad != .none { throw .optionNeeds("bad", reel) }
      if wrong != .none { throw .optionNeeds("wrong", reel) }
      if pull != nil { throw .optionNeeds("pull", reel) }
      if stay != .zero { throw .optionNeeds("stay", reel) }
      if file != nil, products.count > 1 { throw .optionNeeds("file", "one tag alone") }
      guard !uids.isEmpty else { return }
      guard uids.count == products.count else {
        throw .uidCount(uids: uids.count, tags: products.count)
      }
      for (product, uid) in zip(products, uids) { try TagCatalog.check(product, uid: uid) }
      guard Set(uids).count == uids.count else { throw .sameUIDTwice }
    }
  }

  private static func uids(_ value: String) throws(VirtualTagError) -> [[UInt8]] {
    var result: [[UInt8]] = []
    for text in value.split(separator: "+", omittingEmptySubsequences: false) {
      do throws(HexError) {
        result.append(try Hex.bytes(text))
      } catch {
        throw .uidNotHex(String(text), reason: "\(error)")
      }
    }
    return result
  }

  private static func share(_ key: String, _ value: String) throws(VirtualTagError) -> Share {
    guard let share = Share(parsing: value) else {
      throw .badValue(key: key, value: value, wanted: "a percentage from 0% to 100%, such as 2%")
    }
    return share
  }
}
