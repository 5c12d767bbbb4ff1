/// An address with places for what an NTAG 424 DNA puts in as it is read, as text:
///
///     {uid}         the UID, 14 digits
///     {counter}     how often the tag was read, 6 digits
///     {picc}        both encrypted, 32 digits; 48 on a tag in LRP mode
///     {tt}          the state of a TagTamper's loop, two letters; {enc:…{tt}…} encrypts it
///     {enc:TEXT}    TEXT encrypted: filled up with ~ to whole blocks of 16, 32 digits each
///     {mac}         the code that proves the rest, 16 digits; {mac:NAME} takes in all from
///                   {NAME} on, {mac:TEXT} from TEXT on
///
/// In a message each place is filled with a stand-in that is no hexadecimal number, so that nobody
/// takes it for a proof, and that tells by itself where the mirror belongs: jobs, journals and
/// files hold messages, and need nothing beside them.
public enum SDMTemplate {
  /// Where the code's input begins. It ends where the code stands.
  public enum CodeInput: Hashable, Sendable {
    /// At the code: nothing else of the address enters.
    case empty
    /// At a mirror.
    case mirror(SDMMirror)
    /// Where this text first stands in the address as the tag has it: behind what a record
    /// abbreviates of its scheme, and outside of what a tag fills in.
    case text(String)
    /// At this byte of the file, as a tag has it.
    case offset(Int)
  }

  /// The stand-ins; of encrypted file data one for each block.
  package static let standIns: [SDMMirror: String] = [
    .uid: "uidgoeshere-14", .counter: "nfcCTR", .picc: "piccdatagoeshere-32-characters--",
    .enc: "encrypteddata16-", .mac: "macgoeshere--16-", .tt: "~_",
  ]
  /// That of UID and counter for a tag in LRP mode.
  static let standInForLRP = "piccdatagoeshere-48-characters-on-tags-using-LRP"
  /// What stands in for `mirror`.
  package static func standIn(for mirror: SDMMirror, usesLRP: Bool = false) -> String {
    mirror == .picc && usesLRP ? standInForLRP : standIns[mirror] ?? ""
  }
  /// All of them, with what each is for.
  static var allStandIns: [(mirror: SDMMirror, text: String, usesLRP: Bool)] {
    SDMMirror.allCases.map { ($0, standIn(for: $0), false) } + [(.picc, standInForLRP, true)]
  }
  /// What fills text up that is to be encrypted.
  package static let filler: Character = "~"

  /// Returns true if `text` has any place of these mirrors.
  public static func isPresent(in text: String) -> Bool {
    pieces(of: text).contains { if case .place = $0 { true } else { false } }
  }

  /// `text` with a stand-in in each place, for a tag in LRP mode or not, and where the code's input
  /// begins. Other names in braces stay as they are.
  public static func expand(
    _ text: String, usesLRP: Bool = false
  ) throws(SDMTemplateError) -> (text: String, codeInput: CodeInput) {
    var (result, codeInput, seen) = ("", CodeInput.empty, Set<SDMMirror>())
    // Texts that stand in the address for sure, those of fields and places left out.
    var literals: [String] = []
    for piece in pieces(of: text) {
      guard case .place(let mirror, let argument) = piece else {
        if case .literal(let literal) = piece {
          result += literal
          literals += fixedParts(of: literal)
        }
        continue
      }
      guard seen.insert(mirror).inserted else { throw .twice(mirror) }
      if mirror == .enc, let inner = argument, inner.contains(Self.tamperPlace) {
        guard seen.insert(.tt).inserted, inner.ranges(of: Self.tamperPlace).count == 1 else {
          throw .twice(.tt)
        }
      }
      result += try filled(mirror, argument, usesLRP: usesLRP)
      guard mirror == .mac, let argument else { continue }
      if let start = SDMMirror(rawValue: argument) {
        guard start != .mac, seen.contains(start) else { throw .noCodeInput }
        codeInput = .mirror(start)
      } else {
        let isInScheme = literals.first?.contains(argument) ?? false
        if let first = literals.first { literals[0] = String(first.dropFirst(scheme(of: first))) }
        guard literals.contains(where: { $0.contains(argument) }) else {
          throw isInScheme ? .codeInputInScheme(argument) : .noCodeInput
        }
        codeInput = .text(argument)
      }
    }
    for (mirror, standIn, isForLRP) in allStandIns
    where !seen.contains(mirror) || (mirror == .picc && isForLRP != usesLRP) {
      guard !result.contains(standIn) else { throw .standInInText(standIn) }
    }
    try requireVerifiable(text, result)
    return (result, codeInput)
  }

  /// What is written must be found again in what a tag shows, by this very template.
  private static func requireVerifiable(_ template: String, _ text: String)
    throws(SDMTemplateError)
  {
    guard isPresent(in: template) else { return }
    var shown = text
    for (mirror, standIn, _) in allStandIns {
      let sample = mirror == .tt ? "CC" : String(repeating: "0", count: standIn.utf8.count)
      shown = shown.replacing(standIn, with: sample)
    }
    // Encrypted, the text itself is not seen.
    for case .place(.enc, let inner?) in pieces(of: template) {
      let plain = inner.replacing(tamperPlace, with: "CC")
      let filled = plain + String(repeating: filler, count: (16 - plain.count % 16) % 16)
      shown = shown.replacing(
        filled, with: String(repeating: "0", count: filled.count), maxReplacements: 1)
    }
    guard (try? SUNParts(shown, template: template)) != nil else { throw .unverifiable }
  }

  /// A code over a counter, or over nothing, is one of many tags: where each tag has a key of its
  /// own nobody could tell with which to check it.
  package static func requireUID(in text: String, for keys: KeyRing) throws(SDMTemplateError) {
    let mirrors = pieces(of: text).compactMap { piece -> SDMMirror? in
      if case .place(let mirror, _) = piece { mirror } else { nil }
    }
    guard mirrors.contains(.mac), !keys.isShared(keys.fileRead) else { return }
    guard mirrors.contains(.uid) || mirrors.contains(.picc) else { throw .codeWithoutUID }
  }

  /// Texts between the fields of a list, which are names in braces.
  private static func fixedParts(of literal: String) -> [String] {
    SUNParts.split(literal)
  }

  /// How many characters of an address no tag has as text: what a URI record abbreviates (NFC Forum
  /// URI RTD 1.0, 3.2.2), as far as it stands before a host.
  package static func scheme(of text: String) -> Int {
    schemes.first(where: text.hasPrefix)?.count ?? 0
  }

  private static let schemes = [
    "https://www.", "http://www.", "https://", "http://", "ftp://anonymous:anonymous@",
    "ftp://ftp.", "ftps://", "sftp://", "smb://", "nfs://", "ftp://", "dav://", "telnet://",
    "rtsp://", "file://",
  ]

  /// Where `text` first stands in `address` from `start` on and before `end`, outside of `places`;
  /// nil where it does not. One rule for who writes and who checks.
  static func start(
    of text: [UInt8], in address: [UInt8], from start: Int, to end: Int,
    outside places: [Range<Int>]
  ) -> Int? {
    guard !text.isEmpty, start <= end, end <= address.count else { return nil }
    return address[start..<end].ranges(of: text).first { range in
      !places.contains { $0.overlaps(range) }
    }?.lowerBound
  }

  static let tamperPlace = "{tt}"

  private static func filled(
    _ mirror: SDMMirror, _ argument: String?, usesLRP: Bool
  ) throws(SDMTemplateError) -> String {
    let standIn = standIn(for: mirror, usesLRP: usesLRP)
    switch (mirror, argument) {
    case (.mac, ""): throw .argument(mirror)
    case (.mac, _): return standIn
    case (.enc, let given?):
      let text = given.replacing(tamperPlace, with: Self.standIn(for: .tt))
      guard !text.isEmpty, text.last != filler, text.allSatisfy(isUnreserved) else {
        throw .argument(mirror)
      }
      let blocks = (text.count + 15) / 16
      return text + String(repeating: filler, count: blocks * 16 - text.count)
        + String(repeating: standIn, count: blocks)
    case (.enc, nil), (_, _?): throw .argument(mirror)
    case (_, nil): return standIn
    }
  }

  /// RFC 3986, 2.3.
  private static func isUnreserved(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
  }

  enum Piece: Hashable {
    case literal(String)
    case place(SDMMirror, String?)
  }

  static func pieces(of text: String) -> [Piece] {
    var (pieces, rest, literal) = ([Piece](), text[...], "")
    while let open = rest.firstIndex(of: "{") {
      guard var close = rest[open...].firstIndex(of: "}") else { break }
      // What is encrypted may have a place of its own inside.
      if rest[open...].hasPrefix("{enc:"), rest[..<rest.index(after: close)].hasSuffix(tamperPlace),
        let next = rest[rest.index(after: close)...].firstIndex(of: "}")
      {
        close = next
      }
      literal += rest[..<open]
      let inside = rest[rest.index(after: open)..<close]
      let colon = inside.firstIndex(of: ":")
      let name = inside[..<(colon ?? inside.endIndex)]
      rest = rest[rest.index(after: close)...]
      guard let mirror = SDMMirror(rawValue: String(name)) else {
        literal += "{" + inside + "}"
        continue
      }
      if !literal.isEmpty { pieces.append(.literal(literal)) }
      literal = ""
      pieces.append(.place(mirror, colon.map { String(inside[inside.index(after: $0)...]) }))
    }
    literal += rest
    if !literal.isEmpty { pieces.append(.literal(literal)) }
    return pieces
  }
}

/// The error says what is wrong with an address that has places for mirrors.
public enum SDMTemplateError: Error, Hashable, Sendable {
  /// One place stands twice; a tag has one of each.
  case twice(SDMMirror)
  /// What follows the name is missing, of the wrong kind, or does not belong there.
  case argument(SDMMirror)
  /// The address itself has the text that stands in for a mirror.
  case standInInText(String)
  /// The message has no such stand-in once, whole, where the template has the place.
  case standInLost(SDMMirror)
  /// The code's input would begin at a place or a text that the message does not have before the
  /// code.
  case noCodeInput
  /// The code's input would begin within the scheme, which no tag has as text.
  case codeInputInScheme(String)
  /// What the tag shows could not be taken apart again by this template.
  case unverifiable
  /// A code that no UID goes with, where each tag has a key of its own.
  case codeWithoutUID
  /// No place at all.
  case nothingMirrored
  /// A rule of the tag's.
  case fault(SDMError)
}

extension SDMSettings {
  /// Where the stand-ins in `message` are, as the settings of the file that holds it behind its
  /// length. Nil where it has none. Every rule of the tag is checked for a file of `fileByteCount`
  /// bytes.
  package init?(
    message: [UInt8], codeInput: SDMTemplate.CodeInput, keys: KeyRing, fileByteCount: Int = 256
  ) throws(SDMTemplateError) {
    var places: [SDMMirror: Range<Int>] = [:]
    var usesLRP = false
    for (mirror, standIn, isForLRP) in SDMTemplate.allStandIns {
      let standIn = Array(standIn.utf8)
      let found = message.ranges(of: standIn).map { $0.lowerBound + 2..<$0.upperBound + 2 }
      guard let first = found.first, let last = found.last else { continue }
      let count = found.count
      guard last.upperBound - first.lowerBound == count * standIn.count,
        count == 1 || mirror == .enc, first.lowerBound >= (mirror == .enc ? 16 * count : 0)
      else { throw .standInLost(mirror) }
      guard places[mirror] == nil else { throw .standInLost(mirror) }
      if isForLRP { usesLRP = true }
      let start = mirror == .enc ? first.lowerBound - 16 * count : first.lowerBound
      places[mirror] = start..<last.upperBound
    }
    guard !places.isEmpty else { return nil }
    if places[.mac] != nil, places[.uid] == nil, places[.picc] == nil {
      guard keys.isShared(keys.fileRead) else { throw .codeWithoutUID }
    }
    let isPlain = places[.uid] != nil || places[.counter] != nil
    let isEncrypted = places[.picc] != nil
    guard !isPlain || !isEncrypted else { throw .fault(.plainAndEncrypted) }
    self.init(
      metaRead: isEncrypted ? keys.metaRead : isPlain ? Self.everyone : Self.nobody,
      fileRead: places[.mac] != nil ? keys.fileRead : Self.nobody,
      // Key 0 may ask for the counter, where there is one (NT4H2421Tx, table 71).
      counterRetrieval: isEncrypted || places[.counter] != nil ? 0 : Self.nobody)
    mirrorsUID = isEncrypted || places[.uid] != nil
    mirrorsCounter = isEncrypted || places[.counter] != nil
    self.usesLRP = usesLRP
    tamper = places[.tt]?.lowerBound
    uid = places[.uid]?.lowerBound
    counter = places[.counter]?.lowerBound
    picc = places[.picc]?.lowerBound
    encrypted = places[.enc]
    if let mac = places[.mac]?.lowerBound {
      code = mac
      self.codeInput = try Self.start(codeInput, places, mac, message)
    }
    do throws(SDMError) {
      try check(fileByteCount: fileByteCount)
    } catch {
      throw .fault(error)
    }
  }

  private static func start(
    _ input: SDMTemplate.CodeInput, _ places: [SDMMirror: Range<Int>], _ mac: Int,
    _ message: [UInt8]
  ) throws(SDMTemplateError) -> Int {
    switch input {
    // The tag wants encrypted data within what it proves.
    case .empty: return places[.enc]?.lowerBound ?? mac
    case .mirror(let mirror):
      guard let start = places[mirror]?.lowerBound, start <= mac else { throw .noCodeInput }
      return start
    case .offset(let offset):
      guard (2...mac).contains(offset) else { throw .noCodeInput }
      return offset
    case .text(let text):
      let length = lengthByteCount
      let filled = places.values.map { $0.lowerBound - length..<$0.upperBound - length }
      guard let address = StoredAddress(around: mac - length, in: message),
        let found = SDMTemplate.start(
          of: Array(text.utf8), in: message, from: address.start, to: mac - length,
          outside: filled)
      else { throw .noCodeInput }
      return found + length
    }
  }
}

extension SDMSettings {
  /// Where the code's input begins, for a message that is written with the same settings.
  package var templateInput: SDMTemplate.CodeInput {
    guard let codeInput, codeInput != code else { return .empty }
    return .offset(codeInput)
  }

  /// The message behind `read`, with stand-ins in its places again; nil where encrypted data hides
  /// a part of it, or a place ends behind it.
  package func stored(_ read: [UInt8]) -> [UInt8]? {
    guard encrypted == nil else { return nil }
    var message = read
    let length = Self.lengthByteCount
    for (mirror, range) in mirrors {
      guard range.lowerBound >= length, range.upperBound - length <= message.count else {
        return nil
      }
      let standIn = SDMTemplate.standIn(for: mirror, usesLRP: usesLRP)
      message.replaceSubrange(
        range.lowerBound - length..<range.upperBound - length, with: standIn.utf8)
    }
    return message
  }

  /// Returns whether a tag in LRP mode has filled `file` in: then 48 digits stand where UID and
  /// counter are encrypted, and nothing else of these settings.
  package func looksLikeLRP(in file: [UInt8]) -> Bool {
    guard let picc else { return false }
    let place = picc..<picc + Self.piccByteCount(usesLRP: true)
    let others = [tamper, codeInput, encrypted?.lowerBound, code].compactMap(\.self)
    guard place.upperBound <= file.count,
      !others.contains(where: { $0 > picc && $0 < place.upperBound })
    else { return false }
    return file[place].allSatisfy { "0123456789ABCDEF".utf8.contains($0) }
  }
}
