import Bytes

/// A virtual tag as readable text: what it is and every byte it holds, keys and passwords included.
///
///     nfcprog virtual tag, version 1
///     Product: ntag213
///     UID: 04 11 22 33 44 55 66
///     Counter 2: 0
///     Failed authentications: 0
///     Page 0: 04 11 22 BF    # from # on a comment
///     …
///
/// The product and the UID come before the rows; every row of the product is there once. Comments
/// and the order of the lines outlive a change of the content.
package struct TagFile: Hashable, Sendable {
  /// As `sim:` spells it.
  package let product: String
  package private(set) var uid: [UInt8]
  private(set) var registers: [String: Int] = [:]
  private(set) var rows: [Int: [UInt8]] = [:]
  private var lines: [Line] = []
  private let rowLabel: String

  /// A line of the file: what it is about, and the comment that ends it.
  struct Line: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
      case nothing, product, uid
      case register(String)
      case row(Int)
    }
    let subject: Subject
    let comment: String
  }

  static let firstLine = "nfcprog virtual tag, version 1"
  /// Larger files are not read: the largest tag takes 20 kB.
  static let longestText = 1_000_000

  /// What `tag` is and holds now.
  package init(_ tag: any StoredTag) {
    product = tag.product
    uid = tag.storedUID
    rowLabel = tag.rows.label
    update(from: tag)
  }

  init(
    product: String, uid: [UInt8], registers: [String: Int], rows: [Int: [UInt8]], lines: [Line],
    rowLabel: String
  ) {
    (self.product, self.uid, self.registers) = (product, uid, registers)
    (self.rows, self.lines, self.rowLabel) = (rows, lines, rowLabel)
  }

  /// Takes over what `tag` holds now; comments and the order of lines stay.
  package mutating func update(from tag: any StoredTag) {
    precondition(tag.product == product, "a tag of another product")
    uid = tag.storedUID
    var subjects: [Line.Subject] = [.product, .uid]
    for register in tag.storedRegisters {
      registers[register.name] = register.value
      if register.value == register.usual { continue }
      subjects.append(.register(register.name))
    }
    let layout = tag.rows
    for (index, number) in layout.numbers.enumerated() {
      rows[number] = Array(tag.eeprom.bytes[index * layout.size..<(index + 1) * layout.size])
      subjects.append(.row(number))
    }
    let present = Set(lines.map(\.subject))
    lines += subjects.filter { !present.contains($0) }.map { Line(subject: $0, comment: "") }
  }

  /// A new tag with this content. Throws when the memory bears another UID than the file's.
  package func makeTag() throws(VirtualTagError) -> any StoredTag {
    let tag = try TagCatalog.tag(product, uid: uid)
    // Some registers say how large the memory is.
    for (name, value) in registers { tag.store(value, in: name) }
    let image = tag.rows.numbers.flatMap { rows[$0] ?? [] }
    guard tag.bearsUID(image) else { throw .uidDisagrees(product: product, uid: uid) }
    tag.eeprom.load(image)
    return tag
  }

  /// The file's text.
  package func serialize() -> String {
    ([Self.firstLine] + lines.map(text)).joined(separator: "\n") + "\n"
  }

  private func text(of line: Line) -> String {
    let statement =
      switch line.subject {
      case .nothing: ""
      case .product: "Product: \(product)"
      case .uid: "UID: \(hex(uid))"
      case .register(let name): "\(name): \(registers[name] ?? 0)"
      case .row(let number): "\(rowLabel) \(number): \(hex(rows[number] ?? []))"
      }
    return statement + line.comment
  }

  private func hex(_ bytes: [UInt8]) -> String {
    Hex.string(bytes, separator: " ").uppercased()
  }
}
