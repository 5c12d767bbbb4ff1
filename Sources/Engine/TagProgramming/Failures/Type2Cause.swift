import TagMemory

/// What kept a job from ending as wanted on a Type 2 tag.
package enum Type2Cause: Hashable, Sendable {
  /// The tag says that it is NDEF, and its data area holds something else.
  case areaHoldsOther(TLVFault?)
  /// TLVs of others stand behind the message from this page on, and the new message needs the room.
  case othersBehind(Page)
  /// This page holds data, on a tag that is not formatted for NDEF.
  case notBlank(Page)
  /// The capability container says that nobody may write.
  case readOnly(CapabilityContainer)
  /// The capability container does not let everyone read.
  case closedToReading(CapabilityContainer)
  /// The capability container has a value for writing that no specification gives a meaning.
  case reservedAccess(CapabilityContainer)
  /// Bits of the capability container would have to be cleared, which no tag does; `isOfDump`: the
  /// wanted one is a dump's.
  case containerUnfit(found: CapabilityContainer, wanted: CapabilityContainer, isOfDump: Bool)
  /// Page 3 of a chip whose size is a guess would be written for the first time, for so many bytes.
  case sizeIsGuess(Product, byteCount: Int)
  /// These pages are locked for good, and the job writes them.
  case locked([Page])
  /// The pages that have to change are locked or protected, as far as the tag shows.
  case pagesRefused
  /// A page does not hold what this run has written, and no further write of the job repairs it.
  case pageDiffers(Page, found: [UInt8], wanted: [UInt8])
  /// A page that this run has written, and that can never change back, holds something else.
  case noLongerHeld(Page, found: [UInt8], wanted: [UInt8])
  /// The ASCII mirror covers a part of the message, its head or these bytes of it (from 0), and the
  /// configuration is frozen, or of a chip of which none is written.
  case mirrored(bytes: Range<Int>?, isFrozen: Bool)
  /// The tag shows its own UID from this page on, where the message has something else, and nobody
  /// can read whether that is stored there or an ASCII mirror.
  case mayBeMirrored(Page)
  /// The chip cannot show this of itself in its message.
  case noMirror(ASCIIMirror.Content, Product)
  /// The mirror cannot be set up: the configuration is frozen.
  case mirrorFrozen(ASCIIMirror.Content)
  /// What the mirror is to cover does not stand in one piece on this tag.
  case mirrorDivided

  /// The lock bytes of this chip are not known.
  case locksUnknown(Product)
  /// These pages can never be locked: their block-locking bit is set.
  case openForGood([Page])
  /// The tag's configuration can never be changed (CFGLCK): `isOfDump`, though the dump's differs.
  case configurationFrozen(isOfDump: Bool)
  /// This chip has no password that could be set here.
  case noPassword(Product)
  /// This chip has no such setting, or none that is set here.
  case noSetting(ChipSettings.Setting, Product)
  /// From this page on the chip's password cannot be asked for here.
  case firstPageOutside(Page, Product, allowed: ClosedRange<Page>)
  /// No page from here on can still be written, so that nothing proves that the password is asked
  /// for: what is for good is not set.
  case nothingProves(from: Page)
  /// A password is to change on a tag with this limit of wrong ones, which stays for good.
  case limitFrozen(Int)
  /// A password is to change on a tag with this limit of wrong ones, and nothing says which one the
  /// tag is to have then.
  case limitNotSaid(Int)
  /// The chip's password, or key, has so many bytes, and another length was given.
  case secretLength(byteCount: Int, Product)
  /// The password, or key, to set is the one that the chip is delivered with, which everybody
  /// knows.
  case deliveredSecret(Product)
  /// The tag refused every password that was tried, of which there were `count`; `mayBeLost`: or an
  /// answer was lost or damaged.
  case passwordRefused(count: Int, mayBeLost: Bool)
  /// The tag did not take the password earlier in this run, and may count wrong ones.
  case passwordRefusedBefore
  /// The password that was given may have been replaced by this job's own already, and the tag
  /// counts wrong ones, or does not show whether it does (nil): it was not sent.
  case passwordWithheld(limit: Int?)
  /// A dry run would have to send a password that the tag may count as a wrong one.
  case passwordNotTried
  /// The tag needs its password.
  case passwordNeeded(AccessProtection)
  /// The tag needs its password even to show its configuration.
  case configurationHidden
  /// The tag takes nothing but secure messaging once its key is proven (Ultralight AES,
  /// SEC_MSG_ACT).
  case secureMessaging
  /// The tag needs its key; nil: even to show what the key protects.
  case keyNeeded(AccessProtection?)

  /// The bytes that were given do not fill whole pages.
  case noWholePages(byteCount: Int)
  /// The chip has not all of the pages that were given.
  case noSuchPages(first: Int, count: Int, Product, pageCount: Int)
  /// A page that was given cannot be written, or only with the operator's leave.
  case guardedPage(Page, Type2Layout.Use)
  /// The lock bits in this page of an Ultralight C close AUTH0, and AUTH0 closes the page.
  case locksCloseEachOther(Page)

  /// The dump is not of a Type 2 tag.
  case dumpOfOtherType
  /// The dump has another number of pages than the chip.
  case dumpOfOtherSize(pageCount: Int, Product, chipPageCount: Int)
  /// The dump's capability container claims more bytes than the chip has.
  case containerTooLarge(CapabilityContainer, Product, available: Int)

  /// The dump's message depends on an ASCII mirror that the tag would not have: without it, what
  /// one reading showed would stand in the message of every tag.
  case dumpMirrored(ASCIIMirror.Content)
  /// The tag lays an ASCII mirror over the message of a dump that has none.
  case mirrorsOverDump(ASCIIMirror.Content)

  /// A part of the memory that a plan needs was not read.
  case notRead(Part)

  package enum Part: Hashable, Sendable, CaseIterable {
    case capabilityContainer, lockBytes, dynamicLockBytes, configuration, memory
  }

  var kind: JobFailure.Kind {
    switch self {
    case .locksUnknown, .noPassword, .noSetting, .firstPageOutside, .secretLength, .deliveredSecret,
      .noMirror, .noWholePages, .noSuchPages,
      .guardedPage,
      .dumpOfOtherType,
      .dumpOfOtherSize, .containerTooLarge:
      .badInput
    case .pageDiffers, .noLongerHeld: .mismatch
    case .notRead: .internalError
    case .areaHoldsOther, .othersBehind, .notBlank, .readOnly, .closedToReading, .reservedAccess,
      .containerUnfit,
      .sizeIsGuess,
      .locked, .pagesRefused, .mirrored, .mayBeMirrored, .mirrorFrozen, .mirrorDivided,
      .openForGood,
      .configurationFrozen, .nothingProves, .limitFrozen, .limitNotSaid, .passwordRefused,
      .passwordRefusedBefore,
      .passwordWithheld, .passwordNotTried,
      .passwordNeeded, .configurationHidden, .dumpMirrored, .mirrorsOverDump, .secureMessaging,
      .keyNeeded,
      .locksCloseEachOther:
      .refused
    }
  }
}
