import Bytes

extension MAD {
  /// An application identifier: a function cluster and a code in it, 2 bytes (AN10787, 3).
  ///
  /// Not the AID of ISO/IEC 7816, which has 5 to 16 bytes.
  package struct AID: Hashable, Sendable {
    /// What kind of application, the second byte on the card.
    package let cluster: UInt8
    /// Which one of that kind, the first byte on the card.
    package let application: UInt8

    package init(cluster: UInt8, application: UInt8) {
      self.cluster = cluster
      self.application = application
    }

    /// The two bytes on the card, the application code first.
    package func serialize() -> [UInt8] { [application, cluster] }
  }
}

extension MAD.AID {
  /// Nobody uses the sector.
  package static let free = MAD.AID(cluster: 0x00, application: 0x00)
  /// The sector is not to be used: its keys are unknown, or it is destroyed.
  package static let defect = MAD.AID(cluster: 0x00, application: 0x01)
  /// Reserved for a later use.
  package static let reserved = MAD.AID(cluster: 0x00, application: 0x02)
  /// Further information on the directory.
  package static let directoryInfo = MAD.AID(cluster: 0x00, application: 0x03)
  /// Who holds the card, see `MAD.CardHolder`.
  package static let cardHolder = MAD.AID(cluster: 0x00, application: 0x04)
  /// The card has no such sector.
  package static let notApplicable = MAD.AID(cluster: 0x00, application: 0x05)
  /// A sector of the NDEF area: E103h, stored 03 E1 (AN1304).
  package static let nfc = MAD.AID(cluster: 0xE1, application: 0x03)

  /// Is true if the sector belongs to an application that is not NDEF: not to be overwritten.
  package var isForeign: Bool {
    ![.free, .defect, .notApplicable, .nfc].contains(self)
  }
}

extension MAD.AID: CustomStringConvertible {
  package var description: String {
    switch self {
    case .free: "free"
    case .defect: "defect"
    case .reserved: "reserved"
    case .directoryInfo: "directory information"
    case .cardHolder: "card holder"
    case .notApplicable: "not on this card"
    case .nfc: "NFC"
    default:
      "application \(Hex.byte(application).uppercased())h of cluster \(Hex.byte(cluster).uppercased())h"
        + (clusterName.map { " (\($0))" } ?? "")
    }
  }
}
