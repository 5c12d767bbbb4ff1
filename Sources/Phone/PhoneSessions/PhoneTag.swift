import Synchronization
import TagMemory

/// A tag as a session has delivered it: good until the session polls again.
package final class PhoneTag: Sendable {
  /// As what a phone delivers it.
  package enum Kind: Hashable, Sendable {
    /// MIFARE Ultralight, NTAG, DESFire, Plus.
    case miFare(MiFareFamily)
    /// A card on which this application was selected; empty where none was.
    case iso7816(applicationID: [UInt8])
    /// The system that answered.
    case feliCa(systemCode: [UInt8])
  }

  /// The values of `NFCMiFareFamily`.
  package enum MiFareFamily: UInt, Hashable, Sendable {
    case unknown = 1
    case ultralight, plus, desfire
  }

  package let target: Target
  package let kind: Kind
  /// Counts the session's rounds of polling.
  package let generation: Int

  /// Is true if the tag has left the field, as far as the last exchange showed.
  private let isLost = Mutex(false)

  /// The IDm of the system that answered, where that is another than the tag's first.
  private let systemIDm: [UInt8]?

  /// Is true if it is an identity document that says how it does PACE. Looked at where the session
  /// looks for such ones.
  package let supportsPACE: Bool

  init(
    _ target: Target, as kind: Kind, generation: Int, systemIDm: [UInt8]? = nil,
    supportsPACE: Bool = false
  ) {
    (self.target, self.kind, self.generation) = (target, kind, generation)
    (self.systemIDm, self.supportsPACE) = (systemIDm, supportsPACE)
  }

  package var hasGone: Bool { isLost.withLock { $0 } }

  func noteLoss() { isLost.withLock { $0 = true } }

  /// UID, or IDm.
  package var identifier: [UInt8] { systemIDm ?? target.uid.bytes }

  /// What a type A card says in its answer to select; nil where it says nothing.
  package var historicalBytes: [UInt8]? {
    let bytes = ISODEPParameters(target).historicalBytes
    return bytes.isEmpty ? nil : bytes
  }

  /// What a type B card says of its applications; nil for any other.
  package var applicationData: [UInt8]? {
    if case .typeB(let card) = target { card.applicationData } else { nil }
  }

  /// Is true if `applicationData` is coded in the maker's own way (ADC 00; ISO/IEC 14443-3, 7.9.4).
  package var hasProprietaryApplicationData: Bool {
    guard case .typeB(let card) = target, card.protocolInfo.count > 2 else { return false }
    return card.protocolInfo[2] & 0x0C == 0
  }

  /// Is true if it speaks ISO-DEP.
  package var speaksISODEP: Bool { target.speaksISODEP }
}
