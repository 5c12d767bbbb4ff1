/// An ISO-DEP card with the NDEF application and one NDEF file (NFC Forum Type 4 Tag 2.0 and 3.0,
/// and the mapping of 1.0).
///
/// `receive` takes and gives APDUs. EEPROM layout: the capability container at 0 (16 bytes, in
/// mapping 3 32), for a chip with a system file that (32 bytes) and its two passwords (32 bytes),
/// then the NDEF file. Mapping, lengths and rights are what the container says.
package final class VirtualType4: ActivatedTag {
  package let silicon: Type4Silicon
  package let sak: UInt8 = 0x20
  package let uid: [UInt8]
  package let eeprom: EEPROM
  /// How it does what it does.
  package var behaviour = Type4Behaviour()
  package var product: String { silicon.name }
  package var waitExtensions: Int { behaviour.waits }

  package var activation = Activation()
  private var applicationIsSelected = false
  private var file: File?
  /// Which passwords (1 to read, 2 to write) were given since the application was selected.
  var verified: Set<UInt8> = []

  enum File { case container, system, message }

  /// A card with an empty NDEF file. `uid` has one of the sizes of the product.
  package init(_ silicon: Type4Silicon, uid: [UInt8], layout: Type4Layout? = nil) {
    precondition(silicon.uidSizes.contains(uid.count), "a UID of a wrong size")
    (self.silicon, self.uid) = (silicon, uid)
    eeprom = EEPROM([])
    format(layout ?? silicon.layout)
  }

  /// The memory as delivered. Any size is possible, which stays with the tag.
  private func format(_ layout: Type4Layout) {
    let container = layout.container(fileID: silicon.fileID)
    let fill = [UInt8](repeating: 0, count: (layout.mapping == 3 ? 32 : 16) - container.count)
    let system = silicon.system.map { systemFile($0, layout.size) } ?? []
    let rounded = (layout.size + 15) / 16 * 16
    eeprom.resize(to: container + fill + system + [UInt8](repeating: 0, count: rounded))
  }

  package var atqa: UInt16 {
    silicon.uidSizes.count > 1 && uid.count == 4 ? silicon.atqa & ~0x00C0 : silicon.atqa
  }

  package var ats: [UInt8] { [0x70 | frameSizeIndex] + silicon.interface }

  var frameSizeIndex: UInt8 { behaviour.frameSizeIndex ?? silicon.frameSizeIndex }

  package func receive(_ frame: [UInt8]) -> TagAnswer {
    guard state == .active else { return .silence }
    guard let apdu = CommandAPDU(parsing: frame) else { return status(.wrongLength) }
    let isOwn = silicon.system != nil && apdu.cla == 0xA2
    guard apdu.cla == 0x00 || isOwn else { return status(.unknownClass) }
    switch (apdu.cla, apdu.ins) {
    case (0x00, 0xA4): return select(apdu)
    case (0x00, 0xB0): return read(apdu, offset: apdu.offset)
    case (0x00, 0xB1) where mapping == 3: return readObject(apdu)
    case (0xA2, 0xB0) where isOwn && file == .message: return readSignature(apdu)
    case (0x00, 0xD6): return update(apdu.data, at: apdu.offset, header: frame.header(apdu))
    case (0x00, 0xD7) where mapping == 3: return updateObject(apdu, header: frame.header(apdu))
    default: return silicon.system == nil ? status(.unknownInstruction) : receiveSystem(apdu)
    }
  }

  /// SELECT, the application by its name or a file by its identifier (5.4.2, 5.4.3). Mapping 1 has
  /// another name and another P2.
  private func select(_ apdu: CommandAPDU) -> TagAnswer {
    switch (apdu.p1, apdu.p2) {
    case (0x04, 0x00), (0x04, 0x0C):
      let name: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, mapping == 1 ? 0x00 : 0x01]
      guard apdu.data == name else { return status(.notFound) }
      forget()
      applicationIsSelected = true
    case (0x00, mapping == 1 ? 0x00 : 0x0C):
      let number = apdu.data.reduce(0) { $0 << 8 | Int($1) }
      var files: [Int: File] = [0xE103: .container, Int(silicon.fileID): .message]
      if silicon.system != nil { files[0xE101] = .system }
      guard applicationIsSelected, apdu.data.count == 2, let chosen = files[number] else {
        return status(.notFound)
      }
      file = chosen
    case (0x02, 0x0C) where behaviour.hasCardAccess && !applicationIsSelected:
      guard apdu.data == [0x01, 0x1C] else { return status(.notFound) }
    default: return status(.wrongParameters)
    }
    return status(.ok)
  }

  /// READ BINARY.
  private func read(_ apdu: CommandAPDU, offset: Int) -> TagAnswer {
    guard let range = readable(offset) else { return refusal(reading: true, at: offset) }
    guard apdu.data.isEmpty, let wanted = apdu.le, fits(wanted, range.count) else {
      return shortened(apdu, min(range.count, longestRead))
    }
    return .data(eeprom.bytes[range.prefix(wanted)] + StatusWord.ok.bytes)
  }

  /// READ BINARY with an offset data object (Type 4 Tag 3.0): `54 03 offset`, answered with `53 L
  /// data`, Le bytes at most.
  private func readObject(_ apdu: CommandAPDU) -> TagAnswer {
    guard apdu.offset == 0, apdu.data.count == 5, apdu.data[..<2] == [0x54, 0x03] else {
      return status(.wrongData)
    }
    let offset = apdu.data[2...].reduce(0) { $0 << 8 | Int($1) }
    guard let range = readable(offset) else { return refusal(reading: true, at: offset) }
    guard let wanted = apdu.le, wanted > 2, wanted <= longestRead else {
      return shortened(apdu, longestRead)
    }
    let room = wanted - (wanted <= 0x81 ? 2 : wanted <= 0x102 ? 3 : 4)
    let data = Array(eeprom.bytes[range.prefix(room)])
    return .data([0x53] + BERLength.bytes(data.count) + data + StatusWord.ok.bytes)
  }

  /// UPDATE BINARY with offset and data objects: `54 03 offset 53 L data`.
  private func updateObject(_ apdu: CommandAPDU, header: Int) -> TagAnswer {
    guard apdu.offset == 0, apdu.data.count > 6, apdu.data[..<2] == [0x54, 0x03],
      apdu.data[5] == 0x53, let (length, size) = BERLength.parse(apdu.data[6...]),
      apdu.data.count == 6 + size + length
    else { return status(.wrongData) }
    let offset = apdu.data[2..<5].reduce(0) { $0 << 8 | Int($1) }
    return update(Array(apdu.data.suffix(length)), at: offset, header: header + 6 + size)
  }

  /// UPDATE BINARY. `header`: what of the APDU stands before the data.
  private func update(_ data: [UInt8], at offset: Int, header: Int) -> TagAnswer {
    guard let file else { return status(.noFileSelected) }
    guard file == .message, mayWrite else { return status(.notAllowed) }
    guard !data.isEmpty, data.count <= longestWrite else { return status(.wrongLength) }
    guard let range = range(of: file), offset + data.count <= range.count else {
      return status(.wrongOffset)
    }
    let writer = Type4Writer(
      eeprom: eeprom, tearing: behaviour.tearing,
      frameSize: ProtocolParameters.sizes[Int(frameSizeIndex)])
    return ended(writer.program(data, at: range.lowerBound + offset, header: header))
  }

  /// A programming cycle's answer. Power lost within it ends everything.
  func ended(_ outcome: EEPROM.Outcome) -> TagAnswer {
    switch outcome {
    case .programmed: return status(.ok)
    case .failed: return status(.memoryFailure)
    case .powerLost:
      powerOff()
      return .silence
    }
  }

  /// The bytes from `offset` to the end of the file.
  private func readable(_ offset: Int) -> Range<Int>? {
    guard let file, mayRead(file), let range = range(of: file), offset < range.count else {
      return nil
    }
    return range.lowerBound + offset..<range.upperBound
  }

  private func refusal(reading: Bool, at offset: Int) -> TagAnswer {
    guard let file else { return status(.noFileSelected) }
    return status(mayRead(file) ? .wrongOffset : .notAllowed)
  }

  /// Returns whether a READ of `wanted` bytes is carried out while `rest` are left.
  private func fits(_ wanted: Int, _ rest: Int) -> Bool {
    wanted <= longestRead && (behaviour.longRead == .short || wanted <= rest)
  }

  /// What a READ with a wrong Le gets.
  private func shortened(_ apdu: CommandAPDU, _ right: Int) -> TagAnswer {
    guard behaviour.longRead == .corrected, apdu.le != nil else { return status(.wrongLength) }
    return .data([0x6C, UInt8(truncatingIfNeeded: right)])
  }

  func status(_ word: StatusWord) -> TagAnswer { .data(word.bytes) }

  package func forget() {
    applicationIsSelected = false
    file = nil
    verified = []
  }

  var selectedFile: File? { file }
}

extension [UInt8] {
  /// How many bytes of this APDU stand before its data: the header, and a short or an extended Lc.
  fileprivate func header(_ apdu: CommandAPDU) -> Int { count > 4 && self[4] == 0 ? 7 : 5 }
}

/// Lengths of data objects (ISO/IEC 7816-4, 5.2.2.2).
enum BERLength {
  static func bytes(_ length: Int) -> [UInt8] {
    switch length {
    case ..<0x80: [UInt8(length)]
    case ..<0x100: [0x81, UInt8(length)]
    default: [0x82, UInt8(length >> 8), UInt8(length & 0xFF)]
    }
  }

  /// The length, and how many bytes say it.
  static func parse(_ bytes: ArraySlice<UInt8>) -> (length: Int, size: Int)? {
    guard let first = bytes.first else { return nil }
    guard first >= 0x80 else { return (Int(first), 1) }
    let size = Int(first & 0x7F)
    guard (1...2).contains(size), bytes.count > size else { return nil }
    return (bytes.dropFirst().prefix(size).reduce(0) { $0 << 8 | Int($1) }, 1 + size)
  }
}
