import PN532Simulator

/// Why a simulated board or a virtual tag cannot be made.
extension ErrorTexts {
  private static let board: KeyValuePairs<String, SimulatorError> = [
    "pseudoTerminal": .pseudoTerminal(call: "posix_openpt", errno: 13),
    "link": .link(path: "/tmp/board", errno: 13),
  ]

  private static let file = "my.tag"
  private static let uid: [UInt8] = [4, 1, 2, 3, 4, 5, 6]
  private static let otherUID: [UInt8] = [4, 1, 2, 3, 4, 5, 7]

  private static let tag: KeyValuePairs<String, VirtualTagError> = [
    "unknownProduct": .unknownProduct("ntag999"),
    "wrongUIDSize": .wrongUIDSize(product: "ntag213", count: 4, sizes: [7]),
    "mixedArrangement": .mixedArrangement("ntag213+ntag215*5"),
    "badCount": .badCount("ntag213*x"),
    "notAnOption": .notAnOption("bad"),
    "unknownOption": .unknownOption("colour", known: ["uid", "file"]),
    "repeatedOption": .repeatedOption("uid"),
    "badValue": .badValue(key: "content", value: "full", wanted: "factory or blank"),
    "uidNotHex": .uidNotHex("xy", reason: "“x” is not a hexadecimal digit"),
    "optionNeeds": .optionNeeds("save", "a series of tags, such as ntag213*500"),
    "uidCount": .uidCount(uids: 1, tags: 2),
    "sameUIDTwice": .sameUIDTwice,
    "damagedFile": .damagedFile(line: 3, "it has no colon after the name"),
    "damagedFile": .damagedFile(line: nil, "the UID is missing"),
    "uidDisagrees": .uidDisagrees(product: "ntag213", uid: uid),
    "unusableFile": .unusableFile(path: file, reason: "Line 3: it has no colon after the name."),
    "otherProduct": .otherProduct(path: file, found: "ntag213", wanted: "ntag215"),
    "otherUID": .otherUID(path: file, found: uid, wanted: otherUID),
    "cannotRead": .cannotRead(path: file, reason: "permission is denied"),
    "cannotWrite": .cannotWrite(path: file, reason: "no space is left"),
  ]

  static let simulator: [ErrorTexts] = [
    ErrorTexts("SimulatorError", "PN532Simulator/SimulatorError.swift", board),
    ErrorTexts("VirtualTagError", "PN532Simulator/Tags/VirtualTagError.swift", tag),
  ]
}
