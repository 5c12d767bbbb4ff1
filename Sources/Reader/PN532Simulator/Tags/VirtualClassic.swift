/// A MIFARE Classic card (MF1S50YYX_V1, MF1S70YYX_V1): refuses what the silicon refuses.
///
/// The chip at the other end runs the cipher; here both passes of an authentication are one
/// question (`authenticate`), and frames come decrypted. EEPROM layout: block n at offset 16 n,
/// keys included.
package final class VirtualClassic: ActivatedTag {
  package let silicon: ClassicSilicon
  package let uid: [UInt8]
  package let eeprom: EEPROM

  package var product: String { silicon.name }
  package var atqa: UInt16 { silicon.atqa(uidSize: uid.count) }
  package var sak: UInt8 { silicon.sak }
  package var ats: [UInt8] { [] }

  package var activation = Activation()
  /// The sector that is open and the command (60h or 61h) that opened it.
  private(set) var session: (sector: Int, command: UInt8)?
  /// The first part of a two-part command, once acknowledged.
  var pending: Pending?
  /// The transfer buffer of value operations: a whole block.
  var transferBuffer: [UInt8]?

  enum Pending {
    case write(block: Int)
    case value(command: UInt8, block: Int)
  }

  /// A card in transport configuration. `uid` must have a size that `silicon` is sold with.
  package init(_ silicon: ClassicSilicon, uid: [UInt8]) {
    precondition(silicon.uidSizes.contains(uid.count), "a UID of a wrong size")
    self.silicon = silicon
    self.uid = uid
    eeprom = EEPROM(silicon.transportMemory(uid: uid))
  }

  package func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid given: [UInt8]) -> Bool
  {
    guard state == .active else { return false }
    // The second part of a two-part command was due.
    let isOutOfTurn = pending != nil
    forget()
    guard !isOutOfTurn else {
      fallBack()
      return false
    }
    let sector = ClassicSilicon.sector(ofBlock: Int(block))
    if silicon.hasSignature, sector == Self.signatureSector, command == 0x61,
      key == Self.signatureKey, given == Array(uid.suffix(4))
    {
      session = (sector, command)
      return true
    }
    guard Int(block) < silicon.blockCount, command == 0x60 || command == 0x61,
      given == Array(uid.suffix(4))
    else {
      fallBack()
      return false
    }
    let trailer = stored(ClassicSilicon.trailer(ofSector: sector))
    guard key == Array(command == 0x60 ? trailer.prefix(6) : trailer.suffix(6)) else {
      fallBack()
      return false
    }
    session = (sector, command)
    return true
  }

  package func receive(_ frame: [UInt8]) -> TagAnswer {
    guard state == .active else { return .silence }
    if let pending {
      self.pending = nil
      return finish(pending, with: frame)
    }
    switch (frame.first, frame.count) {
    case (0x50, 2) where frame[1] == 0:
      halt()
      return .silence
    case (0x30, 2): return read(Int(frame[1]))
    case (0xA0, 2): return beginWrite(Int(frame[1]))
    case (0xC0, 2), (0xC1, 2), (0xC2, 2): return beginValue(frame[0], block: Int(frame[1]))
    case (0xB0, 2): return transfer(to: Int(frame[1]))
    case (0x30, _), (0xA0, _), (0xC0, _), (0xC1, _), (0xC2, _), (0xB0, _): return ignore()
    default: return refuse()
    }
  }

  /// A frame that ends too early or too late: no answer, then IDLE or HALT.
  func ignore() -> TagAnswer {
    fallBack()
    return .silence
  }

  /// NAK 5, or 1 while the transfer buffer is valid: parity or CRC (9.3).
  package func receiveDamaged() -> TagAnswer {
    guard state == .active else { return .silence }
    return refuse(0x5)
  }

  /// A NAK, by default for an invalid operation: 0h while the transfer buffer is valid, else 4h
  /// (9.3). Then IDLE or HALT.
  func refuse(_ plain: UInt8 = 0x4) -> TagAnswer {
    let code = transferBuffer == nil ? plain : plain & 0x3
    fallBack()
    return .nibble(code)
  }

  /// One programming cycle and its answer. Power lost within it ends everything.
  func program(_ bytes: [UInt8], block: Int) -> TagAnswer {
    switch eeprom.program(bytes, at: block * 16) {
    case .programmed: return .nibble(Nibble.ack)
    case .failed: return refuse()
    case .powerLost:
      powerOff()
      return .silence
    }
  }

  /// A block's bytes as the cells hold them.
  func stored(_ block: Int) -> ArraySlice<UInt8> { eeprom.bytes[block * 16..<block * 16 + 16] }

  /// Of the signature (Proxmark3, `mifaredefault.h`).
  private static let signatureSector = 17
  private static let signatureKey: [UInt8] = [0x4B, 0x79, 0x1B, 0xEA, 0x7B, 0xCC]

  /// What `block` shows where the maker's signature stands and its sector is open.
  func signature(in block: Int) -> [UInt8]? {
    guard silicon.hasSignature, session?.sector == Self.signatureSector, block == 69 || block == 70
    else { return nil }
    let signature = MakerSignature.bytes(of: uid, on: .secp128r1)
    return Array(block == 69 ? signature[..<16] : signature[16...])
  }

  package func forget() {
    session = nil
    pending = nil
    transferBuffer = nil
  }
}
