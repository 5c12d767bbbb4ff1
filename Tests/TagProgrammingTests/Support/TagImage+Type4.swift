import PN532Simulator

/// What a telephone would find on a Type 4 tag: a reader of its own that asks the virtual tag
/// itself, in fixed APDUs and without any of the code under test.
extension TagImage {
  /// `memory` on a tag of `product`.
  static func content(ofType4 memory: [UInt8], product: String) -> Content {
    guard let tag = try? TagCatalog.tag(product) else { return .none }
    tag.eeprom.load(memory)
    tag.select()
    tag.enterProtocol()
    guard let container = container(of: tag) else { return .none }
    guard container[13] == 0 else { return .none }
    guard send([0x00, 0xA4, 0x00, 0x0C, 0x02, container[9], container[10]], to: tag) != nil,
      let field = send([0x00, 0xB0, 0x00, 0x00, 0x02], to: tag)
    else { return .none }
    let length = Int(field[0]) << 8 | Int(field[1])
    // No message has one byte or two.
    guard length != 1, length != 2, length + 2 <= Int(container[11]) << 8 | Int(container[12])
    else { return .rubbish }
    var message: [UInt8] = []
    while message.count < length {
      let (offset, count) = (2 + message.count, min(length - message.count, 15))
      guard
        let part = send(
          [0x00, 0xB0, UInt8(offset >> 8), UInt8(offset & 0xFF), UInt8(count)], to: tag)
      else { return .rubbish }
      message += part
    }
    return .message(message)
  }

  /// Whether its container says that nobody may write.
  static func hasLocks(ofType4 memory: [UInt8], product: String) -> Bool {
    guard let tag = try? TagCatalog.tag(product) else { return false }
    tag.eeprom.load(memory)
    tag.select()
    tag.enterProtocol()
    return container(of: tag)?[14] == 0xFF
  }

  private static func container(of tag: any VirtualTag) -> [UInt8]? {
    let name: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
    guard send([0x00, 0xA4, 0x04, 0x00, 0x07] + name + [0x00], to: tag) != nil,
      send([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x03], to: tag) != nil,
      let container = send([0x00, 0xB0, 0x00, 0x00, 0x0F], to: tag), container.count == 15,
      container[7] == 4
    else { return nil }
    return container
  }

  /// The data of an answer; nil where the tag refuses.
  private static func send(_ apdu: [UInt8], to tag: any VirtualTag) -> [UInt8]? {
    guard case .data(let answer) = tag.receive(apdu), answer.suffix(2) == [0x90, 0x00] else {
      return nil
    }
    return Array(answer.dropLast(2))
  }
}
