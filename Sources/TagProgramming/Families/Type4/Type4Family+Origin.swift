import Readers
import TagMemory

extension Type4Family {
  /// READ_SIG of NTAG 424 DNA and DESFire; the last status is 9100, or 9190 in AN12196, table 30.
  /// Where the UID is random, it says nothing of the tag that lies there.
  static func origin(_ session: Type4Session, of product: Product, _ pass: PassContext)
    throws(Setback) -> OriginalitySignature.Verdict?
  {
    guard !product.isST25TA, !session.tag.uid.isRandom,
      OriginalitySignature.byteCount(of: product) != nil
    else { return nil }
    do throws(ReaderError) {
      if product.isNTAG424, try session.enterApplication() != nil { return nil }
      let response = try session.transmit(DESFireCommand.readSignature.apdu)
      let isWhole = response.status.value == 0x9100 || response.status.value == 0x9190
      return OriginalitySignature.verdict(
        isWhole ? response.data : nil, uid: session.tag.uid, of: product)
    } catch {
      throw .reader(error)
    }
  }
}
