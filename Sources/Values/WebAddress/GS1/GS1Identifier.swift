/// One of GS1's application identifiers, and the form of its value (GS1 Barcode Syntax Dictionary).
struct GS1Identifier: Hashable, Sendable {
  /// A part of a value.
  enum Part: Hashable, Sendable {
    /// So many digits, or up to so many where the length is open.
    case digits(ClosedRange<Int>)
    /// Digits of which the last is the check digit of those before it.
    case checked(Int)
    /// Characters of the set 82 (GS1 General Specifications, 7.11).
    case text(ClosedRange<Int>)
    /// Characters of the set 39: digits, capital letters, `#`, `-` and `/`.
    case plain(ClosedRange<Int>)
    /// Two check characters end it (GS1 General Specifications, 7.9.5).
    case model(ClosedRange<Int>)
    /// A zero.
    case zero
  }

  let code: String
  /// The name in its titles.
  let name: String
  let parts: [Part]

  /// An identifier that an address begins with, and the orders in which others may follow it.
  struct Key: Hashable, Sendable {
    let identifier: GS1Identifier
    let qualifiers: [[GS1Identifier]]
  }

  init(_ code: String, _ name: String, _ parts: Part...) {
    (self.code, self.name, self.parts) = (code, name, parts)
  }

  private static let variant = GS1Identifier("22", "consumer product variant", .text(1...20))
  private static let batch = GS1Identifier("10", "batch", .text(1...20))
  private static let serial = GS1Identifier("21", "serial number", .text(1...20))
  private static let third = GS1Identifier("235", "third-party serial number", .text(1...28))
  private static let place = GS1Identifier("254", "extension of a place", .text(1...20))
  private static let importer = GS1Identifier(
    "7040", "index of an importer", .digits(1...1), .text(3...3))
  private static let reference = GS1Identifier("8020", "payment reference", .text(1...25))
  private static let component = GS1Identifier("8011", "serial number of a part", .digits(1...12))
  private static let service = GS1Identifier("8019", "service instance", .digits(1...10))

  /// Those that an address may begin with, by their codes.
  static let keys: [String: Key] = {
    let keys: [Key] = [
      Key(identifier: GS1Identifier("00", "SSCC", .checked(18)), qualifiers: []),
      Key(
        identifier: GS1Identifier("01", "GTIN", .checked(14)),
        qualifiers: [[variant, batch, serial], [third]]),
      Key(identifier: GS1Identifier("253", "GDTI", .checked(13), .text(0...17)), qualifiers: []),
      Key(identifier: GS1Identifier("255", "GCN", .checked(13), .digits(0...12)), qualifiers: []),
      Key(identifier: GS1Identifier("401", "GINC", .text(1...30)), qualifiers: []),
      Key(identifier: GS1Identifier("402", "GSIN", .checked(17)), qualifiers: []),
      Key(
        identifier: GS1Identifier("414", "GLN", .checked(13)), qualifiers: [[place], [importer]]),
      Key(identifier: GS1Identifier("415", "GLN", .checked(13)), qualifiers: [[reference]]),
      Key(identifier: GS1Identifier("417", "GLN", .checked(13)), qualifiers: [[importer]]),
      Key(
        identifier: GS1Identifier("8003", "GRAI", .zero, .checked(13), .text(0...16)),
        qualifiers: []),
      Key(identifier: GS1Identifier("8004", "GIAI", .text(1...30)), qualifiers: [[importer]]),
      Key(
        identifier: GS1Identifier("8006", "ITIP", .checked(14), .digits(4...4)),
        qualifiers: [[variant, batch, serial]]),
      Key(identifier: GS1Identifier("8010", "CPID", .plain(1...30)), qualifiers: [[component]]),
      Key(identifier: GS1Identifier("8013", "GMN", .model(3...25)), qualifiers: []),
      Key(identifier: GS1Identifier("8017", "GSRN", .checked(18)), qualifiers: [[service]]),
      Key(identifier: GS1Identifier("8018", "GSRN", .checked(18)), qualifiers: [[service]]),
    ]
    return Dictionary(uniqueKeysWithValues: keys.map { ($0.identifier.code, $0) })
  }()

  /// The codes that stand in the path and nowhere else.
  static let inPath = Set(
    keys.keys + keys.values.flatMap { $0.qualifiers.flatMap { $0.map(\.code) } })

  /// Fails, naming this identifier, unless `value` has its form.
  func check(_ value: String) throws(GS1Link.Fault) {
    func fault(_ reason: String) -> GS1Link.Fault {
      GS1Link.Fault(
        reason: "the \(name) (\(code)) is \(value.isEmpty ? "empty" : value): \(reason)")
    }
    var rest = value[...]
    for part in parts {
      let taken = rest.prefix(part.length.upperBound)
      rest = rest.dropFirst(taken.count)
      guard taken.count >= part.length.lowerBound else { throw fault("it needs \(form)") }
      if let lack = part.lack(in: taken) { throw fault(lack) }
    }
    guard rest.isEmpty else { throw fault("it needs \(form)") }
  }

  /// The form of a value in words.
  private var form: String { parts.map(\.words).joined(separator: ", then ") }
}

extension GS1Identifier.Part {
  /// How many characters it has.
  var length: ClosedRange<Int> {
    switch self {
    case .digits(let length), .text(let length), .plain(let length), .model(let length): length
    case .checked(let count): count...count
    case .zero: 1...1
    }
  }

  fileprivate var words: String {
    let (least, most) = (length.lowerBound, length.upperBound)
    let count = least == most ? "\(most)" : "\(least) to \(most)"
    return switch self {
    case .digits, .checked: "\(count) digits"
    case .text, .plain, .model: "\(count) characters"
    case .zero: "a zero"
    }
  }

  /// What is wrong with `text`, whose length is right; nil: nothing.
  fileprivate func lack(in text: Substring) -> String? {
    switch self {
    case .digits, .checked:
      guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
        return "it needs digits alone"
      }
      guard case .checked = self, let digit = try? CheckDigit.mod10.digits(of: text.dropLast()),
        digit != text.suffix(1)
      else { return nil }
      return "its last digit would be \(digit) if the others are right"
    case .text, .plain, .model:
      let allowed = if case .plain = self { Self.set39 } else { Self.set82 }
      if let other = text.first(where: { !allowed.contains($0) }) {
        return "GS1 has no \u{201C}\(other)\u{201D} in it"
      }
      guard case .model = self, let end = Self.modelCheck(text.dropLast(2)), end != text.suffix(2)
      else { return nil }
      return "its last two characters would be \(end) if the others are right"
    case .zero: return text == "0" ? nil : "it needs a 0 at its beginning"
    }
  }

  private static let set82 =
    "!\"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
  private static let set39 = "#-/0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
  /// The check characters of a model number, and the weights of the characters before them, the
  /// last one's first.
  private static let set32 = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
  private static let weights = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83,
  ]

  /// The two characters that end a Global Model Number; nil where it is too long.
  private static func modelCheck(_ text: Substring) -> String? {
    guard text.count <= weights.count else { return nil }
    let order = Array(set82)
    let sum = zip(text.reversed(), weights).reduce(0) {
      $0 + (order.firstIndex(of: $1.0) ?? 0) * $1.1
    }
    let check = sum % 1021
    return String([set32[check / 32], set32[check % 32]])
  }
}
