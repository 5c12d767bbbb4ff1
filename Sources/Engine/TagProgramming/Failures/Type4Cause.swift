import TagMemory

/// What kept a job from ending as wanted on a tag that speaks ISO-DEP.
package enum Type4Cause: Hashable, Sendable {
  /// The card has no NDEF application; what it is, where that was found out.
  case noApplication(Product, stranger: String?)
  /// A blank DESFire, which is formatted first.
  case notFormatted(Product)
  /// The tag has an NDEF application, whose capability container cannot be used.
  case container(CapabilityError)
  /// The tag refuses to show its capability container or its message.
  case unreadable(StatusWord)
  /// The tag says that nobody may write its message.
  case readOnly
  /// Only whoever fulfils a condition of the maker's may write.
  case writeCondition(FileControl.Access)
  /// Only whoever knows this key of an NTAG 424 DNA may write its message; nil: nobody may.
  case writeNeedsKey(Product, UInt8?)
  /// An NTAG 424 DNA fills these in, as it is read, where the message would stand.
  case mirrorsCover([SDMMirror])
  /// An NTAG 424 DNA fills something in as it is read, and its settings do not say where.
  case mirrorsUnknown
  /// Only whoever fulfils a condition of the maker's may read.
  case readCondition(FileControl.Access)

  /// The chip has no command that locks it, or none that is known here.
  case cannotLock(Product)
  /// Only whoever knows this key of an NTAG 424 DNA may change who writes; nil: nobody may.
  case lockNeedsKey(Product, UInt8?)
  /// The write password of an ST25TA is not the delivered one, or was refused before.
  case passwordRefused(Product)
  /// None of the keys given, and not the delivered one either, opens the application.
  case applicationKeyUnknown
  /// A DESFire's files are not those of an application for NDEF.
  case filesUnknown

  /// This product is formatted from the start, or never for NDEF.
  case cannotFormat(Product)
  /// None of the keys given, and not the delivered one either, opens the card.
  case masterKeyUnknown
  /// The application holds a file that an NDEF application does not have.
  case foreignFile(UInt8)
  /// The card has so many free bytes, and needs so many.
  case notEnoughMemory(free: Int, needed: Int)
  /// The new key is for another cipher than the application has.
  case keyOfOtherKind

  /// The dump is of another kind of tag, or of a file that the tag does not have.
  case dumpOfOther
  /// The dump's tag fills in a part of its message at each reading; the dump has what one reading
  /// showed.
  case dumpMirrored
  /// The dump's message file is larger than the tag's.
  case dumpTooLarge(byteCount: Int, fileByteCount: Int)
  /// A file of the dump cannot be written to this tag.
  case fileNotWritable(FileID)

  /// This tag cannot prove itself: it is no NTAG 424 DNA.
  case noProofs(Product)
  /// The message has no places for proofs, or some that the tag would refuse.
  case template(SDMTemplateError)
  /// Neither the new keys nor the ones before open these keys of an NTAG 424 DNA.
  case keysUnknown([UInt8])
  /// The tag shows a random UID, and no key that every tag has opens it, which would tell the true
  /// one.
  case uidHidden
  /// The tag uses LRP in place of AES, which cannot be switched off again, and the operator has not
  /// said so.
  case usesLRP
  /// The message shows the state of a tamper loop, and this tag has none.
  case noTamperLoop(Product)
  /// The message shows the state of the tamper loop, and the tag was never told to look at it.
  case loopUnwatched

  /// The job is for pages or blocks, and this tag has files.
  case noPages(Product)
  /// This tag has no password that could be set here.
  case noPassword(Product)

  var kind: JobFailure.Kind {
    switch self {
    case .cannotFormat, .keyOfOtherKind, .dumpOfOther, .dumpTooLarge, .notEnoughMemory, .noPages,
      .noPassword, .noProofs, .template, .noTamperLoop, .loopUnwatched:
      .badInput
    case .noApplication, .notFormatted, .container, .unreadable, .readOnly, .writeCondition,
      .readCondition, .cannotLock, .lockNeedsKey, .writeNeedsKey, .passwordRefused,
      .applicationKeyUnknown, .filesUnknown, .masterKeyUnknown, .foreignFile, .fileNotWritable,
      .dumpMirrored, .mirrorsCover, .mirrorsUnknown, .keysUnknown, .uidHidden, .usesLRP:
      .refused
    }
  }
}
