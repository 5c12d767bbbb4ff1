import TagMemory

extension SDMTemplateError {
  /// What is wrong with an address that has places for proofs.
  package var sentence: String {
    switch self {
    case .twice(let mirror):
      "The address has {\(mirror.rawValue)} twice; a tag fills in one of each."
    case .argument(.enc):
      "The place {enc:TEXT} takes letters, digits, and - . _ ~ which must not stand at its end."
    case .argument(.mac): "The place {mac:…} takes the name of a place, or text of the address."
    case .argument(let mirror): "The place {\(mirror.rawValue)} takes no text."
    case .standInInText(let text):
      "The address holds the text \(text), which stands in for what a tag fills in."
    case .standInLost(let mirror):
      "The place {\(mirror.rawValue)} does not stand in the message as one piece: put it into the path, the query or the fragment."
    case .noCodeInput:
      "The part that {mac} covers must begin at a place or a text that stands before {mac} in the address."
    case .codeInputInScheme(let text):
      "The part that {mac} covers cannot begin at \(text): the tag keeps the beginning of the address, such as https://, as a number and not as text. Take a text that stands behind it."
    case .unverifiable:
      "Nobody could verify what the tag fills in: a place must not follow a field of the list directly. Put a text such as = or / between them."
    case .codeWithoutUID:
      "Nobody could verify the code: each tag has a key of its own, and the address does not tell which tag it is of. Add {picc} or {uid}."
    case .nothingMirrored: "The message has no place that a tag fills in, such as {picc} or {mac}."
    case .fault(let fault): fault.sentence
    }
  }
}

extension SDMError {
  var sentence: String {
    switch self {
    case .nothingMirrored: "The tag would fill in nothing."
    case .noSuchKey(let key): "An NTAG 424 DNA has keys 0 to 4, and no key \(key)."
    case .plainAndEncrypted:
      "UID and counter stand either as plain text, {uid} and {counter}, or encrypted, {picc}: not both."
    case .noPlace(let mirror): "The address has no {\(mirror.rawValue)}."
    case .encryptedAlone: "The place {enc:…} needs {picc}, or {uid} and {counter}, and {mac}."
    case .encryptedLength(let count):
      "Encrypted data takes a multiple of 32 digits; these would be \(count)."
    case .codeInputTooLate:
      "The part that {mac} covers must begin before {mac} and include all of {enc:…}."
    case .codeBeforeEncrypted: "The place {mac} must stand behind {enc:…}."
    case .limit(let limit):
      "A limit of readings is 1 to 16777214 and needs a counter; \(limit) is not possible here."
    case .tamperInRoom: "The place {tt} must stand within the text of {enc:…}."
    case .noCounter: "Who may ask for the counter can be set only for a message that has a counter."
    case .overlap(let one, let other):
      "The places {\(one.rawValue)} and {\(other.rawValue)} overlap."
    case .outsideFile(let mirror):
      "The place {\(mirror.rawValue)} ends behind the tag's file, which has 256 bytes."
    }
  }
}
