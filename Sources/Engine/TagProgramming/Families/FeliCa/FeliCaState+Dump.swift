import TagMemory

extension FeliCaState {
  /// The blocks of a dump; nil for a dump of another kind of tag.
  init?(_ image: MemoryImage) {
    guard case .feliCaLite(let kind) = image.layout else { return nil }
    self.init(
      chip: image.feliCaChip ?? FeliCaChip(pmm: [0, kind == .lite ? 0xF0 : 0xF1, 0, 0, 0, 0, 0, 0]))
    for block in kind.readableBlocks {
      if let bytes = image.feliCaBlock(block) {
        note(bytes, at: block)
      } else {
        hidden.insert(block)
      }
    }
  }
}

extension FeliCaFamily {
  static func describe(_ dump: TagDump, counters: Bool) -> TagDescription? {
    guard let state = FeliCaState(dump.image) else { return nil }
    var description = TagDescription(state)
    description.explain(state)
    if !state.hidden.isEmpty { description.noteNotInDump(FeliCaWords.list(state.hidden)) }
    return description
  }
}
