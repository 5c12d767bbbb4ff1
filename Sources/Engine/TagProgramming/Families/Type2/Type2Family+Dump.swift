import Readers
import TagMemory

/// The whole memory out of a Type 2 tag.
extension Type2Family {
  /// What a dump has beside the pages.
  static func readExtras(of product: Product, _ session: Type2Session) throws(Setback)
    -> Type2Extras
  {
    var extras = Type2Extras(version: session.version)
    let features = product.features
    if features.contains(.signature) {
      extras.signature = try optional(session) { () throws(ReaderError) in
        try session.reader.readSignature(
          byteCount: OriginalitySignature.byteCount(of: product) ?? 32)
      }
    }
    extras.counters = try readCounters(of: product, session)
    return extras
  }

  /// Every counter that the tag tells. One that it does not tell is asked for twice.
  static func readCounters(of product: Product, _ session: Type2Session) throws(Setback)
    -> [Int: Int]
  {
    var counters: [Int: Int] = [:]
    for number in product.counterNumbers {
      for _ in 1...2 where counters[number] == nil {
        counters[number] = try optional(session) { () throws(ReaderError) in
          try session.reader.readCounter(UInt8(number))
        }
      }
    }
    return counters
  }

  /// Returns what the tag answers; nil where it refuses, as a counter does that is off.
  private static func optional<Value>(
    _ session: Type2Session, _ body: () throws(ReaderError) -> Value
  ) throws(Setback) -> Value? {
    do throws(ReaderError) {
      try session.wake()
      return try body()
    } catch .exchangeFailed {
      return nil
    } catch {
      throw .reader(error)
    }
  }

  static func dumped(_ survey: Type2Survey) -> TagDescription {
    let (state, target) = (survey.state, survey.target)
    var description = TagDescription(state)
    guard let image = state.image(uid: target.uid) else { return description }
    var dump = TagDump(image)
    (dump.atqa, dump.sak) = (target.typeA?.atqa, target.sak)
    dump.version = survey.extras.version?.bytes
    dump.signature = survey.extras.signature
    dump.counters = survey.extras.counters
    // What a mirror covers was read, as it shows: no password tells what is stored below.
    dump.unreadRows = state.map.pages.filter { page in
      !state.map.hides(page) && state.memory[page] == nil
    }.map { Int($0.number) }
    description.dump = dump
    description.noteUnknown(pages: dump.unreadRows)
    if let mirror = state.shownMirror {
      let overlay = MirrorOverlay(mirror, uid: target.uid)
      description.noteMirror(
        mirror, pages: state.map.pages.filter(overlay.covers).map { Int($0.number) })
    }
    return description
  }
}

extension Type2State {
  /// The memory as far as it is known: neither what the chip never shows, nor what a mirror covers.
  /// Nil where the UID does not fit.
  func image(uid: UID) -> MemoryImage? {
    let count = map.pageCount
    var bytes = (0..<count).compactMap(Page.init(exactly:)).flatMap { page -> [UInt8?] in
      if map.hides(page) { return secret(page) }
      return memory[page]?.map { $0 } ?? [nil, nil, nil, nil]
    }
    for index in shownMirror?.byteRange ?? 0..<0
    where bytes.indices.contains(index) {
      bytes[index] = nil
    }
    return MemoryImage(.type2(pageCount: count), uid: uid, bytes: bytes)
  }

  /// Returns whether the chip shows zeros in place of what page `number` holds, or nothing:
  /// passwords and keys.
  func hidesAlways(page number: Int) -> Bool {
    Page(exactly: number).map(map.hides) ?? false
  }

  private func secret(_ page: Page) -> [UInt8?] {
    let pages = credential.map { map.secretPages($0.password, pack: $0.pack) } ?? []
    return pages.first { $0.page == page }?.bytes.map { $0 } ?? [nil, nil, nil, nil]
  }
}

extension TagDescription {
  /// Says what of a dump is not known.
  mutating func noteUnknown(pages: [Int]) {
    guard !pages.isEmpty else { return }
    findings.append(
      Finding(
        "not-known",
        "\(pages.count == 1 ? "Page" : "Pages") \(NumberRuns.list(pages)) could not be read."))
  }

  /// Says what of a dump a mirror covers.
  mutating func noteMirror(_ mirror: ASCIIMirror, pages: [Int]) {
    guard !pages.isEmpty else { return }
    findings.append(
      Finding(
        "dump-mirrored",
        "The tag shows \(mirror.content.words) in \(pages.count == 1 ? "page" : "pages") \(NumberRuns.list(pages)) (ASCII mirror). What it stores there does not show: in the dump these bytes are not known."
      ))
  }

  /// Says what of a dump was left out.
  mutating func noteNotRestored(_ leftAlone: [Finding]) { findings += leftAlone }
}

extension TagDescription.Finding {
  /// What of a dump was left out.
  static func notRestored(_ text: String, remedy: Remedy? = nil) -> Self {
    TagDescription.Finding("not-restored", text, remedy: remedy)
  }
}

extension Type2Family {
  static func origin(_ session: Type2Session, of product: Product, _ pass: PassContext)
    throws(Setback) -> OriginalitySignature.Verdict?
  {
    let isInPages = product.features.contains(.signaturePages)
    guard isInPages || product.features.contains(.signature),
      let count = OriginalitySignature.byteCount(of: product)
    else { return nil }
    do throws(ReaderError) {
      try session.wake()
      let signature =
        isInPages
        ? try session.readPages(52, count: 8)
        : try session.reader.readSignature(byteCount: count)
      return OriginalitySignature.verdict(signature, uid: session.tag.uid, of: product)
    } catch .exchangeFailed where pass.isThorough {
      // It is there, and refused twice.
      return OriginalitySignature.verdict(nil, uid: session.tag.uid, of: product)
    } catch {
      throw .reader(error)
    }
  }
}
