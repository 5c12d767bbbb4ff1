/// The commands of the card as a whole, and those about applications.
extension VirtualDESFire {
  /// Is true if the host has proved that it knows the master key of what is selected.
  var isMaster: Bool { session?.keyNumber == 0 }

  /// The master key of the card, with nothing selected.
  private func requireCardMaster(unless isFree: Bool) throws(DESFireStatus) {
    guard isFree || selected == 0 && isMaster else { throw .authentication }
  }

  /// GetVersion: hardware, software, then UID, batch, week and year; the first two are 7 bytes, and
  /// each comes in a part of its own.
  func version() throws(DESFireStatus) -> [UInt8] {
    let size = memory.storage
    let head: [UInt8] = [0x04, 0x01, 0x01]
    let hardware = head + [silicon.hardware.major, silicon.hardware.minor, size, 0x05]
    let software = head + [silicon.software.major, silicon.software.minor, size, 0x05]
    let shown = structure.hasRandomUID && session == nil
    let production =
      (shown ? [UInt8](repeating: 0, count: 7) : storedUID) + [
        0xBA, 0x54, 0x12, 0x34, 0x50, 0x26, 0x14,
      ]
    return hardware + software + production
  }

  func cardUID() throws(DESFireStatus) -> [UInt8] { try sealed(storedUID) }

  /// Pages that no file and no application takes.
  var freeBytes: Int {
    structure.applications.reduce(fileMemory.count) { rest, application in
      let own = DESFireMemory.application(keys: application.keys.count)
      return application.files.reduce(rest - own) { $0 - DESFireMemory.fileHeader - $1.room }
    }
  }

  func freeMemory() -> [UInt8] {
    let free = max(0, freeBytes)
    return [UInt8(free & 0xFF), UInt8(free >> 8 & 0xFF), UInt8(free >> 16)]
  }

  /// FormatPICC: all applications go, the master key and its settings stay.
  func format() throws(DESFireStatus) -> [UInt8] {
    guard selected == 0, isMaster else { throw .authentication }
    var structure = structure
    guard !structure.formatsNoMore else { throw .permission }
    structure.applications = []
    try replace(structure)
    return []
  }

  /// SelectApplication: 000000 is the card.
  func selectApplication(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    guard data.count == 3 else { throw .length }
    let id = Self.number(data)
    guard id == 0 || structure.index(of: id) != nil else { throw .noApplication }
    deselect()
    selected = id
    return []
  }

  func applicationIDs() throws(DESFireStatus) -> [UInt8] {
    guard selected == 0 else { throw .permission }
    try requireCardMaster(unless: structure.settings & 0x02 != 0)
    return structure.applications.flatMap { Self.bytes($0.id) }
  }

  /// GetDFNames: identifier, ISO identifier and name of each application that has one. All in one
  /// row here.
  func dedicatedFileNames() throws(DESFireStatus) -> [UInt8] {
    guard selected == 0 else { throw .permission }
    try requireCardMaster(unless: structure.settings & 0x02 != 0)
    return structure.applications.filter { !$0.name.isEmpty }.flatMap {
      Self.bytes($0.id) + Self.bytes($0.isoID ?? 0) + $0.name
    }
  }

  /// CreateApplication: identifier, key settings, number and kind of keys (bit 5: files with ISO
  /// identifiers), then perhaps an ISO identifier and a name.
  func createApplication(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    guard selected == 0 else { throw .permission }
    var structure = structure
    try requireCardMaster(unless: structure.settings & 0x04 != 0)
    guard data.count <= 7 + 16, data.count != 6 else { throw .length }
    let (id, count) = (Self.number(Array(data[..<3])), Int(data[4] & 0x0F))
    guard id != 0, let kind = DESFireKey.Kind(rawValue: data[4] & 0xC0), (1...14).contains(count)
    else { throw .parameter }
    guard structure.applications.count < 28 else { throw .countError }
    let isoID = data.count >= 7 ? UInt16(data[6]) << 8 | UInt16(data[5]) : nil
    let name = Array(data.dropFirst(7))
    let isTaken = structure.applications.contains {
      $0.id == id || isoID != nil && $0.isoID == isoID || !name.isEmpty && $0.name == name
    }
    guard !isTaken else { throw .duplicate }
    let usual = structure.defaultKey
    let key = usual.kind == kind ? usual : DESFireKey.zeros(kind)
    guard freeBytes >= DESFireMemory.application(keys: count) else { throw .outOfMemory }
    structure.applications.append(
      DESFireApplication(
        id: id, settings: data[3], kind: kind, keys: Array(repeating: key, count: count),
        hasISOFiles: data[4] & 0x20 != 0, isoID: isoID, name: name))
    try replace(structure)
    return []
  }

  /// DeleteApplication, by the card's master, or by the application's own where the card lets it.
  func deleteApplication(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    var structure = structure
    let id = Self.number(data)
    guard let index = structure.index(of: id) else { throw .noApplication }
    let isOwn = selected == id && isMaster && structure.settings & 0x04 != 0
    guard selected == 0 && isMaster || isOwn else { throw .authentication }
    structure.applications.remove(at: index)
    try replace(structure)
    guard selected == id else { return [] }
    deselect()
    selected = 0
    return []
  }

  /// SetConfiguration: 0 random UID and no formatting, permanently; 1 the default key; 2 an ATS,
  /// which is taken and not used.
  func setConfiguration(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    guard selected == 0, isMaster else { throw .authentication }
    guard let option = data.first else { throw .length }
    var structure = structure
    switch option {
    case 0x00:
      let flags = try opened(0x5C, data, header: 1, count: 1)[0]
      structure.formatsNoMore = structure.formatsNoMore || flags & 0x01 != 0
      structure.hasRandomUID = structure.hasRandomUID || flags & 0x02 != 0
    case 0x01:
      let bytes = try opened(0x5C, data, header: 1, count: 25)
      structure.defaultKey.bytes = Array(bytes[..<16])
      structure.defaultKey.version = bytes[24]
    case 0x02: throw .permission
    default: throw .parameter
    }
    try replace(structure)
    return []
  }

  /// Three bytes, low one first.
  static func number(_ bytes: [UInt8]) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  static func bytes(_ id: UInt32) -> [UInt8] {
    (0..<3).map { UInt8(truncatingIfNeeded: id >> (8 * UInt32($0))) }
  }

  static func bytes(_ word: UInt16) -> [UInt8] { [UInt8(word & 0xFF), UInt8(word >> 8)] }
}
