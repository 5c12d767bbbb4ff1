import Bytes

extension TagFile {
  /// Reads a file's bytes. Throws for the first line that cannot be understood, with its number,
  /// and for what is missing at the end.
  package init(parsing bytes: [UInt8]) throws(VirtualTagError) {
    guard bytes.count <= Self.longestText else {
      throw .damagedFile(line: nil, "it is longer than any tag's")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .damagedFile(line: nil, "it is not text")
    }
    var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    guard lines.removeFirst() == Self.firstLine else {
      throw .damagedFile(line: 1, "it is not \u{201C}\(Self.firstLine)\u{201D}")
    }
    if lines.last == "" { lines.removeLast() }
    var reader = TagFileReader()
    for (index, line) in lines.enumerated() {
      do throws(TagFileReader.Complaint) {
        try reader.read(line)
      } catch {
        throw .damagedFile(line: index + 2, error.text)
      }
    }
    do throws(TagFileReader.Complaint) {
      self = try reader.finish()
    } catch {
      throw .damagedFile(line: nil, error.text)
    }
  }
}

/// Reads a tag file line by line.
struct TagFileReader {
  /// What is wrong with a line, as the end of a sentence.
  struct Complaint: Error {
    let text: String

    init(text: String) { self.text = text }
    init(_ error: VirtualTagError) { text = String(error.description.dropLast()) }
  }

  private var lines: [TagFile.Line] = []
  private var product: String?
  /// A new tag of the file's product and UID: knows the rows and the registers.
  private var model: (any StoredTag)?
  private var rows: [Int: [UInt8]] = [:]
  private var seen: Set<TagFile.Line.Subject> = []

  mutating func read(_ line: Substring) throws(Complaint) {
    let statement = line.prefix { $0 != "#" }
    let end = statement.lastIndex { $0 != " " && $0 != "\t" }.map(line.index(after:))
    guard let end else {
      lines.append(TagFile.Line(subject: .nothing, comment: String(line)))
      return
    }
    guard let colon = statement.firstIndex(of: ":") else {
      throw Complaint(text: "it has no colon after the name")
    }
    let value = line[line.index(after: colon)..<end].drop { $0 == " " }
    let subject = try read(name: String(line[..<colon]), value: String(value))
    guard seen.insert(subject).inserted else {
      throw Complaint(text: "\u{201C}\(line[..<colon])\u{201D} appears twice")
    }
    lines.append(TagFile.Line(subject: subject, comment: String(line[end...])))
  }

  private mutating func read(
    name: String, value: String
  ) throws(Complaint) -> TagFile.Line.Subject {
    if name == "Product" {
      guard product == nil else { return .product }
      guard TagCatalog.names.contains(value) else {
        throw Complaint(.unknownProduct(value))
      }
      product = value
      return .product
    }
    guard let product else { throw Complaint(text: "the product comes first") }
    if name == "UID" {
      guard model == nil else { return .uid }
      let uid = try hex(value)
      do throws(VirtualTagError) {
        model = try TagCatalog.tag(product, uid: uid)
      } catch {
        throw Complaint(error)
      }
      return .uid
    }
    guard let model else { throw Complaint(text: "the UID comes before it") }
    if let register = model.storedRegisters.first(where: { $0.name == name }) {
      guard value.allSatisfy({ $0.isASCII && $0.isWholeNumber }), let number = Int(value),
        number <= register.maximum
      else { throw Complaint(text: "the value is not from 0 to \(register.maximum)") }
      model.store(number, in: name)
      guard model.storedRegisters.contains(where: { $0.name == name && $0.value == number }) else {
        throw Complaint(text: "\(model.product) cannot have this value")
      }
      return .register(name)
    }
    return .row(try readRow(name: name, value: value, of: model))
  }

  private mutating func readRow(
    name: String, value: String, of model: any StoredTag
  ) throws(Complaint) -> Int {
    let layout = model.rows
    let words = name.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, words[0] == layout.label, let number = Int(words[1]),
      layout.numbers.contains(number), String(number) == words[1]
    else { throw Complaint(text: "\(model.product) has no \u{201C}\(name)\u{201D}") }
    let bytes = try hex(value)
    guard bytes.count == layout.size else {
      throw Complaint(text: "\(layout.size) bytes are needed, there are \(bytes.count)")
    }
    if rows[number] == nil { rows[number] = bytes }
    return number
  }

  /// The file, if nothing is missing.
  func finish() throws(Complaint) -> TagFile {
    guard let model else {
      throw Complaint(text: product == nil ? "the product is missing" : "the UID is missing")
    }
    let layout = model.rows
    for number in layout.numbers where rows[number] == nil {
      throw Complaint(text: "\(layout.label) \(number) is missing")
    }
    var registers: [String: Int] = [:]
    for register in model.storedRegisters {
      guard register.usual != nil || seen.contains(.register(register.name)) else {
        throw Complaint(text: "\u{201C}\(register.name)\u{201D} is missing")
      }
      registers[register.name] = register.value
    }
    return TagFile(
      product: model.product, uid: model.storedUID, registers: registers, rows: rows, lines: lines,
      rowLabel: layout.label)
  }

  private func hex(_ text: String) throws(Complaint) -> [UInt8] {
    do throws(HexError) {
      return try Hex.bytes(text)
    } catch {
      throw Complaint(text: error.description)
    }
  }
}
