import PN532

extension Chip {
  /// Polling for FeliCa tags (UM0701-02, 7.3.5; JIS X 6319-4): `payload` is 00h, system code,
  /// request code, time slots.
  ///
  /// Each tag answers in a slot of its own choice. Two that choose the same one destroy each
  /// other's answer: with one slot (00h) two tags are never found.
  func pollFeliCa(limit: Int, payload: [UInt8]) -> [[UInt8]] {
    let systemCode = UInt16(payload[1]) << 8 | UInt16(payload[2])
    let answers = air.pollFeliCa(
      systemCode: systemCode, requestCode: payload[3], lastSlot: payload[4])
    return answers.prefix(limit).enumerated().map { index, bytes in
      let number = UInt8(index + 1)
      targets.append(
        Target(number: number, identity: .feliCa(idm: Array(bytes[1...8]))))
      current = number
      return [number, UInt8(bytes.count + 1)] + bytes
    }
  }
}

extension Air {
  /// The answers to one polling that arrive whole, slot by slot.
  func pollFeliCa(systemCode: UInt16, requestCode: UInt8, lastSlot: UInt8) -> [[UInt8]] {
    spent.rf += typeF.isEmpty ? model.emptyRequest : model.activation
    spent.rf += model.feliCaSlot * Int(lastSlot)
    // Slot counts are powers of two; a tag does not answer to others.
    guard [0, 1, 3, 7, 15].contains(lastSlot) else { return [] }
    var slots: [UInt64: [[UInt8]]] = [:]
    for tag in typeF {
      let answer = exchange(with: tag) {
        tag.poll(systemCode: systemCode, requestCode: requestCode).map { .data($0) } ?? .silence
      }
      guard case .data(let bytes) = answer, bytes.count >= 17 else { continue }
      slots[self.slots.next() & UInt64(lastSlot), default: []].append(bytes)
    }
    return slots.sorted { $0.key < $1.key }.map(\.value).filter { $0.count == 1 }.map { $0[0] }
  }

  /// A frame to whichever FeliCa tag feels addressed; the length byte comes first, both ways.
  /// `rate`: 1 is 212 kbit/s, 2 is 424.
  func transceiveFeliCa(_ frame: [UInt8], _ rate: Int) -> AirAnswer {
    spent.rf += model.feliCaAir(bytes: frame.count, rate: rate)
    for tag in typeF {
      field.hostExchanged()
      let answer = exchange(with: tag) { tag.receive(frame) }
      guard answer != .silence else { continue }
      if case .data(let bytes) = answer {
        spent.rf += model.feliCaDelay + model.feliCaAir(bytes: bytes.count, rate: rate)
        return answer
      }
      return timed(answer)
    }
    return timed(.silence)
  }
}
