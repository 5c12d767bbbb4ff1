/// A tag product: how its memory is laid out and what it understands.
///
/// To add a product:
/// 1. its lock bytes, if it has dynamic ones, as a row of `LockMap+Chips.swift`;
/// 2. a row here below in `Product+Type2.swift` (or `Product+Others.swift`), and in `Product.all`;
/// 3. its answer to GET_VERSION as a row of `VersionTable.swift`; if it has none, the probe that
///    tells it apart in `Identification+Silent.swift`;
/// 4. a line in the table of `ProductTests`, a line in the table of `IdentificationTests`.
public struct Product: Hashable, Sendable {
  /// The name that scripts use: what `--reader sim:` and the `tag` of JSON call it.
  ///
  /// It names the memory, not the UID: a 1K with a 7-byte UID is `classic1k` like any other
  /// (`classic1k7b` names a simulated tag only). A copy bears the name of what it copies.
  public let name: String
  /// The name that sentences use.
  public let displayName: String
  /// Its maker; copies name theirs.
  public let manufacturer: Manufacturer
  package let memory: Memory
  package let features: Set<Feature>
  /// How far this product is known, and with it what may be done to it.
  package let support: Support
  /// Is true if its memory may be larger than said here: no table knows it, and it tells no more
  /// than a range.
  package let sizeIsGuess: Bool

  init(
    _ name: String, _ displayName: String, by manufacturer: Manufacturer = .nxp, _ memory: Memory,
    _ features: Set<Feature> = [], support: Support = .full, sizeIsGuess: Bool = false
  ) {
    self.name = name
    self.displayName = displayName
    self.manufacturer = manufacturer
    self.memory = memory
    self.features = features
    self.support = support
    self.sizeIsGuess = sizeIsGuess
  }

  /// The kind of memory, and its layout where that differs from product to product.
  package enum Memory: Hashable, Sendable {
    /// MIFARE Classic with so many sectors: 5, 16, 32 or 40.
    case classic(sectorCount: Int)
    case type2(Type2Map)
    /// FeliCa (NFC Forum Type 3).
    case type3
    /// ISO-DEP (NFC Forum Type 4).
    case type4
  }

  /// What a Type 2 chip understands or does beyond READ and WRITE.
  package enum Feature: Hashable, Sendable, CaseIterable {
    /// GET_VERSION (60).
    case version
    /// FAST_READ (3A).
    case fastRead
    /// PWD_AUTH (1B) with a password of four bytes.
    case password
    /// AUTHENTICATE (1A) with a two-key triple DES key.
    case tripleDES
    /// AES authentication.
    case aes
    /// READ_SIG (3C).
    case signature
    /// The maker's signature in pages 52 to 59.
    case signaturePages
    /// READ_CNT (39) 02: the NFC counter, NAK while it is switched off.
    case nfcCounter
    /// READ_CNT (39) 00 to 02 and INCR_CNT (A5): three one-way counters.
    case threeCounters
    /// A one-way counter in a page of its own.
    case pageCounter
    /// The UID as text in the user memory.
    case uidMirror
    /// UID and NFC counter as text in the user memory.
    case uidAndCounterMirror
    /// SECTOR_SELECT (C2): there is memory beyond page 255.
    case sectorSelect
  }

  /// How far a product is known.
  package enum Support: Hashable, Sendable {
    /// Every page.
    case full
    /// Its data area only: messages can be written; locking and passwords cannot. A sentence says
    /// why.
    case messagesOnly(String)
    /// Nothing but its name. A sentence says why.
    case nameOnly(String)
  }
}

extension Product {
  /// The memory of a Type 2 product; nil for the others.
  package var type2: Type2Map? {
    if case .type2(let map) = memory { map } else { nil }
  }

  /// Is true if it is of one of the NFC Forum's tag types, which a MIFARE Classic is not: not every
  /// telephone reads that.
  package var isForumTag: Bool { classicSectorCount == nil }

  /// The number of sectors of a MIFARE Classic; nil for the others.
  package var classicSectorCount: Int? {
    if case .classic(let count) = memory { count } else { nil }
  }

  /// Is true if lock bytes and configuration are known well enough to be written.
  package var canLockAndProtect: Bool { support == .full }

  /// Is true if it is known how such a tag is made read-only: of the Type 4 tags some chips have a
  /// command of their own for it, and no other way is allowed (Type 4 Tag 1.2, 4.5).
  package var canLock: Bool {
    let hasCommand = isDESFireEV1OrLater || isNTAG424 || isST25TA
    return canLockAndProtect && (hasCommand || !Self.type4s.contains(self))
  }

  /// The whole memory in bytes as far as it is fixed by the product.
  public var byteCount: Int? {
    switch memory {
    case .classic(let sectors): (min(sectors, 32) * 4 + max(0, sectors - 32) * 16) * 16
    case .type2(let map): map.byteCount
    case .type3, .type4: nil
    }
  }

  /// The longest NDEF message in bytes: a Type 2 chip as delivered, a MIFARE Classic with all its
  /// sectors formatted for NFC. Nil where the tag itself has to be asked.
  public var capacity: Int? {
    switch memory {
    case .classic(let sectors):
      // All sectors but the directories, 0 and on larger cards 16.
      TLV.messageCapacity(
        room: (min(sectors, 32) - (sectors > 16 ? 2 : 1)) * 48 + max(0, sectors - 32) * 240)
    case .type2(let map): map.deliveredCapacity
    case .type3 where Product.feliCaLites.contains(self):
      Int(MemoryConfiguration.userBlocks.upperBound) * AttributeBlock.byteCount
    case .type3, .type4: nil
    }
  }

  /// Is true if it does as a chip of another maker does.
  var copies: Bool { Product.copies.contains(self) }

  /// The product that scripts call `name`, an original rather than a copy.
  public static func named(_ name: String) -> Product? { all.first { $0.name == name } }

  /// Every product, originals before copies.
  public static let all: [Product] =
    classics + type2Originals + type4s + others + firstVersions + copies
}

extension Product: CustomStringConvertible {
  public var description: String { displayName }
}
