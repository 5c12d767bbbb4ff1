import WebAddress

/// Why a text is not an address.
extension ErrorTexts {
  private static let address: KeyValuePairs<String, AddressError> = [
    "empty": .empty,
    "noScheme": .noScheme,
    "nothingFollows": .nothingFollows(scheme: "https"),
    "controlCharacter": .controlCharacter("\u{7}"),
    "notUTF8": .notUTF8,
    "spaceAround": .spaceAround,
    "escape": .escape("%2"),
    "noSlashes": .noSlashes(scheme: "https"),
    "noHost": .noHost(scheme: "https"),
    "host": .host(.emptyLabel),
    "portCharacter": .portCharacter("x"),
    "portNumber": .portNumber("70000"),
    "schemeTwice": .schemeTwice("https", "http"),
    "portMissing": .portMissing,
    "userMissing": .userMissing,
    "telephoneNumber": .telephoneNumber("abc"),
    "mailbox": .mailbox("a@"),
  ]

  private static let host: KeyValuePairs<String, AddressError.HostFault> = [
    "character": .character("_"),
    "emptyLabel": .emptyLabel,
    "hyphen": .hyphen("-a"),
    "labelTooLong": .labelTooLong("aaaa"),
    "tooLong": .tooLong,
    "notIPv4": .notIPv4("1.2.3"),
    "notIPv6": .notIPv6("[::"),
  ]

  static let addresses: [ErrorTexts] = [
    ErrorTexts("AddressError", "WebAddress/AddressError.swift", address),
    ErrorTexts("HostFault", "WebAddress/AddressError.swift", in: "AddressError.HostFault", host),
  ]
}
