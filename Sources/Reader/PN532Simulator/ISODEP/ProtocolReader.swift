import PN532

/// The chip's end of the block protocol with one card (ISO/IEC 14443-4, 7).
///
/// An exchange that fails leaves chip and card out of step, as the protocol has it: the card counts
/// every I-block that it hears, the chip those that are answered. Whoever does not select the card
/// again gets a protocol error next.
///
/// Assumed, as the manual does not say: the chip announces frames of 64 bytes (FSDI 5: its buffer;
/// nfcpy reports the same of its ATTRIB), and repairs an exchange as often as RFConfiguration item
/// 4 (MaxRtyCOM) says, which is not at all to begin with.
struct ProtocolReader {
  /// FSDI 5.
  static let frameSizeIndex: UInt8 = 5

  /// How an exchange ended.
  enum Outcome {
    case answer([UInt8], nad: UInt8?)
    /// Nothing came, or (`garbled`) nothing that could be understood.
    case timeout, garbled
    /// What came was no sensible block.
    case broken
  }

  let parameters: ProtocolParameters
  let cid: UInt8?
  /// The number of the next I-block.
  private var number: UInt8 = 0

  init(_ parameters: ProtocolParameters, cid: UInt8?) {
    self.parameters = parameters
    self.cid = parameters.takesCID ? cid : nil
  }

  /// Returns whether the card is there: R(NAK), answered with R(ACK) (7.5.6.2).
  func isPresent(_ tag: any VirtualTag, in air: Air) -> Bool {
    let block = ProtocolBlock(.negative(number: number), cid: cid)
    return air.exchangeBlock(block.serialize(), with: tag, wait: parameters.frameWait) != .silence
  }

  /// Sends `data` in as many blocks as the card needs and collects the answer.
  mutating func exchange(
    _ data: [UInt8], nad: UInt8? = nil, with tag: any VirtualTag, in air: Air, retries: Int
  ) -> Outcome {
    let pieces = ProtocolBlock.pieces(
      of: data, frame: parameters.frameSize, hasCID: cid != nil, hasNAD: nad != nil)
    for (index, piece) in pieces.enumerated() {
      let isLast = index == pieces.count - 1
      let block = ProtocolBlock(
        .information(number: number, chaining: !isLast), cid: cid, nad: nad, piece)
      let reply: ProtocolBlock
      switch send(block, to: tag, in: air, retries: retries) {
      case .success(let block): reply = block
      case .failure(let failure): return failure.outcome
      }
      switch reply.control {
      case .acknowledge(number) where !isLast: number ^= 1
      case .information(number, _) where isLast:
        number ^= 1
        return collect(from: reply, with: tag, in: air, retries: retries)
      default: return .broken
      }
    }
    return .broken
  }

  /// The rest of a chained answer.
  private mutating func collect(
    from first: ProtocolBlock, with tag: any VirtualTag, in air: Air, retries: Int
  ) -> Outcome {
    var (data, part) = (first.information, first)
    while case .information(_, chaining: true) = part.control {
      let request = ProtocolBlock(.acknowledge(number: number), cid: cid)
      switch send(request, to: tag, in: air, retries: retries) {
      case .success(let block): part = block
      case .failure(let failure): return failure.outcome
      }
      guard case .information(number, _) = part.control else { return .broken }
      number ^= 1
      data += part.information
    }
    return .answer(data, nad: first.nad)
  }

  private struct Failure: Error { let outcome: Outcome }

  /// One block, its answer, and what repairs it: R(NAK) where the answer is missing, the same block
  /// where the card says that it has not got it; S(WTX) is granted.
  private func send(
    _ block: ProtocolBlock, to tag: any VirtualTag, in air: Air, retries: Int
  ) -> Result<ProtocolBlock, Failure> {
    var (next, wait, left) = (block, parameters.frameWait, retries)
    while true {
      let answer = air.exchangeBlock(next.serialize(), with: tag, wait: wait)
      wait = parameters.frameWait
      guard case .data(let bytes) = answer, let reply = ProtocolBlock(parsing: bytes) else {
        guard left > 0 else { return .failure(Failure(outcome: Self.failure(answer))) }
        left -= 1
        // Within a chained answer the request itself is repeated (7.5.4.2, rules 4 and 5).
        if case .acknowledge = block.control {
          next = block
        } else {
          next = ProtocolBlock(.negative(number: number), cid: cid)
        }
        continue
      }
      switch reply.control {
      case .waitingTimeExtension:
        // Bits 0 to 5; 0 and more than 59 are not allowed (7.3).
        guard let multiplier = reply.information.first.map({ $0 & 0x3F }),
          (1...59).contains(multiplier)
        else { return .failure(Failure(outcome: .broken)) }
        wait = min(parameters.frameWait * Int(multiplier), ProtocolParameters.longestWait)
        next = ProtocolBlock(.waitingTimeExtension, cid: cid, [multiplier])
      case .acknowledge(let other) where other != number && next != block && left >= 0:
        // The card has not heard the block (rule 6).
        next = block
      default: return .success(reply)
      }
    }
  }

  private static func failure(_ answer: AirAnswer) -> Outcome {
    switch answer {
    case .silence: .timeout
    case .data: .broken
    case .garbled, .bare, .nibble, .collision: .garbled
    }
  }
}
