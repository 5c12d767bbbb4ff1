/// Where two dumps differ, place by place, and what stands there.
package struct MemoryComparison: Hashable, Sendable {
  /// Bytes that differ: a page, a block, or a run in a file.
  package struct Difference: Hashable, Sendable {
    package let place: Place
    /// What stands there, in words: `message`, `lock bits`, `key A`.
    package let meaning: [String]
    /// Nil stands for a byte that is not known, or that is not shown: of a key or a password.
    package let first: [UInt8?]
    package let second: [UInt8?]
  }

  /// Why the dumps cannot be compared byte by byte: they are of different kinds of tags. Nil where
  /// they can.
  package let kinds: String?
  /// In the order of the memory.
  package private(set) var differences: [Difference] = []
  /// What has no place in the memory and differs: `UID`, `signature`, `counter 2`.
  package private(set) var beside: [String] = []
  /// Is true if the messages differ in more than what a mirror fills in.
  package private(set) var hasOtherMessage = false
  /// Places that one of the dumps does not hold.
  package private(set) var unknown: [Place] = []

  /// Is true if nothing differs that both hold.
  package var isEqual: Bool { kinds == nil && differences.isEmpty && beside.isEmpty }

  package init(_ first: TagDump, _ second: TagDump) {
    let (one, other) = (first.image, second.image)
    hasOtherMessage = first.storedMessage != second.storedMessage
    switch (one.layout, other.layout) {
    case (.type4, .type4): kinds = nil
    case (let a, let b) where a == b: kinds = nil
    default:
      kinds = "\(first.product.displayName) and \(second.product.displayName)"
      return
    }
    if case .type4 = one.layout {
      compareFiles(one, other)
    } else {
      compareRows(first, second)
    }
    // A FeliCa, a Classic and a Type 2 tag have it in their memory.
    if one.uid != other.uid, differences.allSatisfy({ !$0.meaning.contains("UID") }) {
      beside.append("UID")
    }
    func isKnown(_ signature: [UInt8]) -> Bool { signature.contains { $0 != 0 } }
    if let a = first.signature, let b = second.signature, isKnown(a), isKnown(b), a != b {
      beside.append("signature")
    }
    for (number, count) in first.counters.sorted(by: { $0.key < $1.key }) {
      if let other = second.counters[number], other != count { beside.append("counter \(number)") }
    }
  }

  private mutating func compareRows(_ first: TagDump, _ second: TagDump) {
    let meanings = (RowMeanings(first), RowMeanings(second))
    for (number, rows) in zip(first.knownRows, second.knownRows).enumerated() {
      guard let place = first.image.place(ofRow: number) else { continue }
      let secrets = meanings.0.secrets(inRow: number) + meanings.1.secrets(inRow: number)
      let known = rows.0.indices.filter { rows.0[$0] != nil && rows.1[$0] != nil }
      if known.count < rows.0.count { unknown.append(place) }
      let different = known.filter { rows.0[$0] != rows.1[$0] }
      guard !different.isEmpty else { continue }
      var words: [String] = []
      for word in different.flatMap({ index in
        [meanings.0, meanings.1].map { $0.word(ofRow: number, byte: index) }
      }) where !words.contains(word) { words.append(word) }
      func shown(_ row: [UInt8?]) -> [UInt8?] {
        row.indices.map { index in secrets.contains { $0.contains(index) } ? nil : row[index] }
      }
      differences.append(
        Difference(place: place, meaning: words, first: shown(rows.0), second: shown(rows.1)))
    }
  }

  private mutating func compareFiles(_ one: MemoryImage, _ other: MemoryImage) {
    let (first, second) = (one.files, other.files)
    let ids = Set((first + second).map(\.file)).sorted { $0.rawValue < $1.rawValue }
    for id in ids {
      let a = first.first { $0.file == id }?.bytes
      let b = second.first { $0.file == id }?.bytes
      guard let a, let b else {
        unknown.append(.file(id: id.rawValue, offset: 0))
        continue
      }
      let word =
        id == .capability
        ? "capability container"
        : id == one.type4Message?.container.message.file ? "message" : "data"
      var offset = 0
      while offset < max(a.count, b.count) {
        func byte(_ bytes: [UInt8], _ index: Int) -> UInt8? {
          index < bytes.count ? bytes[index] : nil
        }
        guard byte(a, offset) != byte(b, offset) else {
          offset += 1
          continue
        }
        var end = offset
        while end < max(a.count, b.count), byte(a, end) != byte(b, end) { end += 1 }
        differences.append(
          Difference(
            place: .file(id: id.rawValue, offset: offset), meaning: [word],
            first: (offset..<min(end, max(offset, a.count))).map { a[$0] },
            second: (offset..<min(end, max(offset, b.count))).map { b[$0] }))
        offset = end
      }
    }
  }
}

extension TagDump {
  /// The message, with what a mirror fills in as the tag's UID makes it, and a counter of zeros.
  fileprivate var storedMessage: [UInt8]? {
    image.mirroredMessage(of: product)?.message ?? image.message
  }
}

extension MemoryImage {
  /// Where row `number` is on the tag; nil for a tag of files.
  package func place(ofRow number: Int) -> Place? {
    switch layout {
    case .classic: .block(Block(UInt8(clamping: number)))
    case .type2: Page(exactly: number).map(Place.page)
    case .feliCaLite(let kind): .feliCaBlock(kind.blocks[number])
    case .type4: nil
    }
  }
}
