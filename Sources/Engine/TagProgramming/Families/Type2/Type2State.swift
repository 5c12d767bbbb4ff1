import TagMemory

/// What was read of a Type 2 tag, and what follows from it for whoever writes it.
struct Type2State {
  let product: Product
  let map: Type2Map
  var memory: Type2Memory
  /// The password that the tag took, and its acknowledge.
  var credential: Protection?
  /// Is true if that is only what a dry run goes by, as the tag may count wrong ones.
  var isPasswordAssumed = false
  /// Is true if the tag took a password.
  var isAuthenticated: Bool { credential != nil }
  /// The first page that the tag, which was there, refused to show each time that it was asked.
  var refused: Page?
  /// CFG0 and CFG1 of the chips that this one resembles, where they show and hold what they may.
  var likelyConfiguration: [UInt8]?
  /// The bytes behind the message that the run keeps; nil until the run has decided it.
  var behind: BehindMessage?
  /// The UID that it was selected by.
  var uid: UID?
  /// Is true if its mirror, and that it counts, is what the job is about.
  var hasMirrorOnPurpose = false
  /// Is true if the job freezes its configuration with that.
  var isFrozenOnPurpose = false

  init(product: Product, map: Type2Map) {
    self.product = product
    self.map = map
    memory = Type2Memory(map)
  }

  /// A password probably protects these pages of a chip whose configuration is not documented. Nil
  /// where it protects none, and where nobody has looked.
  var likelyProtection: AccessProtection? {
    guard let page = map.likelyAUTH0, let bytes = likelyConfiguration else { return nil }
    return AccessProtection(
      auth0: bytes[3], includesReading: bytes[4] & 0x80 != 0, pageCount: Int(page.number) + 4)
  }

  /// The tag as an NDEF tag; nil as long as page 3 is not known.
  var ndef: Type2NDEF? {
    Type2NDEF(
      product, memory: memory, likely: likelyProtection, authenticated: isAuthenticated)
  }

  /// What is odd about it beside the data area, as far as that was read.
  var oddities: [Type2Oddity] {
    memory.oddities(of: product, uid: uid).filter { !hasMirrorOnPurpose || !isOfMirror($0) }
  }

  /// Returns whether it is nothing but the mirror, or that the tag counts for that.
  private func isOfMirror(_ oddity: Type2Oddity) -> Bool {
    guard case .configuration(let page, let byte, let found, let delivered, _) = oddity,
      let place = map.configuration
    else { return false }
    if page == place.cfg0 { return byte == 2 || (byte == 0 && (found ^ delivered) & 0x0F == 0) }
    // CFGLCK, and NFC_CNT_EN where the chip has it.
    let ours: UInt8 = (isFrozenOnPurpose ? 0x40 : 0) | (place.style == .ntag213 ? 0x10 : 0)
    return page == place.cfg1 && byte == 0 && (found ^ delivered) & ~(ours | 0x80) == 0
  }

  /// The data area: as large as the capability container says and the chip has.
  var area: TLVArea { ndef?.area ?? .type2(byteCount: map.areaByteCount) }

  /// The first bytes of the data area, as far as they were read without a gap.
  var knownArea: [UInt8] { Array(areaBytes.prefix(area.byteCount)) }

  /// All that was read without a gap from the first page of the data area on.
  var areaBytes: [UInt8] { memory.bytes(from: .firstOfArea) }

  /// What stands behind the message, as far as that was read.
  var behindNow: BehindMessage {
    BehindMessage(scan, isInOrder: holdsMessageInOrder, isMirrored: isMirrored)
  }

  /// The area's TLVs, as far as they were read, whether or not the tag says that there are any.
  var scan: TLVScan { TLVScan(knownArea, of: area) }
}

extension Type2State {
  /// What this session sees of the tag's mirror, as far as the configuration was read.
  var shownMirror: ASCIIMirror? {
    memory.configuration?.shownMirror(isAuthenticated: isAuthenticated)
  }

  /// The chip lays this mirror over its memory, and this program never writes the configuration.
  var fixedMirror: FixedMirror? {
    guard let style = map.fixedMirror,
      let settings = likelyConfiguration.map({ Array($0.prefix(Page.byteCount)) })
        ?? map.access.flatMap({ memory[$0.auth0] })
    else { return nil }
    return FixedMirror(settings, style, over: memory, uid: uid)
  }

  /// Is true if it shows something else than it stores.
  var isMirrored: Bool { shownMirror != nil || fixedMirror != nil }

  /// Returns whether lock bits close `page`; nil where they were not read, and where nobody knows
  /// in which bytes the chip has them.
  func isLocked(_ page: Page) -> Bool? {
    hidesLock(of: page) ? nil : memory.isLocked(page)
  }

  /// Returns whether nobody knows in which bytes the chip has the lock bit of `page`.
  func hidesLock(of page: Page) -> Bool {
    page > 15 && map.dynamicLocks == nil && !product.canLockAndProtect
  }

  /// The page on which a password proves itself: the last one of the user memory that is neither
  /// locked nor under a mirror. Nil when there is none.
  var probePage: Page? {
    let mirrored = shownMirror?.byteRange ?? 0..<0
    return map.user.last { page in
      memory.isLocked(page) == false
        && !mirrored.overlaps(page.byteOffset..<page.byteOffset + Page.byteCount)
    }
  }

  /// This state once `program` has been carried out.
  func applying(_ program: TagProgram) -> Type2State {
    var state = self
    for step in program.steps {
      guard let (place, bytes) = step.written, let page = place.page else { continue }
      state.memory.store(result(of: bytes, on: page, holding: state.memory[page]), from: page)
    }
    return state
  }

  /// This state with what the tag's mirror shows over `stored`, pages that hold what was written;
  /// the counter is that of a new tag.
  func mirrored(over stored: [Page]) -> Type2State {
    guard let mirror = shownMirror, mirror.fits(map.user), let uid else { return self }
    var state = self
    for page in Set(stored) {
      guard let bytes = memory[page] else { continue }
      state.memory.store(mirror.applied(to: bytes, from: page, uid: uid), from: page)
    }
    return state
  }

  /// The tag as this run means it: each page that it has written holds what was sent. Where the tag
  /// shows something else, a write of this run went wrong, and what is there is nobody's data.
  func meant(_ session: Type2Session) -> Type2State {
    var state = self
    for (page, bytes) in session.sent.pages where !hidesAlways(page: Int(page.number)) {
      let meant = result(of: bytes, on: page, holding: session.firstSeen[page])
      state.memory.store(meant, from: page)
    }
    return state
  }

  /// What `page` holds after `bytes` were written over `old`: bits of lock bytes and of the
  /// capability container are only ever added, and some bytes cannot be written at all.
  func result(of bytes: [UInt8], on page: Page, holding old: [UInt8]?) -> [UInt8] {
    guard let old else { return bytes }
    func added(_ range: Range<Int>) -> [UInt8] {
      bytes.indices.map { range.contains($0) ? old[$0] | bytes[$0] : old[$0] }
    }
    switch page {
    case .staticLocks: return added(2..<4)
    case .capabilityContainer: return added(0..<4)
    case map.dynamicLocks?.page: return added(0..<(map.dynamicLocks?.byteCount ?? 4))
    case map.tripleDES?.auth0, map.tripleDES?.auth1: return [bytes[0]] + old[1...]
    case map.key?.lock?.page: return [old[0] | bytes[0]] + old[1...]
    case map.counter: return counted(bytes, from: old)
    default: return bytes
    }
  }

  /// The one-way counter, low byte first: the first write sets it, later ones add up to 15, of
  /// Ultralight C the low four bits (MF0ICU2, 7.5.11; NTAG203, 8.6).
  private func counted(_ bytes: [UInt8], from old: [UInt8]) -> [UInt8] {
    let (count, new) = (Int(old[0]) | Int(old[1]) << 8, Int(bytes[0]) | Int(bytes[1]) << 8)
    let sum = count == 0 ? new : count + (map.tripleDES == nil ? new : new & 0x0F)
    return [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)] + old[2...]
  }
}
