// Names are spelt as Apple spells them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

import Foundation

/// A tag that a tag reader session has found, by its kind.
///
/// The tags belong to their session; what they do is handed to its thread.
///
/// developer.apple.com: NFCTag.
public enum NFCTag: @unchecked Sendable {
  /// A FeliCa tag of a declared system code.
  case feliCa(any NFCFeliCaTag)
  /// A tag that speaks ISO/IEC 7816-4 and has a declared application.
  case iso7816(any NFCISO7816Tag)
  /// Never delivered here: a PN532 cannot see such tags.
  case iso15693(any NFCISO15693Tag)
  /// A tag for MIFARE commands.
  case miFare(any NFCMiFareTag)

  /// Is true if the tag is connected and was in the field at the last exchange. Never blocks.
  public var isAvailable: Bool { tag.isAvailable }

  /// The tag, of whatever kind.
  var tag: any __NFCTag {
    switch self {
    case .feliCa(let tag): tag
    case .iso7816(let tag): tag
    case .iso15693(let tag): tag
    case .miFare(let tag): tag
    }
  }
}

/// The kinds of tags, by the numbers of an iPhone.
///
/// developer.apple.com: NFCTagType.
public enum NFCTagType: UInt, Hashable, Sendable {
  /// This name is another one for `iso15693`.
  case ISO15693 = 1
  /// A FeliCa tag of a declared system code.
  case feliCa = 2
  /// A tag that speaks ISO/IEC 7816-4 and has a declared application.
  case iso7816Compatible = 3
  /// A tag for MIFARE commands: Ultralight, NTAG, DESFire, Plus.
  case miFare = 4

  /// An ISO 15693 tag. Never found here.
  public static var iso15693: NFCTagType { .ISO15693 }
}

public typealias __NFCTagType = NFCTagType

/// All tags have these properties, as Objective-C sees them.
public protocol __NFCTag: NSCopying, NSSecureCoding, NSObjectProtocol {
  var type: __NFCTagType { get }
  /// The session that has found the tag; nil once that is gone.
  var session: (any NFCReaderSessionProtocol)? { get }
  /// Is true if the tag is connected and was in the field at the last exchange. Never blocks.
  var isAvailable: Bool { get }
  func asNFCISO15693Tag() -> (any NFCISO15693Tag)?
  func asNFCISO7816Tag() -> (any NFCISO7816Tag)?
  func asNFCFeliCaTag() -> (any NFCFeliCaTag)?
  func asNFCMiFareTag() -> (any NFCMiFareTag)?
}
