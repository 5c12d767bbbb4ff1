import Bytes
import JSON
import TagMemory

/// Proxmark3's JSON dumps: `FileType` `mfcard`, `mfc v2` or `mfc v3` (MIFARE Classic) or `mfu`
/// (Ultralight, NTAG), `blocks` by their numbers, keys once more in `SectorKeys`. JSON with
/// positions comes from `UniversalLinks`.
enum ProxmarkDump {
  static func parse(_ bytes: [UInt8]) throws(DumpError) -> TagDump {
    guard bytes.count <= DumpText.longest else { throw DumpError("longer than any tag's") }
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONDocument(parsing: bytes).root
    } catch {
      throw DumpError("no JSON: \(error)")
    }
    if root["FileType"]?.string == Type4Dump.fileType {
      var dump = try Type4Dump.parse(root)
      try takeActivation(from: root, &dump)
      return dump
    }
    guard let blocks = root["blocks"]?.object else {
      throw DumpError("JSON without the object \u{201C}blocks\u{201D} that Proxmark3 writes")
    }
    let type = root["FileType"]?.string ?? ""
    switch type {
    case "mfcard", "mfc v2", "mfc v3", "mfc": return try classic(blocks, root)
    case "mfu", "mfu v1", "mfu v2": return try type2(blocks, root)
    default:
      throw DumpError(
        line: root["FileType"]?.position.line,
        "\u{201C}FileType\u{201D} is \u{201C}\(type)\u{201D}; mfcard, mfc v2 and mfu are known")
    }
  }

  private static func classic(_ blocks: [JSONMember], _ root: JSONValue) throws(DumpError)
    -> TagDump
  {
    guard let geometry = Geometry.allCases.first(where: { $0.blocks.count == blocks.count }) else {
      throw DumpError("\(blocks.count) blocks, but no MIFARE Classic has that number")
    }
    var bytes = try rows(blocks, size: Block.byteCount)
    for member in root["SectorKeys"]?.object ?? [] {
      guard let number = Int(member.name), let sector = Sector(number), geometry.contains(sector)
      else {
        throw DumpError(line: member.namePosition.line, "no sector of the tag is named here")
      }
      let start = Int(sector.trailer.index) * Block.byteCount
      for (name, offset) in [("KeyA", 0), ("KeyB", 10)] {
        guard let value = member.value[name], let text = value.string else { continue }
        let key = try DumpText.bytes(text, count: 6, unknown: "?", line: value.position.line)
        bytes.replaceSubrange(start + offset..<start + offset + 6, with: key)
      }
    }
    var dump = try TagDump(classic: geometry, bytes: bytes, uid: try uid(root))
    try takeActivation(from: root, &dump)
    return dump
  }

  private static func type2(_ blocks: [JSONMember], _ root: JSONValue) throws(DumpError) -> TagDump
  {
    let version = try card(root, "Version", count: 8)
    let isOfI2C = FlipperPages(version: version)?.pageCount == blocks.count
    guard 4...Page.perSector ~= blocks.count || isOfI2C else {
      throw DumpError("\(blocks.count) pages, but no tag of this kind has that number")
    }
    var dump = try TagDump(
      type2: try rows(blocks, size: Page.byteCount), uid: try uid(root))
    try takeActivation(from: root, &dump)
    dump.version = version
    dump.signature = try card(root, "Signature", count: 32)
    for number in 0..<3 {
      guard let bytes = try card(root, "Counter\(number)", count: 3) else { continue }
      dump.counters[number] = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
    }
    return dump
  }

  private static func rows(_ blocks: [JSONMember], size: Int) throws(DumpError) -> [UInt8?] {
    var rows = [[UInt8?]?](repeating: nil, count: blocks.count)
    for member in blocks {
      let line = member.namePosition.line
      guard let number = Int(member.name), rows.indices.contains(number), rows[number] == nil,
        let text = member.value.string
      else {
        throw DumpError(
          line: line,
          "\u{201C}\(member.name)\u{201D} is no block from 0 to \(rows.count - 1), or not a text, or there twice"
        )
      }
      rows[number] = try DumpText.bytes(
        text, count: size, unknown: "?", line: member.value.position.line)
    }
    return rows.flatMap { $0 ?? [] }
  }

  private static func card(_ root: JSONValue, _ name: String, count: Int) throws(DumpError)
    -> [UInt8]?
  {
    guard let value = root["Card"]?[name], let text = value.string, text.count == count * 2 else {
      return nil
    }
    return try DumpText.known(text, count: count, line: value.position.line)
  }

  private static func uid(_ root: JSONValue) throws(DumpError) -> UID? {
    for count in [4, 7, 10] {
      if let bytes = try card(root, "UID", count: count), bytes.count == count { return UID(bytes) }
    }
    return nil
  }

  /// ATQA stands there as it comes over the air, low byte first.
  private static func takeActivation(from root: JSONValue, _ dump: inout TagDump) throws(DumpError)
  {
    if let atqa = try card(root, "ATQA", count: 2), atqa.count == 2 {
      dump.atqa = UInt16(atqa[1]) << 8 | UInt16(atqa[0])
    }
    dump.sak = try card(root, "SAK", count: 1)?.first
  }

  // MARK: Writing

  /// Bytes that are not known become zeros, as Proxmark3 writes them.
  static func text(_ dump: TagDump) throws(DumpError) -> String {
    let rows = dump.image.rows.map { hex($0) }
    var members = ["\"Created\": \"proxmark3\""]
    switch dump.image.layout {
    case .classic(let geometry):
      members += [
        "\"FileType\": \"mfc v2\"", object("Card", activation(dump)), blocks(rows),
        object("SectorKeys", geometry.sectors.map { sectorKeys($0, dump.image.rows) }, depth: 1),
      ]
    case .type2:
      members += [
        "\"FileType\": \"mfu\"", object("Card", activation(dump) + chip(dump)), blocks(rows),
      ]
    case .type4:
      let files = Type4Dump.members(dump.image).map { pair($0.name, hex($0.bytes.map { $0 })) }
      members = [
        "\"Created\": \"nfcprog\"", "\"FileType\": \"\(Type4Dump.fileType)\"",
        object("Card", activation(dump)),
      ]
      if dump.image.isMirrored { members.append("\"Mirrored\": true") }
      members.append(object("files", files))
    case .feliCaLite:
      throw DumpError("Proxmark3 has no JSON for FeliCa tags; use .nfc (Flipper Zero) or .bin")
    }
    return "{\n  " + members.joined(separator: ",\n  ") + "\n}\n"
  }

  private static func activation(_ dump: TagDump) -> [String] {
    var members = [pair("UID", hex(dump.image.uid.bytes.map { $0 }))]
    if let atqa = dump.atqa {
      members.append(pair("ATQA", hex([UInt8(atqa & 0xFF), UInt8(atqa >> 8)])))
    }
    if let sak = dump.sak { members.append(pair("SAK", hex([sak]))) }
    return members
  }

  private static func chip(_ dump: TagDump) -> [String] {
    func bytes(_ known: [UInt8]?, _ count: Int) -> String {
      hex((known ?? [UInt8](repeating: 0, count: count)).map { $0 })
    }
    var members = [
      pair("Version", bytes(dump.version, 8)), pair("TBO_0", "0000"), pair("TBO_1", "00"),
      pair("Signature", bytes(dump.signature, 32)),
    ]
    for number in 0..<3 {
      let value = dump.counters[number] ?? 0
      let low = (0..<3).map { UInt8(value >> (8 * $0) & 0xFF) }
      // BD: the counter was never torn (MF0ULX1, 10.10).
      members += [pair("Counter\(number)", bytes(low, 3)), pair("Tearing\(number)", "BD")]
    }
    return members
  }

  private static func blocks(_ rows: [String]) -> String {
    object("blocks", rows.enumerated().map { pair("\($0)", $1) })
  }

  private static func sectorKeys(_ sector: Sector, _ rows: [[UInt8?]]) -> String {
    let trailer = rows[Int(sector.trailer.index)]
    return object(
      "\(sector.index)",
      [
        pair("KeyA", hex(Array(trailer[..<6]))), pair("KeyB", hex(Array(trailer[10...]))),
        pair("AccessConditions", hex(Array(trailer[6..<10]))),
      ], depth: 2)
  }

  private static func object(_ name: String, _ members: [String], depth: Int = 1) -> String {
    let margin = String(repeating: "  ", count: depth + 1)
    let end = String(repeating: "  ", count: depth)
    return "\"\(name)\": {\n\(margin)" + members.joined(separator: ",\n\(margin)") + "\n\(end)}"
  }

  private static func pair(_ name: String, _ value: String) -> String {
    "\"\(name)\": \"\(value)\""
  }

  private static func hex(_ bytes: [UInt8?]) -> String {
    DumpText.string(bytes.map { $0 ?? 0 }, separator: "")
  }
}

extension JSONValue {
  /// The member `name` of an object; nil without one.
  fileprivate subscript(name: String) -> JSONValue? { object?.first { $0.name == name }?.value }
}
