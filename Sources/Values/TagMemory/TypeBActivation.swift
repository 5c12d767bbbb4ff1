/// A type B tag says this of itself in its answer to request (ISO/IEC 14443-3, 7.9).
public struct TypeBActivation: Hashable, Sendable {
  /// Pseudo-unique PICC identifier, 4 bytes: fixed, or a new one each time it gets power.
  package var pupi: [UInt8]
  /// Application data, 4 bytes: which applications the card has.
  package var applicationData: [UInt8]
  /// Protocol info, 3 bytes, or 4 in the extended form: bit rates, frame size, ISO-DEP.
  package var protocolInfo: [UInt8]

  package init(pupi: [UInt8], applicationData: [UInt8], protocolInfo: [UInt8]) {
    self.pupi = pupi
    self.applicationData = applicationData
    self.protocolInfo = protocolInfo
  }
}
