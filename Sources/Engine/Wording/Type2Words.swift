import Bytes
import TagMemory
import TagProgramming

extension Type2Cause {
  var sentence: String {
    switch self {
    case .areaHoldsOther(let fault):
      "The tag is marked as NDEF, but its data area holds other data"
        + (fault.map { " (\($0))" } ?? "") + "."
    case .othersBehind(let page):
      "Behind its message, from \(page) on, the tag holds bytes that read as TLVs of others (proprietary, Lock Control or Memory Control), "
        + "and the new message needs that room. They are another program's, or the rest of an older message."
    case .notBlank(let page):
      "The tag is not blank: \(page) holds data, and the tag is not formatted for NDEF."
    case .readOnly(let container):
      "The tag is read-only: its capability container is \(container)."
    case .closedToReading(let container):
      "Page 3 holds \(container): the capability container does not allow everyone to read, so no reader would find a message. "
        + "Its bits cannot be cleared."
    case .reservedAccess(let container):
      "The capability container \(container) has a reserved value for write access."
    case .containerUnfit(let found, let wanted, let isOfDump):
      "Page 3 holds \(found). Its bits cannot be cleared, so it can never become \(isOfDump ? "the dump's " : "")\(wanted)."
    case .sizeIsGuess(let product, _):
      "The size of this \(product) is only a guess. Page 3 would be written for the first time, and its bits can never be cleared."
    case .locked(let pages):
      "\(Self.list(pages)) permanently locked, but must change for this job."
    case .pagesRefused: "Some of the pages that must change cannot be written."
    case .pageDiffers(let page, let found, let wanted):
      capitalized(Self.difference(page, found, wanted)) + "."
    case .noLongerHeld(let page, let found, let wanted):
      capitalized(Self.difference(page, found, wanted))
        + ". The tag does not keep it, or this is another tag with the same UID."
    case .mirrored(let bytes, let isFrozen):
      "The ASCII mirror of the tag is on, and "
        + (isFrozen
          ? "its configuration is frozen (CFGLCK)"
          : "this program does not write the configuration of this chip")
        + ": readers get its UID or counter instead of "
        + (bytes.map { "bytes \($0.lowerBound + 1) to \($0.upperBound)" } ?? "the head")
        + " of the message."
    case .mayBeMirrored(let page):
      "From \(page) on the tag shows its own UID, and whether that is stored there or shown in place of what is stored (ASCII mirror) is not known of this chip."
    case .noMirror(let content, let product):
      if case .messagesOnly(let reason) = product.support {
        "The tag is of type \(product), of which this program writes no configuration, so it is not made to show \(content.words) in its message. \(reason)"
      } else {
        "The tag is of type \(product), which cannot show \(content.words) in its message. "
          + (content == .uid
            ? "NTAG 210, 212, 213, 215 and 216 can." : "NTAG 213, 215 and 216 can.")
      }
    case .mirrorFrozen(let content):
      "The tag's configuration is frozen (CFGLCK), so it cannot be made to show \(content.words) in its message."
    case .mirrorDivided:
      "The bytes for the mirror do not stand in one piece on this tag: a TLV reserves bytes between them."
    case .locksUnknown(let product):
      "This \(product) cannot be locked by this program.\(product.support.reason)"
    case .openForGood(let pages):
      "\(Self.list(pages)) permanently open: the block-locking bit is set, but the lock bit is not."
    case .configurationFrozen(true):
      "The tag's configuration is frozen (CFGLCK) and differs from the dump's."
    case .configurationFrozen(false):
      "The tag's configuration is frozen (CFGLCK): what the password protects cannot be changed."
    case .noPassword(let product): product.withoutPassword
    case .noSetting(let setting, let product):
      "The tag is of type \(product), \(setting.lack)."
    case .firstPageOutside(let page, let product, let allowed):
      "AUTH0 of this \(product) takes a page from \(allowed.lowerBound.number) to \(allowed.upperBound.number), not \(page): "
        + (page < allowed.lowerBound
          ? "nobody can write the UID in pages 0 and 1."
          : "behind the user memory nothing proves that the tag asks for its password.")
    case .nothingProves(let page):
      "No page of user memory from \(page) on can still be written, so nothing proves that the tag refuses a write without its password: neither a limit of wrong passwords (AUTHLIM) nor CFGLCK is set."
    case .limitFrozen(let limit):
      Self.counts(limit)
        + " Its configuration is frozen (CFGLCK), so its password is not changed: an interrupted run could lock it."
    case .limitNotSaid(let limit):
      Self.counts(limit)
        + " No password is changed while they are counted, and nothing says which limit the tag should have afterwards."
    case .secretLength(4, let product):
      "The password of a \(product) has 4 bytes: 8 hexadecimal digits."
    case .secretLength(let byteCount, let product):
      "A \(product) has \(product.keyWords) of \(byteCount) bytes in place of a password: \(2 * byteCount) hexadecimal digits."
    case .deliveredSecret(let product):
      "This is the \(product.secretByteCount == 16 ? "key" : "password") that each \(product) is delivered with: everybody knows it, so it protects nothing."
    case .passwordNotTried:
      "The tag may count wrong passwords, so a dry run does not send it one. Without it the tag does not show what it holds, and what the command would do is not known."
    case .passwordRefused(let count, let mayBeLost):
      "The tag refused the \(count == 1 ? "password" : "passwords")"
        + (mayBeLost ? ", or its answer was lost or damaged." : ".")
    case .passwordRefusedBefore:
      "The tag did not take this password earlier in this run, and may count wrong passwords. It was not sent again."
    case .passwordWithheld(let limit):
      (limit.map(Self.counts)
        ?? "The tag does not show whether it counts wrong passwords.")
        + " The one that was given may have been replaced by an earlier run of this job, so it was not sent."
    case .passwordNeeded(let protection): "The tag is protected: \(protection)."
    case .configurationHidden:
      "The tag does not show its configuration: it is protected by a password, or it has less memory than its type."
    case .secureMessaging:
      "The tag accepts only commands with a CMAC from a reader that has proven its key (SEC_MSG_ACT). nfcprog does not send these."
    case .keyNeeded(nil):
      "The tag is protected by its key. Without it, the protected pages cannot be read."
    case .keyNeeded(let protection?):
      "The tag is protected by its key. The key is needed to "
        + "\(protection.includesReading ? "read or write" : "write") \(protection.firstPage) and later pages."
    case .noWholePages(let byteCount):
      "A page has 4 bytes; \(counted(byteCount, "byte")) \(byteCount == 1 ? "does" : "do") not fill whole pages."
    case .noSuchPages(let first, let count, let product, let pageCount):
      "This \(product) has pages 0 to \(pageCount - 1); \(counted(count, "page")) from page \(first) on \(count == 1 ? "does" : "do") not fit."
    case .guardedPage(let page, .uid):
      "\(capitalized("\(page)")) holds the UID, which no tag accepts a write to."
    case .guardedPage(let page, let use):
      capitalized("\(page) \(use.warning ?? "holds data").")
    case .locksCloseEachOther(let page):
      "The lock bits of \(page) lock AUTH0, and AUTH0 protects \(page): neither can be written before the other."
    case .dumpOfOtherType: "The dump is not of an Ultralight or NTAG."
    case .dumpOfOtherSize(let pageCount, let product, let chipPageCount):
      "The dump has \(counted(pageCount, "page")); this \(product) has \(chipPageCount)."
    case .containerTooLarge(let container, let product, let available):
      "The dump's capability container \(container) claims \(container.areaByteCount) bytes; this \(product) has \(available)."
    case .dumpMirrored(let content):
      "The message of the dump depends on its tag's ASCII mirror, which shows \(content.words) there: without it, this tag would show for ever what the dump's tag once showed."
    case .mirrorsOverDump(let content):
      "This tag's ASCII mirror shows \(content.words) where the dump has a part of its message: readers would get another message than the dump's."
    case .notRead(let part): part.sentence
    }
  }

  private static func counts(_ limit: Int) -> String {
    "The tag counts wrong passwords: \(limit == 1 ? "one locks" : "\(limit) in a row lock") it permanently."
  }

  /// What a page holds, and what it was given: a clause.
  static func difference(_ page: Page, _ found: [UInt8], _ wanted: [UInt8]) -> String {
    "\(page) holds \(Hex.string(found, separator: " ").uppercased()) where "
      + "\(Hex.string(wanted, separator: " ").uppercased()) was written"
  }

  /// `Page 5 is`, `Pages 5, 6 and 9 are`.
  private static func list(_ pages: [Page]) -> String {
    let numbers = NumberRuns.list(pages.map { Int($0.number) })
    return pages.count > 1 ? "Pages \(numbers) are" : "Page \(numbers) is"
  }
}

extension Type2Cause.Part {
  fileprivate var sentence: String {
    switch self {
    case .capabilityContainer: "The capability container was not read."
    case .lockBytes: "The lock bytes were not read."
    case .dynamicLockBytes: "The dynamic lock bytes were not read."
    case .configuration: "The configuration was not read."
    case .memory: "The pages that were read are not the whole memory of the tag."
    }
  }
}

extension Product {
  /// What it has in place of a password.
  fileprivate var keyWords: String {
    type2?.key?.cipher == .aes ? "an AES key" : "a triple DES key"
  }

  /// Why no password can be set on it.
  fileprivate var withoutPassword: String {
    if case .messagesOnly = support {
      "The password of this \(self) cannot be set here.\(support.reason)"
    } else {
      "This \(self) has no password."
    }
  }
}

extension Product.Support {
  /// Why not everything can be done to the product, behind another sentence.
  fileprivate var reason: String {
    switch self {
    case .full: ""
    case .messagesOnly(let reason), .nameOnly(let reason): " " + reason
    }
  }
}

extension ChipSettings.Setting {
  /// What a chip without it is, behind a comma.
  fileprivate var lack: String {
    switch self {
    case .firstPage: "whose first protected page (AUTH0) this program does not choose"
    case .attemptLimit: "whose limit of wrong passwords (AUTHLIM) this program does not set"
    case .readCounter: "which has no counter of its readings: NTAG 213, 215 and 216 have one"
    case .freeze: "whose configuration this program does not freeze (CFGLCK)"
    }
  }
}
