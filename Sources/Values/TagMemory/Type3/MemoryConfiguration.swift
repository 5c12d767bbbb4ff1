import Bytes

/// Block 88h (MC) of a FeliCa Lite or Lite-S: what may be read and written, and whether the tag
/// answers as an NDEF tag.
///
/// FeliCa Lite-S User's Manual, memory configuration block: MC_SP_REG_ALL_RW (bytes 0 and 1) and
/// MC_ALL (byte 2) each close bytes of their own. Low byte first; bits 0 to 13 of two
/// bytes stand for blocks 0 to 13, bit 14 for REG.
///
///     byte    content
///     0–1     1: the block may be written; bit 15: these bits and bytes 6 to 12 may be changed
///     2       FF: ID, CKV, CK and bytes 2 to 5 may be written; 00: never again
///     3       01: the tag answers to the system code 12FC of NDEF
///     4       parameters of the air interface
///     5       01: CK and CKV take a write with MAC (Lite-S)
///     6–7     1: the block is read after authentication alone (Lite-S); 8–9: written; 10–11:
///             written with MAC
///     12      01: STATE is written with MAC (Lite-S)
///
/// A right once given away never comes back, so that a value of this type can only be made to allow
/// less.
package struct MemoryConfiguration: Hashable, Sendable {
  /// Its block number.
  package static let block: UInt16 = 0x88

  private var bytes: [UInt8]
  /// Is true if bytes 6 to 12 mean anything: on a Lite they are reserved.
  private let hasKeyRights: Bool

  /// Nil unless there are 16 bytes.
  package init?(parsing bytes: [UInt8], of chip: LiteMemory.Kind) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
    hasKeyRights = chip != .lite
  }

  package func serialize() -> [UInt8] { bytes }
}

extension MemoryConfiguration {
  /// Blocks of the user memory: 0 to 13.
  package static let userBlocks: ClosedRange<UInt16> = 0...13
  /// REG, the subtraction register.
  package static let register: UInt16 = 14

  /// Returns whether the permission to write is there for `block`, 0 to 14.
  package func isWritable(_ block: UInt16) -> Bool { bit(block, from: 0) }

  /// Returns whether a key must be proved before `block` is read.
  package func needsKeyToRead(_ block: UInt16) -> Bool { hasKeyRights && bit(block, from: 6) }

  /// Returns whether a key must be proved before, or with, a write of `block`.
  package func needsKeyToWrite(_ block: UInt16) -> Bool {
    hasKeyRights && (bit(block, from: 8) || bit(block, from: 10))
  }

  /// Returns whether anybody can write `block`: without a key.
  package func isFree(_ block: UInt16) -> Bool { isWritable(block) && !needsKeyToWrite(block) }

  /// Is true if ID, keys and the system code are closed permanently.
  package var isFrozen: Bool { bytes[2] != 0xFF }

  /// Is true if permissions can still be taken away.
  package var canLock: Bool { bytes[1] & 0x80 != 0 }

  /// Is true if the tag answers to the system code of NDEF.
  package var declaresNDEF: Bool { bytes[3] & 0x01 != 0 }

  /// How many blocks behind the attribute block anybody can write, one after the other: at most 13.
  package var messageBlockCount: Int {
    (1...Self.userBlocks.upperBound).prefix(while: isFree).count
  }

  /// Is true if no user block can ever be written, by anybody, and none of that can be taken back.
  package var isLocked: Bool {
    (isFrozen || !canLock) && Self.userBlocks.allSatisfy { !isWritable($0) }
  }

  /// Is true if its user blocks are locked for good, or one write can still do that: their
  /// permissions and the rest of the configuration are closed apart from each other.
  package var canBeLocked: Bool { merged(with: locking(Self.userBlocks).frozen).isLocked }

  private func bit(_ block: UInt16, from byte: Int) -> Bool {
    guard block <= Self.register else { return false }
    return bytes[byte + Int(block) / 8] >> UInt8(block % 8) & 1 == 1
  }
}

extension MemoryConfiguration {
  /// This is the configuration of a tag that answers as an NDEF tag; nil where that is closed
  /// permanently. Bits beside bit 0, which a write that was cut short may have left, go with it.
  package var declaringNDEF: MemoryConfiguration? {
    guard !isFrozen else { return declaresNDEF ? self : nil }
    var copy = self
    copy.bytes[3] = 0x01
    return copy
  }

  /// Returns the configuration without the permission to write `blocks`; others stay as they are.
  package func locking(_ blocks: ClosedRange<UInt16>) -> MemoryConfiguration {
    var copy = self
    for block in blocks where Self.userBlocks.contains(block) {
      copy.bytes[Int(block) / 8] &= ~(1 << UInt8(block % 8))
    }
    return copy
  }

  /// This is the configuration with nothing left to change in it: permissions, ID, keys and system
  /// code.
  package var frozen: MemoryConfiguration {
    var copy = self
    copy.bytes[1] &= 0x7F
    copy.bytes[2] = 0x00
    return copy
  }

  /// What a tag holds after `next` was written over this: rights come back in no byte, and closed
  /// bytes keep what they hold.
  package func merged(with next: MemoryConfiguration) -> MemoryConfiguration {
    var copy = self
    for index in bytes.indices {
      switch index {
      case 0...1 where canLock: copy.bytes[index] &= next.bytes[index]
      case 2...5 where !isFrozen: copy.bytes[index] = next.bytes[index]
      case 6...12 where canLock && hasKeyRights: copy.bytes[index] |= next.bytes[index]
      default: break
      }
    }
    return copy
  }

  /// Returns whether writing `next` makes the tag hold just that.
  package func canBecome(_ next: MemoryConfiguration) -> Bool { merged(with: next) == next }
}

extension MemoryConfiguration: CustomStringConvertible {
  /// `FF FF FF 01 07 00 …`.
  package var description: String { Hex.string(bytes, separator: " ").uppercased() }
}
