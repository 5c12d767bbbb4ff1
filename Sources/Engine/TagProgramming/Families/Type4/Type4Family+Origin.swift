import Readers
import TagMemory

extension Type4Family {
  /// READ_SIG of NTAG 424 DNA and DESFire; the last status is 9100, or 9190 in AN12196, table 30.
  /// Where the UID is random, it says nothing of the tag that lies there.
  static func origin(_ session: Type4Session, of product: Product, _ pass: PassContext)
    throws(Setback) -> OriginalitySignature.Verdict?
  {
    guard !session.tag.uid.isRandom, OriginalitySignature.byteCount(of: product) != nil
    else { return nil }
    do throws(ReaderError) {
      if product.isST25TA { return try originST(session, of: product) }
      if product.isNTAG424, try session.enterApplication() != nil { return nil }
      let response = try session.ask(.readSignature)
      let isWhole = response.status.value == 0x9100 || response.status.value == 0x9190
      return OriginalitySignature.verdict(
        isWhole ? response.data : nil, uid: session.tag.uid, of: product)
    } catch {
      throw .reader(error)
    }
  }

  /// ST25TA: 32 bytes from E0h on in a file of the maker's, which ST's own READ BINARY shows
  /// (Proxmark3, `cmdhfst25ta.c`).
  private static func originST(_ session: Type4Session, of product: Product) throws(ReaderError)
    -> OriginalitySignature.Verdict?
  {
    guard try session.enterApplication() == nil else { return nil }
    // Whatever file was selected is no more.
    defer { session.forgetSelection() }
    let selected = try session.transmit(.select(FileID(0x0001), in: .current))
    var signature: [UInt8]?
    if selected.status.isSuccess {
      let response = try session.transmit(
        CommandAPDU(0xA2, 0xB0, 0x00, 0xE0, expectedLength: 32))
      if response.status.isSuccess, response.data.count == 32 { signature = response.data }
    }
    return OriginalitySignature.verdict(signature, uid: session.tag.uid, of: product)
  }
}
