import Readers
import TagMemory

extension ClassicFamily {
  /// The signature of a MIFARE Classic EV1 1K: blocks 69 and 70, behind the memory that the card
  /// has for its users, in a sector that opens with a key which all of them have (Proxmark3,
  /// `mifarehost.c`). Cards before it refuse that key.
  static func origin(_ session: ClassicSession, of product: Product, _ pass: PassContext)
    throws(Setback) -> OriginalitySignature.Verdict?
  {
    guard product.classicSectorCount == 16, !session.tag.uid.isRandom,
      OriginalitySignature.byteCount(of: product) != nil
    else { return nil }
    do throws(ReaderError) {
      guard try session.authenticate(signatureSector, KeyCandidate(.b, signatureKey)) else {
        return OriginalitySignature.verdict(nil, uid: session.tag.uid, of: product)
      }
      var signature: [UInt8] = []
      for block in signatureSector.dataBlocks.dropFirst() {
        guard let bytes = try session.readBlock(block) else {
          return OriginalitySignature.verdict(nil, uid: session.tag.uid, of: product)
        }
        signature += bytes
      }
      return OriginalitySignature.verdict(signature, uid: session.tag.uid, of: product)
    } catch {
      throw .reader(error)
    }
  }

  private static let signatureSector: Sector = 17
  private static let signatureKey = Key([0x4B, 0x79, 0x1B, 0xEA, 0x7B, 0xCC]) ?? .zeros
}
