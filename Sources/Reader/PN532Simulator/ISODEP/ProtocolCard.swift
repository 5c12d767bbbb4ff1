/// A card's end of the block protocol (ISO/IEC 14443-4, 7): blocks in, blocks out, APDUs to the tag
/// behind it.
///
/// The card speaks only when it was spoken to and repeats its last block when it is asked to; what
/// it cannot understand it does not answer. It does not check the number of an I-block: what is
/// sent again is carried out again.
final class ProtocolCard {
  let tag: any VirtualTag
  let parameters: ProtocolParameters
  /// The longest frame that the reader takes (FSD), CRC included.
  let readerFrame: Int
  let cid: UInt8
  /// Is true if another speed may still be asked for: the first block ends that.
  private(set) var mayChangeSpeed = true

  private var number: UInt8 = 1
  private var command: [UInt8] = []
  private var nad: UInt8?
  private var usesCID = false
  /// Parts of the answer that have not been sent.
  private var answer: [[UInt8]] = []
  /// How often more time must still be asked for before the answer.
  private var waits = 0
  private var last: [UInt8]?

  init(_ tag: any VirtualTag, _ parameters: ProtocolParameters, readerFrame: Int, cid: UInt8) {
    (self.tag, self.parameters) = (tag, parameters)
    (self.readerFrame, self.cid) = (readerFrame, cid)
  }

  /// Returns what the card sends back; nil: nothing.
  func respond(to frame: [UInt8], waits extensions: (Int) -> Int) -> [UInt8]? {
    if frame.count == 3, frame[0] == 0xD0 | cid, mayChangeSpeed { return changeSpeed(frame) }
    mayChangeSpeed = false
    guard frame.count + 2 <= parameters.frameSize, let block = ProtocolBlock(parsing: frame),
      isAddressed(block)
    else { return nil }
    usesCID = block.cid != nil
    guard let reply = reply(to: block, waits: extensions) else { return nil }
    last = reply.serialize()
    return last
  }

  /// PPS (5.3); refused without an answer where the speeds are none of the card's.
  private func changeSpeed(_ frame: [UInt8]) -> [UInt8]? {
    mayChangeSpeed = false
    let (towards, from) = (frame[2] & 0x03, frame[2] >> 2 & 0x03)
    guard frame[1] == 0x11, towards < 3, from < 3 else { return nil }
    let offered = [0, parameters.speeds & 0x03, parameters.speeds >> 4 & 0x03]
    let fits =
      (towards == 0 || offered[1] >> (towards - 1) & 1 == 1)
      && (from == 0 || offered[2] >> (from - 1) & 1 == 1)
    return fits ? [frame[0]] : nil
  }

  private func isAddressed(_ block: ProtocolBlock) -> Bool {
    guard let wanted = block.cid else { return cid == 0 || !parameters.takesCID }
    return parameters.takesCID && wanted == cid
  }

  private func reply(to block: ProtocolBlock, waits extensions: (Int) -> Int) -> ProtocolBlock? {
    switch block.control {
    case .information(_, let chaining):
      number ^= 1
      nad = block.nad ?? nad
      command += block.information
      if chaining { return make(.acknowledge(number: number)) }
      return execute(waits: extensions)
    case .acknowledge(let other) where other != number && !answer.isEmpty:
      number ^= 1
      return nextPart()
    case .negative(let other) where other != number: return make(.acknowledge(number: number))
    case .acknowledge, .negative: return last.flatMap(ProtocolBlock.init(parsing:))
    case .deselect:
      defer { tag.halt() }
      return make(.deselect)
    case .waitingTimeExtension:
      guard waits > 0, block.information.count == 1 else { return nil }
      waits -= 1
      return waits > 0 ? make(.waitingTimeExtension, [1]) : nextPart()
    }
  }

  /// The whole command has come: the tag carries it out, and may ask for time before it answers.
  private func execute(waits extensions: (Int) -> Int) -> ProtocolBlock? {
    let pages = tag.eeprom.programmedPages
    let carried = tag.receive(command)
    command = []
    let nad = nad
    defer { self.nad = nil }
    guard case .data(let bytes) = carried else { return nil }
    answer = ProtocolBlock.pieces(
      of: bytes, frame: readerFrame, hasCID: usesCID, hasNAD: nad != nil)
    waits = extensions(tag.eeprom.programmedPages - pages)
    return waits > 0 ? make(.waitingTimeExtension, [1]) : nextPart(nad)
  }

  private func nextPart(_ nad: UInt8? = nil) -> ProtocolBlock? {
    guard !answer.isEmpty else { return nil }
    let part = answer.removeFirst()
    return make(.information(number: number, chaining: !answer.isEmpty), part, nad)
  }

  private func make(
    _ control: ProtocolControl, _ information: [UInt8] = [], _ nad: UInt8? = nil
  ) -> ProtocolBlock {
    ProtocolBlock(
      control, cid: usesCID ? cid : nil, nad: parameters.takesNAD ? nad : nil, information)
  }
}
