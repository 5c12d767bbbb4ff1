import Bytes

/// Finds in an address what an NTAG 424 DNA has put there.
extension SUNParts {
  /// Why an address has no proof in it.
  public enum AddressError: Error, Hashable, Sendable {
    /// The address is not one of the template.
    case otherAddress
    /// The address has parts that could be several things.
    case ambiguous
    /// The address has nothing that could be a code.
    case noCode
  }

  /// The parts of `address` by the template that it was written with. Names in braces that are no
  /// mirrors stand for any text.
  public init(_ address: String, template: String) throws(AddressError) {
    do throws(AddressError) {
      try self.init(address, template: template, usesLRP: false)
    } catch {
      // A tag in LRP mode shows UID and counter with 16 digits more.
      guard template.contains("{picc}") else { throw error }
      try self.init(address, template: template, usesLRP: true)
    }
  }

  private init(_ address: String, template: String, usesLRP: Bool) throws(AddressError) {
    self.init()
    var (codeInput, places) = (SDMTemplate.CodeInput.empty, [SDMMirror: Range<Int>]())
    let bytes = Array(address.utf8)
    var (at, isLoose) = (0, false)
    for piece in SDMTemplate.pieces(of: template) {
      switch piece {
      case .literal(let literal):
        for (index, part) in Self.split(literal).enumerated() {
          if index > 0 { isLoose = true }
          guard let found = Self.find(Array(part.utf8), in: bytes, from: at, isLoose: isLoose)
          else {
            throw .otherAddress
          }
          at = found.upperBound
          isLoose = part.isEmpty && isLoose
        }
      case .place(let mirror, let argument):
        guard !isLoose else { throw .ambiguous }
        let text = (argument ?? "").replacing(
          SDMTemplate.tamperPlace, with: SDMTemplate.standIn(for: .tt))
        let count =
          mirror == .enc
          ? (text.utf8.count + 15) / 16 * 32
          : SDMTemplate.standIn(for: mirror, usesLRP: usesLRP).utf8.count
        guard at + count <= bytes.count else { throw .otherAddress }
        if mirror == .enc, let place = argument?.ranges(of: SDMTemplate.tamperPlace).first {
          tamperInData = argument.map {
            $0.utf8.distance(from: $0.startIndex, to: place.lowerBound)
          }
        }
        places[mirror] = at..<at + count
        at += count
        if mirror == .mac, let argument {
          codeInput = SDMMirror(rawValue: argument).map { .mirror($0) } ?? .text(argument)
        }
      }
    }
    guard at == bytes.count || isLoose else { throw .otherAddress }
    try take(places, codeInput, bytes)
  }

  /// The parts of `address` by the lengths of its values: 32 digits are UID and counter, the last
  /// 16 the code, 14 the UID, 6 the counter, and what stands between has encrypted data. Where the
  /// text begins that the code is of, the code itself tells.
  public init(guessing address: String) throws(AddressError) {
    self = try Self.readings(of: address)[0]
  }

  /// Returns what the values of `address` can be by their lengths, the likeliest first: two of 32
  /// digits may have changed places, and one of 14 may be no UID. A proof tells which is right.
  package static func readings(of address: String) throws(AddressError) -> [SUNParts] {
    let bytes = Array(address.utf8)
    var places: [SDMMirror: Range<Int>] = [:]
    let start = bytes.firstIndex(of: UInt8(ascii: "?")) ?? 0
    var runs: [Range<Int>] = []
    var from = start
    for index in start...bytes.count {
      let isDigit =
        index < bytes.count && Character(UnicodeScalar(bytes[index])).isHexDigit
      guard !isDigit else { continue }
      if from < index { runs.append(from..<index) }
      from = index + 1
    }
    // Only values: what stands between separators.
    runs = runs.filter { run in
      run.lowerBound > 0 && "=/".utf8.contains(bytes[run.lowerBound - 1])
        && (run.upperBound == bytes.count || "&/#".utf8.contains(bytes[run.upperBound]))
    }
    guard let code = runs.last(where: { $0.count == 16 }) else { throw .noCode }
    places[.mac] = code
    let before = runs.filter { $0.upperBound <= code.lowerBound }
    func sole(_ count: Int) throws(AddressError) -> Range<Int>? {
      let found = before.filter { $0.count == count }
      guard found.count < 2 else { throw .ambiguous }
      return found.first
    }
    places[.uid] = try sole(14)
    places[.counter] = try sole(6)
    let long = before.filter { $0.count >= 32 && $0.count.isMultiple(of: 32) }
    // LRP.
    let longer = try sole(SDMSettings.piccByteCount(usesLRP: true))
    guard long.count < (longer == nil ? 3 : 2) else { throw .ambiguous }
    if let longer {
      places[.picc] = longer
      places[.enc] = long.first
    } else if places[.uid] == nil {
      places[.picc] = long.first
      places[.enc] = long.dropFirst().first
    } else {
      places[.enc] = long.first
    }
    guard places[.uid] != nil || places[.picc] != nil || places[.counter] != nil else {
      throw .ambiguous
    }
    var all = [places]
    if let picc = places[.picc], let enc = places[.enc] {
      if enc.count == 32 {
        all.append(places.merging([.picc: enc, .enc: picc]) { $1 })
      }
      all += all.map { $0.filter { $0.key != .enc } }
    } else if places[.picc] == nil, let picc = long.first, picc.count == 32 {
      if long.count > 1 {
        all.append([.mac: code, .picc: picc, .enc: long[1]])
        if long[1].count == 32 { all.append([.mac: code, .picc: long[1], .enc: picc]) }
      }
      all.append([.mac: code, .picc: picc])
    }
    let scheme = SDMTemplate.scheme(of: address)
    var readings: [SUNParts] = []
    for places in all {
      var parts = SUNParts()
      try parts.take(places, .empty, bytes)
      let end = (places[.enc] ?? code).lowerBound
      if scheme < end { parts.leading = Array(bytes[scheme..<end]) }
      readings.append(parts)
    }
    return readings
  }

  private mutating func take(
    _ places: [SDMMirror: Range<Int>], _ input: SDMTemplate.CodeInput, _ bytes: [UInt8]
  ) throws(AddressError) {
    func digits(_ mirror: SDMMirror) throws(AddressError) -> [UInt8]? {
      guard let range = places[mirror] else { return nil }
      guard let value = Self.bytes(bytes[range]) else { throw .otherAddress }
      return value
    }
    uid = try digits(.uid)
    counter = try digits(.counter).map(Self.number)
    picc = try digits(.picc)
    code = try digits(.mac)
    // The digits of encrypted data are twice as many as its bytes.
    encrypted = try digits(.enc)
    if let range = places[.tt] {
      tamper = TamperState(bytes[range])
      guard tamper != nil else { throw .otherAddress }
    }
    guard let end = places[.mac]?.lowerBound else { return }
    let start: Int? =
      switch input {
      case .empty: places[.enc]?.lowerBound ?? end
      case .mirror(let mirror): places[mirror]?.lowerBound
      // Offsets are a file's, and no template's.
      case .offset: nil
      case .text(let text):
        SDMTemplate.start(
          of: Array(text.utf8), in: bytes,
          from: SDMTemplate.scheme(of: String(decoding: bytes, as: UTF8.self)), to: end,
          outside: Array(places.values))
      }
    guard let start, start <= end else { throw .otherAddress }
    codeInput = Array(bytes[start..<end])
    if let range = places[.tt] {
      provesTamper = range.lowerBound >= start && range.upperBound <= end
    }
  }

  /// The texts around names in braces.
  static func split(_ literal: String) -> [String] {
    var (parts, rest) = ([String](), literal[...])
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      parts.append(String(rest[..<open]))
      rest = rest[rest.index(after: close)...]
    }
    return parts + [String(rest)]
  }

  private static func find(_ text: [UInt8], in bytes: [UInt8], from: Int, isLoose: Bool)
    -> Range<Int>?
  {
    let rest = bytes[from...]
    guard isLoose else { return rest.starts(with: text) ? from..<from + text.count : nil }
    guard !text.isEmpty else { return from..<from }
    return rest.ranges(of: text).first
  }
}
