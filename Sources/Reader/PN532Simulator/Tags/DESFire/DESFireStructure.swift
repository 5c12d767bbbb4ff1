import CardCrypto

/// What a DESFire card keeps beside the contents of its files. Every change of it is written whole
/// or not at all.
struct DESFireStructure: Hashable {
  var masterKey = DESFireKey()
  /// PICC key settings: 01 the key may be changed, 02 lists are free, 04 creating is free, 08 these
  /// bits may be changed.
  var settings: UInt8 = 0x0F
  /// What the keys of a new application are.
  var defaultKey = DESFireKey()
  /// A UID of its own for every activation, formatting forbidden.
  var hasRandomUID = false
  var formatsNoMore = false
  var applications: [DESFireApplication] = []

  func index(of id: UInt32) -> Int? { applications.firstIndex { $0.id == id } }
}

/// A key with its version: 16 bytes, DES keys twice the same 8, three-key DES 24.
struct DESFireKey: Hashable {
  enum Kind: UInt8 {
    case des = 0x00
    case threeKeyDES = 0x40
    case aes = 0x80

    var byteCount: Int { self == .threeKeyDES ? 24 : 16 }
    var challengeCount: Int { self == .des ? 8 : 16 }
  }

  var kind = Kind.des
  var bytes = [UInt8](repeating: 0, count: 16)
  var version: UInt8 = 0

  static func zeros(_ kind: Kind) -> DESFireKey {
    DESFireKey(kind: kind, bytes: [UInt8](repeating: 0, count: kind.byteCount))
  }

  /// Both halves are the same but for the parity bits: single DES.
  var isSingle: Bool {
    kind == .des && zip(bytes[..<8], bytes[8...]).allSatisfy { $0 & 0xFE == $1 & 0xFE }
  }

  var cipher: any BlockCipher {
    kind == .aes ? AES128(key: bytes) : TripleDES(key: isSingle ? Array(bytes[..<8]) : bytes)
  }
}

/// An application and its files.
struct DESFireApplication: Hashable {
  var id: UInt32
  /// As of the card, and in the high nibble which key changes keys: 0 the master, 1 to D that one,
  /// E each itself, F none.
  var settings: UInt8
  var kind: DESFireKey.Kind
  var keys: [DESFireKey]
  /// Is true if files may have ISO identifiers.
  var hasISOFiles: Bool
  var isoID: UInt16?
  var name: [UInt8] = []
  var files: [DESFireFile] = []

  func index(of number: UInt8) -> Int? { files.firstIndex { $0.number == number } }
}

/// A standard data file, or one with a backup.
struct DESFireFile: Hashable {
  var number: UInt8
  var isoID: UInt16?
  var hasBackup: Bool
  /// 0 plain, 1 with MAC, 3 enciphered.
  var mode: UInt8
  /// Bits 15–12 read, 11–8 write, 7–4 both, 3–0 change: a key's number, E free, F never.
  var rights: UInt16
  var size: Int
  /// Where the content lies in the card's file memory.
  var start: Int

  /// Content takes whole pages.
  var room: Int { (size + 31) / 32 * 32 }
}
