import Bytes
import TagMemory
import TagProgramming

extension Type2Cause {
  var sentence: String {
    switch self {
    case .areaHoldsOther(let fault):
      "The tag says that it is NDEF, but its data area holds something else"
        + (fault.map { " (\($0))" } ?? "") + "."
    case .notBlank(let page):
      "The tag is not blank: \(page) holds data, and the tag is not formatted for NDEF."
    case .readOnly(let container):
      "The tag is read-only: its capability container is \(container)."
    case .closedToReading(let container):
      "Page 3 holds \(container): the capability container does not let everyone read, so no reader would find a message. "
        + "Its bits cannot be cleared."
    case .reservedAccess(let container):
      "The capability container \(container) has a reserved value for write access."
    case .containerUnfit(let found, let wanted, let isOfDump):
      "Page 3 holds \(found). Its bits cannot be cleared, so it can never become \(isOfDump ? "the dump's " : "")\(wanted)."
    case .sizeIsGuess(let product, _):
      "The size of this \(product) is a guess, and page 3 would be written for the first time: its bits can never be cleared."
    case .locked(let pages):
      "\(Self.list(pages)) locked for good and would have to change."
    case .pagesRefused: "Not all of the pages that have to change can be written."
    case .pageDiffers(let page, let found, let wanted):
      capitalized(Self.difference(page, found, wanted)) + "."
    case .mirrored(let bytes):
      "The tag shows its UID or counter in place of "
        + (bytes.map { "bytes \($0.lowerBound + 1) to \($0.upperBound)" } ?? "the head")
        + " of the message: its ASCII mirror is on."
    case .locksUnknown(let product):
      "This \(product) cannot be locked here.\(product.support.reason)"
    case .openForGood(let pages):
      "\(Self.list(pages)) open for good: the block-locking bit is set and the lock bit is not."
    case .configurationFrozen(true):
      "The tag's configuration is frozen (CFGLCK) and differs from the dump's."
    case .configurationFrozen(false):
      "The tag's configuration is frozen (CFGLCK): what the password protects never changes."
    case .noPassword(let product): product.withoutPassword
    case .passwordRefused(let count, let mayBeLost):
      "The tag refused the \(count == 1 ? "password" : "passwords")"
        + (mayBeLost ? ", or its answer was lost or damaged." : ".")
    case .passwordNeeded(let protection): "The tag is protected: \(protection)."
    case .configurationHidden:
      "The tag is protected by a password, which is needed even to read its configuration."
    case .keyNeeded(nil):
      "The tag is protected by its triple DES key, which is needed even to read what it protects."
    case .keyNeeded(let protection?):
      "The tag is protected by its triple DES key, which is needed to "
        + "\(protection.includesReading ? "read or write" : "write") from \(protection.firstPage) on."
    case .noWholePages(let byteCount):
      "A page has 4 bytes; \(byteCount) bytes do not fill whole pages."
    case .noSuchPages(let first, let count, let product, let pageCount):
      "This \(product) has pages 0 to \(pageCount - 1); \(count) pages from page \(first) on do not fit."
    case .guardedPage(let page, .uid):
      "\(capitalized("\(page)")) holds the UID, which no tag lets be written."
    case .guardedPage(let page, let use):
      capitalized("\(page) \(use.warning ?? "holds data").")
    case .locksCloseEachOther(let page):
      "The lock bits of \(page) close AUTH0, and AUTH0 closes \(page): neither can be written before the other."
    case .dumpOfClassic: "The dump is of a MIFARE Classic, not of an Ultralight or NTAG."
    case .dumpOfOtherSize(let pageCount, let product, let chipPageCount):
      "The dump has \(pageCount) pages; this \(product) has \(chipPageCount)."
    case .containerTooLarge(let container, let product, let available):
      "The dump's capability container \(container) claims \(container.areaByteCount) bytes; this \(product) has \(available)."
    case .notRead(let part): part.sentence
    }
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
    case .memory: "The pages that were read do not make the tag's memory."
    }
  }
}

extension Product {
  /// Why no password can be set on it.
  fileprivate var withoutPassword: String {
    if case .messagesOnly = support {
      "The password of this \(self) cannot be set here.\(support.reason)"
    } else if features.contains(.tripleDES) {
      "This \(self) has no password but a triple DES key, which is not set here."
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
