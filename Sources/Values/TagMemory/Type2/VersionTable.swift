import Bytes

/// The answers to GET_VERSION that are known, a row each; `?` stands for any digit.
///
/// NTAG213/215/216, 10.1; NTAG213F/216F, 10.1; NTAG210/212, 10.1; MF0ULX1, 10.1; NT3H2111/NT3H2211,
/// 10.2; and answers of tags in the field where the sheets do not print them.
extension VersionAnswer {
  struct Row: Sendable {
    let pattern: String
    let product: Product

    func matches(_ bytes: [UInt8]) -> Bool {
      let digits = Hex.string(bytes).uppercased()
      return digits.utf8.count == pattern.utf8.count
        && zip(pattern.utf8, digits.utf8).allSatisfy { $0 == UInt8(ascii: "?") || $0 == $1 }
    }
  }

  static let table: [Row] = [
    Row(pattern: "0004030101000B03", product: .ultralightEV1x11),
    Row(pattern: "0004030201000B03", product: .ultralightEV1x11),
    Row(pattern: "0004030101000E03", product: .ultralightEV1x21),
    Row(pattern: "0004030201000E03", product: .ultralightEV1x21),
    // 75 pF.
    Row(pattern: "0004030301000B03", product: .ultralightEV1x11),
    Row(pattern: "0004030301000E03", product: .ultralightEV1x21),
    Row(pattern: "0004030?02000B03", product: .ultralightNano),
    Row(pattern: "0004030?03000B03", product: .ultralightNano),
    Row(pattern: "0004030?04000F03", product: .ultralightAES),
    Row(pattern: "0004040101000B03", product: .ntag210),
    Row(pattern: "0004040201000B03", product: .ntag210),
    Row(pattern: "0004040102000B03", product: .ntag210Micro),
    Row(pattern: "0004040202000B03", product: .ntag210Micro),
    Row(pattern: "0004040101000E03", product: .ntag212),
    Row(pattern: "0004040201000F03", product: .ntag213),
    Row(pattern: "0004040201001103", product: .ntag215),
    Row(pattern: "0004040201001303", product: .ntag216),
    Row(pattern: "0004040401000F03", product: .ntag213F),
    Row(pattern: "0004040401001103", product: .ntag215F),
    Row(pattern: "0004040401001303", product: .ntag216F),
    // As the NTAG213F/216F sheet prints them up to rev. 3.1.
    Row(pattern: "0004040101000F03", product: .ntag213F),
    Row(pattern: "0004040101001203", product: .ntag216F),
    Row(pattern: "0004040201010F03", product: .ntag213C),
    Row(pattern: "0004040203000F03", product: .ntag213TT),
    Row(pattern: "0004040204000F03", product: .ntag223),
    Row(pattern: "0004040205001003", product: .ntag224),
    // With StatusDetect.
    Row(pattern: "0004040804000F03", product: .ntag223),
    Row(pattern: "0004040805001003", product: .ntag224),
    Row(pattern: "0004040502001303", product: .firstNTAGI2C1K),
    Row(pattern: "0004040502001503", product: .firstNTAGI2C2K),
    Row(pattern: "0004040502011303", product: .ntagI2C1K),
    Row(pattern: "0004040502011503", product: .ntagI2C2K),
    Row(pattern: "0004040502021303", product: .ntagI2CPlus1K),
    Row(pattern: "0004040502021503", product: .ntagI2CPlus2K),
    Row(pattern: "0034210101000E03", product: .mikronUltralight),
    Row(pattern: "0053040201000F03", product: .feiju213),
    Row(pattern: "0005340201001103", product: .feiju215),
  ]

  /// Chips whose number is known and whose memory no public document gives: they are named, and as
  /// large as their capability container says.
  static let names: [String: String] = [
    // NT2H1311, NT2H1511 and NT2H1611 are NTAG213, 215 and 216.
    "0004040201011103": "NTAG NT2H1411",
    "0004030101001103": "MIFARE Ultralight EV1 MF0UL31",
    "0004030201001103": "MIFARE Ultralight EV1 MF0ULH31",
    "0004030101001303": "MIFARE Ultralight EV1 MF0UL51",
  ]

  /// The name of a chip that has one and no row in the table.
  var name: String? { Self.names[Hex.string(bytes).uppercased()] }
}
