/// One NDEF record: a payload and what says how to read it (NFC Forum NDEF 1.0, 2.3 and 3.2).
///
/// A record is whole: chunks are joined when a message is read and are never written. Its fields
/// keep the rules of its format, so every record can be written.
///
/// To add a record type: a struct of its own with `init(parsing:)` and `record` in its own file, a
/// case of `RecordContent` that reads and summarizes it, and its vectors in `Tests/NDEFTests`.
public struct Record: Hashable, Sendable {
  /// How `type` is to be read: the TNF of the header.
  public let typeNameFormat: TypeNameFormat
  /// 0 to 255 bytes of printable US-ASCII.
  public let type: [UInt8]
  /// 0 to 255 bytes; nil when the record has no ID length, empty when that length is 0.
  public let id: [UInt8]?
  /// 0 to 2³²−1 bytes.
  public let payload: [UInt8]

  /// A record to be written. Throws when a field is too long, or when the fields break the rules
  /// of the format: nothing in `empty`, no type in `unknown`, a printable type in the formats
  /// that name one; `unchanged` and `reserved` are not for whole records.
  public init(
    _ format: TypeNameFormat, type: some Sequence<UInt8> = [], id: [UInt8]? = nil,
    payload: some Sequence<UInt8> = []
  ) throws(NDEFError) {
    self.typeNameFormat = format
    self.type = Array(type)
    self.id = id
    self.payload = Array(payload)
    try checkRules()
  }

  /// A record whose fields are known to keep the rules.
  init(
    checked format: TypeNameFormat, type: some Sequence<UInt8>, id: [UInt8]?, payload: [UInt8]
  ) {
    self.typeNameFormat = format
    self.type = Array(type)
    self.id = id
    self.payload = payload
  }

  /// Returns this record with another ID, or none. Throws when `id` has more than 255 bytes, or
  /// when this is the empty record, which has none.
  package func identified(by id: [UInt8]?) throws(NDEFError) -> Record {
    try Record(typeNameFormat, type: type, id: id, payload: payload)
  }

  /// The record without type, ID and payload: `D0 00 00` when it stands alone.
  package static let empty = Record(checked: .empty, type: [], id: nil, payload: [])

  /// The type as text; bytes of a type are printable US-ASCII.
  public var typeName: String { String(decoding: type, as: UTF8.self) }

  /// Returns whether this is the well-known type `name`; such names are compared as written.
  func isWellKnown(_ name: String) -> Bool {
    typeNameFormat == .wellKnown && type.elementsEqual(name.utf8)
  }

  /// How many bytes the record takes in a message.
  public var byteCount: Int {
    2 + (payload.count < 256 ? 1 : 4) + type.count + (id.map { 1 + $0.count } ?? 0) + payload.count
  }

  private func checkRules() throws(NDEFError) {
    switch typeNameFormat {
    case .empty:
      guard type.isEmpty, id?.isEmpty ?? true, payload.isEmpty else {
        throw NDEFError(.emptyRecordNotEmpty, in: .argument)
      }
    case .unknown:
      guard type.isEmpty else { throw NDEFError(.unknownRecordHasType, in: .argument) }
    case .unchanged, .reserved:
      throw NDEFError(.unwritableFormat(typeNameFormat), in: .argument)
    case .wellKnown, .media, .absoluteURI, .external:
      guard !type.isEmpty else { throw NDEFError(.missingType(typeNameFormat), in: .argument) }
      if let index = Self.firstUnprintable(in: type) {
        throw NDEFError(.unprintableType(byte: type[index]), in: .argument, at: index)
      }
    }
    try Self.checkLengths(type: type.count, id: id, payload: payload.count)
  }

  /// Throws `tooLong` for what the length fields of a record cannot say.
  static func checkLengths(type: Int, id: [UInt8]?, payload: Int) throws(NDEFError) {
    let idCount = id?.count ?? 0
    let fields: [(NDEFError.Field, Int, limit: Int)] = [
      (.type, type, 0xFF), (.id, idCount, 0xFF), (.payload, payload, Int(clamping: UInt32.max)),
    ]
    for (field, count, limit) in fields where count > limit {
      throw NDEFError(.tooLong(field, count: count, limit: limit), in: .argument, at: limit)
    }
  }

  /// The index of the first byte outside 20h to 7Eh.
  static func firstUnprintable(in type: [UInt8]) -> Int? {
    type.firstIndex { !(0x20...0x7E).contains($0) }
  }
}
