import Bytes
import Readers
import TagMemory

/// As what a tag that was found is delivered, if at all.
struct Discovery {
  let session: PhoneSession
  let reader: TagReader
  let generation: Int
  /// Is true if the card that was looked at last says how it does PACE.
  private var supportsPACE = false

  init(session: PhoneSession, reader: TagReader, generation: Int) {
    (self.session, self.reader, self.generation) = (session, reader, generation)
  }

  /// The tag; nil for one that a phone would not deliver to this app. The reader has selected it.
  mutating func tag(of target: Target) throws(ReaderError) -> PhoneTag? {
    supportsPACE = false
    guard let kind = try kind(of: target) else { return nil }
    let systemIDm = target.feliCa == nil ? nil : reader.systemIDm
    return PhoneTag(
      target, as: kind, generation: generation, systemIDm: systemIDm, supportsPACE: supportsPACE)
  }

  private var isPhone: Bool { session.settings.mode == .phone }
  private var grants: AppGrants { session.sought.grants }
  private var isNDEF: Bool { session.kind == .ndef }
  private var looksForPACE: Bool {
    if case .tag(let polling) = session.sought.kind { polling.contains(.pace) } else { false }
  }

  private mutating func kind(of target: Target) throws(ReaderError) -> PhoneTag.Kind? {
    switch target {
    case .feliCa(let tag): return try feliCa(tag)
    case .topaz: return refuse(target, "Type 1 tags (Topaz) are not read here.")
    case .typeB:
      guard target.speaksISODEP else {
        return refuse(target, "It does not speak ISO-DEP.")
      }
      return try card(target)
    case .typeA(let tag):
      if Geometry(target) != nil {
        guard isPhone else { return .miFare(.unknown) }
        return refuse(target, "An iPhone does not know MIFARE Classic; .bench mode does.")
      }
      if target.speaksISODEP { return try card(target) }
      return .miFare(tag.sak == 0 ? .ultralight : .unknown)
    }
  }

  private func refuse(_ target: Target, _ reason: String) -> PhoneTag.Kind? {
    session.settings.remark(.notDelivered(tag: "Tag \(target.uid)", reason: reason))
    return nil
  }

  // MARK: ISO-DEP

  /// The NDEF application (NFC Forum Type 4 Tag), of mapping version 2.0 and 1.0.
  static let ndefApplications: [[UInt8]] = [
    [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01], [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x00],
  ]

  private mutating func card(_ target: Target) throws(ReaderError) -> PhoneTag.Kind? {
    // Before an application is selected, which would be left for the file.
    if looksForPACE { supportsPACE = try answers(.selectCardAccess, on: target) }
    var wanted = isNDEF ? Self.ndefApplications : grants.applicationIDs
    // Nobody has declared anything: what an NDEF tag has is tried.
    if !isNDEF, !grants.isLimited, wanted.isEmpty { wanted = [Self.ndefApplications[0]] }
    for id in wanted {
      if try select(id, on: target) { return .iso7816(applicationID: id) }
    }
    if supportsPACE { return .iso7816(applicationID: []) }
    let historical = ISODEPParameters(target).historicalBytes
    // NXP, AN10833 and AN10834: DESFire and its like say 80, Plus C1 05.
    if target.typeA != nil, historical == [0x80] { return .miFare(.desfire) }
    if target.typeA != nil, historical.starts(with: [0xC1, 0x05]) { return .miFare(.plus) }
    guard isPhone, grants.isLimited || isNDEF else { return .iso7816(applicationID: []) }
    return refuse(
      target,
      isNDEF
        ? "It has no NDEF application."
        : """
        It has none of the applications that the app declares under \(AppGrants.Key.applicationIDs): \
        \(wanted.isEmpty ? "none is declared" : wanted.map { Hex.string($0).uppercased() }.joined(separator: ", ")).
        """)
  }

  private func select(_ id: [UInt8], on target: Target) throws(ReaderError) -> Bool {
    try answers(.select(id), on: target)
  }

  private func answers(_ command: CommandAPDU, on target: Target) throws(ReaderError) -> Bool {
    do throws(ReaderError) {
      return try reader.transmit(command, following: false).status == StatusWord(0x90, 0x00)
    } catch  where error.isOfTag {
      // A card may fall silent at what it does not know.
      try reader.reselect(target)
      return false
    }
  }

  // MARK: FeliCa

  /// The system code of NDEF (NFC Forum Type 3 Tag).
  static let ndefSystem: [UInt8] = [0x12, 0xFC]

  private func feliCa(_ tag: FeliCaActivation) throws(ReaderError) -> PhoneTag.Kind? {
    if tag.isPeer { return refuse(.feliCa(tag), "It is a telephone, or another peer.") }
    let wanted =
      isNDEF ? [Self.ndefSystem] : isPhone && grants.isLimited ? grants.systemCodes : []
    for code in wanted {
      if try serves(code) { return .feliCa(systemCode: code) }
    }
    if isPhone, grants.isLimited || isNDEF {
      return refuse(
        .feliCa(tag),
        isNDEF
          ? "It does not answer to system code 12FC, which is that of NDEF."
          : "It answers to none of the system codes that the app declares.")
    }
    let code = tag.systemCode ?? 0xFFFF
    return .feliCa(systemCode: [UInt8(code >> 8), UInt8(code & 0xFF)])
  }

  private func serves(_ code: [UInt8]) throws(ReaderError) -> Bool {
    let code = UInt16(code[0]) << 8 | UInt16(code[1])
    return try reader.serves(systemCode: code)
  }
}

extension CommandAPDU {
  /// SELECT by name, the first or only one (ISO/IEC 7816-4, 7.1.1).
  static func select(_ id: [UInt8]) -> CommandAPDU {
    CommandAPDU(0x00, 0xA4, 0x04, 0x00, data: id, expectedLength: 0x100)
  }

  /// SELECT of EF.CardAccess, in which an identity document says how it does PACE (ICAO Doc 9303,
  /// part 11, 9.2.11).
  static var selectCardAccess: CommandAPDU {
    CommandAPDU(0x00, 0xA4, 0x02, 0x0C, data: [0x01, 0x1C])
  }
}
