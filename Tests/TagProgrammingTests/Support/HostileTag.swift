import PN532Simulator
import Readers

/// Bytes that decide what something hostile does next, until they are used up.
final class Whims {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  func next() -> UInt8? { rest.popFirst() }

  func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}

/// A tag that answers what it likes: now and then, or always, instead of the real virtual tag
/// behind it.
final class HostileTag: VirtualTag {
  let product: String
  let atqa: UInt16
  let sak: UInt8
  let uid: [UInt8]
  var ats: [UInt8] { tag.ats }
  var technology: TagTechnology { tag.technology }
  var eeprom: EEPROM { tag.eeprom }
  private(set) var state = TagState.idle

  private let tag: any VirtualTag
  private let whims: Whims
  /// Whims below it leave the answer to the real tag.
  private let honesty: UInt8

  /// With a `mask` it looks like another tag from the first moment on.
  init(_ tag: any VirtualTag, honesty: UInt8, mask: Bool, whims: Whims) {
    (self.tag, self.honesty, self.whims) = (tag, honesty, whims)
    product = tag.product
    let looks = mask ? whims.bytes(4) : []
    atqa = looks.count == 4 ? UInt16(looks[0]) << 8 | UInt16(looks[1]) : tag.atqa
    sak = looks.count == 4 ? looks[2] : tag.sak
    uid = looks.count == 4 ? [looks[3] | 0x01] + tag.uid.dropFirst() : tag.uid
  }

  func powerOff() { pass(.idle) { $0.powerOff() } }
  func select() { pass(.active) { $0.select() } }
  func halt() { pass(.halt) { $0.halt() } }

  func enterProtocol() { tag.enterProtocol() }

  func poll(systemCode: UInt16, requestCode: UInt8) -> [UInt8]? {
    guard let honest = tag.poll(systemCode: systemCode, requestCode: requestCode) else {
      return nil
    }
    guard let whim = lie(), whim < 4 else { return honest }
    let lies = whims.bytes(honest.count)
    return [honest[0]] + lies.prefix(honest.count - 1) + honest.dropFirst(1 + lies.count)
  }

  private func pass(_ next: TagState, _ event: (any VirtualTag) -> Void) {
    event(tag)
    state = next
  }

  func receive(_ frame: [UInt8]) -> TagAnswer {
    switch lie() {
    case nil: return honestly { $0.receive(frame) }
    case 0: return .silence
    case 1: return .nibble((whims.next() ?? 0) & 0xF)
    case 2: return .data(whims.bytes(16))
    case 3: return .data(whims.bytes(Int(whims.next() ?? 0)))
    // A good status behind anything.
    case 4 where !ats.isEmpty: return .data(whims.bytes(Int(whims.next() ?? 0)) + [0x90, 0x00])
    case 4: return .nibble(0xA)
    default:
      _ = honestly { $0.receive(frame) }
      return .silence
    }
  }

  func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool {
    switch lie() {
    case nil: honestly { $0.authenticate(command: command, block: block, key: key, uid: uid) }
    case let whim?: whim.isMultiple(of: 2)
    }
  }

  /// What lie to tell; nil for none.
  private func lie() -> UInt8? {
    guard let whim = whims.next() else { return honesty == 0 ? 0 : nil }
    return whim < honesty ? nil : whim % 6
  }

  private func honestly<Answer>(_ ask: (any VirtualTag) -> Answer) -> Answer {
    defer { state = tag.state }
    return ask(tag)
  }
}

/// A chip whose answers are sound frames and may be any bytes; it also sees every write that is
/// sent.
final class WatchedLink: ChipLink {
  let name = "watched"
  /// Told of everything that the tag is sent to write.
  var onWrite: (WriteLog.Write) -> Void = { _ in }
  private let log = WriteLog()

  private let link: DirectLink
  private let whims: Whims?
  private let honesty: UInt8

  /// Without `whims` the chip is an honest one.
  init(_ chip: Chip, whims: Whims? = nil, honesty: UInt8 = 0) {
    (link, self.whims, self.honesty) = (DirectLink(chip), whims, honesty)
  }

  func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] {
    for write in log.take(command) { onWrite(write) }
    let answer = try link.transceive(command, timeout: timeout)
    guard let whim = whims?.next(), whim >= honesty else { return answer }
    switch whim % 5 {
    case 0: throw .boardSilent(reader: name)
    case 1: throw .boardGarbled(reader: name)
    case 2: return Array(answer.dropLast())
    case 3: return [0x00] + (whims?.bytes(16) ?? [])
    default: return whims?.bytes(Int(whims?.next() ?? 0)) ?? []
    }
  }

  func close() {}
}
