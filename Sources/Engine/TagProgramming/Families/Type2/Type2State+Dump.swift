import TagMemory

extension Type2State {
  /// The pages of a dump, as the tag shows them; nil for a dump of another kind of tag.
  init?(_ dump: TagDump) {
    guard case .type2 = dump.image.layout, let map = dump.product.type2 else { return nil }
    self.init(product: dump.product, map: map)
    let image = dump.shownImage
    uid = image.uid
    for page in map.pages where !map.hides(page) {
      guard let bytes = image.row(Int(page.number)) else { continue }
      memory.store(bytes, from: page)
    }
    credential = dump.credential(of: map)
  }
}

extension TagDump {
  /// The password with its acknowledge, or the key, that the dump holds; nil where it holds none.
  /// Zeros are what a chip shows in their place.
  fileprivate func credential(of map: Type2Map) -> Protection? {
    if let key = map.key {
      let pages = key.pages.compactMap { image.row(Int($0.number)) }
      return key.key(in: pages).map { Protection(key: $0) }
    }
    func row(_ page: Page?) -> [UInt8]? { page.flatMap { image.row(Int($0.number)) } }
    guard let password = row(map.configuration?.password), password.contains(where: { $0 != 0 }),
      let acknowledge = row(map.configuration?.passwordAcknowledge)
    else { return nil }
    return Protection(password: password, pack: Array(acknowledge.prefix(2)))
  }
}

extension Type2Family {
  static func describe(_ dump: TagDump, counters: Bool) -> TagDescription? {
    guard let state = Type2State(dump) else { return nil }
    var description = Type2Description(state: state, uid: dump.image.uid).description
    if counters {
      description.details +=
        dump.counters.isEmpty && !dump.product.counterNumbers.isEmpty
        ? [TagDescription.Detail("counter", "not known: the dump holds none")]
        : state.counterDetails(dump.counters)
    }
    let unknown = state.map.pages.filter { !state.map.hides($0) && state.memory[$0] == nil }
    if !unknown.isEmpty { description.noteNotInDump(Type2Words.list(unknown)) }
    return description
  }
}

extension TagDescription {
  /// Says what of a tag its dump does not hold: `places`, with their verb.
  mutating func noteNotInDump(_ places: String) {
    findings.append(Finding("not-known", "\(places) not in the dump."))
  }
}
