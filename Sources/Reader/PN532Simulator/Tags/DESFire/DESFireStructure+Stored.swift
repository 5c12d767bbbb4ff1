import Bytes

/// The structure as it lies in the EEPROM: a layout of our own, as NXP's is not told.
extension DESFireStructure {
  /// Bytes that are kept for it.
  static let byteCount = 2048
  private static let mark: UInt8 = 0xD5

  /// Nil where it does not fit.
  func serialize() -> [UInt8]? {
    var bytes: [UInt8] = [
      Self.mark, settings, (hasRandomUID ? 1 : 0) | (formatsNoMore ? 2 : 0),
    ]
    bytes += masterKey.serialize() + defaultKey.serialize() + [UInt8(applications.count)]
    for application in applications {
      bytes +=
        Self.bytes(Int(application.id), 3) + [application.settings, application.kind.rawValue]
      bytes += [application.hasISOFiles ? 1 : 0] + Self.optional(application.isoID)
      bytes += [UInt8(application.name.count)] + application.name
      bytes += [UInt8(application.keys.count)] + application.keys.flatMap { $0.serialize() }
      bytes.append(UInt8(application.files.count))
      for file in application.files {
        bytes += [file.number] + Self.optional(file.isoID) + [file.hasBackup ? 1 : 0, file.mode]
        bytes += Self.bytes(Int(file.rights), 2) + Self.bytes(file.size, 3)
        bytes += Self.bytes(file.start, 3)
      }
    }
    guard bytes.count <= Self.byteCount else { return nil }
    return bytes + [UInt8](repeating: 0, count: Self.byteCount - bytes.count)
  }

  /// Nil for bytes that no card wrote.
  init?(parsing bytes: [UInt8]) {
    do throws(ByteReaderError) {
      var reader = ByteReader(bytes)
      guard try reader.byte() == Self.mark else { return nil }
      settings = try reader.byte()
      let flags = try reader.byte()
      (hasRandomUID, formatsNoMore) = (flags & 1 != 0, flags & 2 != 0)
      guard let master = try DESFireKey(reading: &reader),
        let usual = try DESFireKey(reading: &reader)
      else { return nil }
      (masterKey, defaultKey) = (master, usual)
      for _ in 0..<(try reader.byte()) {
        guard let application = try Self.application(&reader) else { return nil }
        applications.append(application)
      }
    } catch {
      return nil
    }
  }

  private static func application(
    _ reader: inout ByteReader
  ) throws(ByteReaderError) -> DESFireApplication? {
    let id = UInt32(try number(&reader, 3))
    let settings = try reader.byte()
    guard let kind = DESFireKey.Kind(rawValue: try reader.byte()) else { return nil }
    let hasISOFiles = try reader.byte() != 0
    var application = DESFireApplication(
      id: id, settings: settings, kind: kind, keys: [], hasISOFiles: hasISOFiles)
    application.isoID = try optional(&reader)
    application.name = try reader.bytes(Int(try reader.byte()))
    for _ in 0..<(try reader.byte()) {
      guard let key = try DESFireKey(reading: &reader), key.kind == kind else { return nil }
      application.keys.append(key)
    }
    for _ in 0..<(try reader.byte()) {
      let number = try reader.byte()
      let isoID = try optional(&reader)
      let (hasBackup, mode) = (try reader.byte() != 0, try reader.byte())
      let rights = UInt16(try Self.number(&reader, 2))
      let (size, start) = (try Self.number(&reader, 3), try Self.number(&reader, 3))
      application.files.append(
        DESFireFile(
          number: number, isoID: isoID, hasBackup: hasBackup, mode: mode, rights: rights,
          size: size, start: start))
    }
    return application.keys.isEmpty ? nil : application
  }

  private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func optional(_ value: UInt16?) -> [UInt8] {
    value.map { [1] + bytes(Int($0), 2) } ?? [0, 0, 0]
  }

  private static func number(
    _ reader: inout ByteReader, _ count: Int
  ) throws(ByteReaderError) -> Int {
    try reader.bytes(count).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func optional(_ reader: inout ByteReader) throws(ByteReaderError) -> UInt16? {
    let isThere = try reader.byte() != 0
    let value = UInt16(try number(&reader, 2))
    return isThere ? value : nil
  }
}

extension DESFireKey {
  fileprivate func serialize() -> [UInt8] {
    [kind.rawValue, version] + bytes + [UInt8](repeating: 0, count: 24 - bytes.count)
  }

  fileprivate init?(reading reader: inout ByteReader) throws(ByteReaderError) {
    guard let kind = Kind(rawValue: try reader.byte()) else { return nil }
    let version = try reader.byte()
    self.init(
      kind: kind, bytes: Array(try reader.bytes(24).prefix(kind.byteCount)), version: version)
  }
}
