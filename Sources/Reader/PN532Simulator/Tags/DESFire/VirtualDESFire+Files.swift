/// Files of the selected application.
extension VirtualDESFire {
  /// What a host wants to do with a file.
  enum Use: Int {
    case change = 0
    case both = 4
    case write = 8
    case read = 12
  }

  private func application() throws(DESFireStatus) -> (index: Int, value: DESFireApplication) {
    guard let index = structure.index(of: selected) else { throw .permission }
    return (index, structure.applications[index])
  }

  func file(_ number: UInt8) throws(DESFireStatus) -> DESFireFile {
    let application = try application().value
    guard let index = application.index(of: number) else { throw .noFile }
    return application.files[index]
  }

  /// Returns whether the host may do so, and whether as somebody in particular: then the file's way
  /// of messaging holds.
  func right(to file: DESFireFile, _ uses: [Use]) throws(DESFireStatus) -> Bool {
    let keys = uses.map { UInt8(file.rights >> UInt16($0.rawValue) & 0xF) }
    if let session, keys.contains(session.keyNumber) { return true }
    if keys.contains(0xE) { return false }
    throw keys.allSatisfy { $0 == 0xF } ? .permission : .authentication
  }

  func fileIDs() throws(DESFireStatus) -> [UInt8] { try listed().files.map(\.number) }

  func isoFileIDs() throws(DESFireStatus) -> [UInt8] {
    try listed().files.compactMap(\.isoID).flatMap { Self.bytes($0) }
  }

  private func listed() throws(DESFireStatus) -> DESFireApplication {
    let application = try application().value
    guard isMaster || application.settings & 0x02 != 0 else { throw .authentication }
    return application
  }

  /// GetFileSettings: kind, messaging, rights and size.
  func fileSettings(_ number: UInt8) throws(DESFireStatus) -> [UInt8] {
    let application = try listed()
    guard let index = application.index(of: number) else { throw .noFile }
    let file = application.files[index]
    return [file.hasBackup ? 0x01 : 0x00, file.mode] + Self.bytes(file.rights)
      + Self.bytes(UInt32(file.size))
  }

  /// CreateStdDataFile and CreateBackupDataFile: number, perhaps an ISO identifier, messaging,
  /// rights, size.
  func createFile(_ data: [UInt8], hasBackup: Bool) throws(DESFireStatus) -> [UInt8] {
    var structure = structure
    let (index, application) = try application()
    guard isMaster || application.settings & 0x04 != 0 else { throw .authentication }
    let isoID = data.count == 9 ? UInt16(data[2]) << 8 | UInt16(data[1]) : nil
    guard isoID == nil || application.hasISOFiles, data[0] < 32 else { throw .parameter }
    let rest = Array(data[(data.count - 6)...])
    let size = Int(Self.number(Array(rest[3...])))
    guard [0, 1, 3].contains(rest[0]), size > 0 else { throw .parameter }
    let isTaken = application.files.contains {
      $0.number == data[0] || isoID != nil && $0.isoID == isoID
    }
    guard !isTaken else { throw .duplicate }
    guard size <= fileMemory.count, let start = gap(for: size) else { throw .outOfMemory }
    structure.applications[index].files.append(
      DESFireFile(
        number: data[0], isoID: isoID, hasBackup: hasBackup, mode: rest[0],
        rights: UInt16(rest[2]) << 8 | UInt16(rest[1]), size: size, start: start))
    // A new file is all zeros, whatever lay there before.
    let old = fileMemory.lowerBound + start
    if eeprom.bytes[old..<old + size].contains(where: { $0 != 0 }) {
      try program([UInt8](repeating: 0, count: size), at: old, header: 0)
    }
    try replace(structure)
    return []
  }

  /// Where `size` bytes find room.
  private func gap(for size: Int) -> Int? {
    let room = (size + 31) / 32 * 32
    guard freeBytes >= DESFireMemory.fileHeader + room else { return nil }
    let files = structure.applications.flatMap(\.files)
    return stride(from: 0, through: fileMemory.count - room, by: 32).first { start in
      !files.contains { $0.start < start + room && start < $0.start + $0.room }
    }
  }

  func deleteFile(_ number: UInt8) throws(DESFireStatus) -> [UInt8] {
    var structure = structure
    let (index, application) = try application()
    guard isMaster || application.settings & 0x04 != 0 else { throw .authentication }
    guard let place = application.index(of: number) else { throw .noFile }
    structure.applications[index].files.remove(at: place)
    try replace(structure)
    return []
  }

  /// ChangeFileSettings: number, then messaging and rights, enciphered unless anybody may change
  /// them.
  func changeFileSettings(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    guard let number = data.first else { throw .length }
    var structure = structure
    let (index, application) = try application()
    guard let place = application.index(of: number) else { throw .noFile }
    let isKnown = try right(to: application.files[place], [.change])
    let new: [UInt8]
    if isKnown {
      new = try opened(0x5F, data, header: 1, count: 3)
    } else {
      guard data.count == 4 else { throw .length }
      countCommand([0x5F] + data)
      new = Array(data[1...])
    }
    guard [0, 1, 3].contains(new[0]) else { throw .parameter }
    structure.applications[index].files[place].mode = new[0]
    structure.applications[index].files[place].rights = UInt16(new[2]) << 8 | UInt16(new[1])
    try replace(structure)
    return []
  }
}
