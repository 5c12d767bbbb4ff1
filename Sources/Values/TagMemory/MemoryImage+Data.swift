/// What of a memory is its holder's data: all that a restore puts on every tag of the product, and
/// by which a tag that got it is known again.
///
/// Never the UID, lock bits, the capability container, a configuration, a counter, a password or a
/// key. What a tag fills in of its message is not known, so such a memory has no whole data.
extension MemoryImage {
  /// The rows of a `product` that hold data, in their order; none where the memory is not one of
  /// it, and of a tag of files.
  package func dataRows(of product: Product) -> [Int] {
    switch (layout, product.memory) {
    case (.classic(let geometry), .classic(let count)) where count == geometry.sectorCount:
      geometry.blocks.filter { !$0.isTrailer && $0 != .manufacturer }.map { Int($0.index) }
    case (.type2(let pageCount), .type2(let map)) where map.pageCount == pageCount:
      (Array(map.user) + (map.further.map(Array.init) ?? [])).map { Int($0.number) }
    case (.feliCaLite(let kind), .type3):
      (AttributeBlock.number..<14).compactMap { kind.row(of: $0) }
    default: []
    }
  }

  /// The numbers of the rows and their bytes; nil where one of them is not known, and where there
  /// are none.
  package func data(of product: Product) -> [UInt8]? {
    let rows = dataRows(of: product)
    guard let first = rows.first, let bytes = bytes(ofRows: rows) else { return nil }
    var runs = [first...first]
    for row in rows.dropFirst() {
      if let last = runs.last, last.upperBound == row - 1 {
        runs[runs.count - 1] = last.lowerBound...row
      } else {
        runs.append(row...row)
      }
    }
    let numbers = runs.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    // No message begins with a zero.
    return [0] + "\(product.name) \(numbers)".utf8 + [0] + bytes
  }

  private func bytes(ofRows rows: some Sequence<Int>) -> [UInt8]? {
    var bytes: [UInt8] = []
    for number in rows {
      guard let row = row(number) else { return nil }
      bytes += row
    }
    return bytes
  }

  /// The access conditions that a restore gives the sectors of a MIFARE Classic: of each its number
  /// and bytes 6 to 9 of its trailer. It gives none where it does not know both keys, and none that
  /// nobody could change again.
  package var givenAccess: [UInt8] {
    guard case .classic(let geometry) = layout else { return [] }
    return trailers(of: geometry).sorted { $0.key < $1.key }
      .filter { !$0.value.conditions.isFrozen }
      .flatMap { [UInt8($0.key.trailer.index)] + $0.value.serialize()[6..<10] }
  }

  /// Returns whether the sectors have `access`, as `givenAccess` says it.
  package func has(access: [UInt8]) -> Bool {
    stride(from: 0, to: access.count, by: 5).allSatisfy { start in
      let place = Int(access[start]) * Block.byteCount + 6
      return isMIFAREClassic && place + 4 <= bytes.count
        && bytes[place..<place + 4].elementsEqual(access[(start + 1)..<(start + 5)].map { $0 })
    }
  }

  /// Why the memory cannot be put on each blank tag of a `product`, behind the file's name; nil
  /// where it can.
  package func unfit(for product: Product) -> String? {
    let rows = dataRows(of: product)
    guard !rows.isEmpty else { return "is no memory of pages or blocks" }
    let unknown = rows.filter { row($0) == nil }
    if let first = unknown.first {
      let more = unknown.count > 1 ? " and \(unknown.count - 1) more" : ""
      return "does not say what \(rowName.lowercased()) \(first)\(more) is to hold"
    }
    if let map = product.type2, let mirror = mirrorOverMessage(on: map) {
      return
        "has a message of which its tag's ASCII mirror fills in a part (\(mirror.content.words)), as no other tag would"
    }
    return invalidTrailer.map { "has invalid access bits in block \($0.index)" }
  }
}

extension MemoryImage {
  /// Returns whether the data are nobody's: zeros, or no more than an empty message as tags come
  /// with it. What is not known may be anything.
  package func isBlank(of product: Product) -> Bool {
    let rows = dataRows(of: product)
    guard !rows.isEmpty, let bytes = bytes(ofRows: rows) else { return false }
    guard bytes.contains(where: { $0 != 0 }) else { return true }
    switch (layout, product.memory) {
    case (.type2, .type2(let map)):
      let user = map.user.count * Page.byteCount
      return Self.isEmpty(bytes.prefix(user), .type2(byteCount: user))
        && bytes.dropFirst(user).allSatisfy { $0 == 0 }
    case (.classic(let geometry), _):
      guard let directory = directory(of: geometry),
        !directory.entries.contains(where: { $0.aid.isForeign })
      else { return false }
      let area = NDEFArea(directory.nfcSectors(on: geometry))
      let frame = (area.blocks + directory.version.sectors.flatMap(\.dataBlocks)).map {
        Int($0.index)
      }
      let others = self.bytes(ofRows: Set(rows).subtracting(frame)) ?? [1]
      guard let held = self.bytes(ofRows: area.blocks.map { Int($0.index) }) else { return false }
      return others.allSatisfy { $0 == 0 } && Self.isEmpty(held[...], area.tlvArea)
    case (.feliCaLite, _):
      let head = feliCaBlock(AttributeBlock.number).flatMap { try? AttributeBlock(parsing: $0) }
      return head?.length == 0
        && bytes.dropFirst(AttributeBlock.byteCount).allSatisfy { $0 == 0 }
    default: return false
    }
  }

  /// Returns whether `bytes` hold a message without bytes, what reserves bytes before it, and
  /// nothing else.
  private static func isEmpty(_ bytes: ArraySlice<UInt8>, _ area: TLVArea) -> Bool {
    let scan = TLVScan(bytes, of: area)
    guard let message = scan.message, message.length == 0, let end = message.endOffset,
      scan.blocks.allSatisfy({ $0 == message || [.lockControl, .memoryControl].contains($0.tag) })
    else { return bytes.allSatisfy { $0 == 0 } }
    let rest = bytes.dropFirst(end)
    return (rest.first == 0xFE ? rest.dropFirst() : rest).allSatisfy { $0 == 0 }
  }
}
