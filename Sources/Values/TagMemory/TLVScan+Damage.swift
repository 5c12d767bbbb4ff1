/// Control TLVs that say nothing, and the message behind them.
extension TLVScan {
  /// What stands before a whole message and says nothing.
  package struct Damage {
    /// The TLVs, tag and length included.
    package let ranges: [Range<Int>]
    /// The message behind them.
    package let message: Block
  }

  /// Damaged control TLVs with a whole message behind them; nil where there are none, and where
  /// what they cover cannot be told. One that does not lead to the message was of five bytes, if
  /// there is a message behind those.
  package var damage: Damage? {
    let before = blocks.prefix { $0.tag != .ndefMessage }
    let damaged = before.filter(\.isDamaged)
    guard let first = damaged.first, !hidesOthers else { return nil }
    if isMessageWhole, let message {
      let ranges = damaged.map { $0.offset..<($0.endOffset ?? $0.offset) }
      guard zip(damaged, ranges).allSatisfy({ $1.count == $0.length + 2 }),
        areAlone(ranges, beside: before.filter { !$0.isDamaged })
      else {
        return nil
      }
      return Damage(ranges: ranges, message: message)
    }
    let range = first.offset..<first.offset + TLV.controlByteCount
    let hidden = TLVScan(bytes, of: area, from: range.upperBound)
    guard hidden.isMessageWhole, let message = hidden.message,
      message.offset == range.upperBound,
      areAlone([range], beside: before.filter { $0.offset < range.lowerBound })
    else { return nil }
    return Damage(ranges: [range], message: message)
  }

  /// Says whether a damaged control TLV keeps whole TLVs of somebody from being found: with its
  /// five bytes it would end in front of them.
  package var hidesOthers: Bool {
    let isLed = isMessageWhole
    return blocks.prefix { $0.tag != .ndefMessage }.contains { block in
      guard block.isDamaged else { return false }
      return blocks(behind: block).contains {
        !isLed || $0.offset < block.endOffset ?? 0
      }
    }
  }

  /// The whole TLVs of somebody behind the five bytes of `damaged`, before a message.
  private func blocks(behind damaged: Block) -> [Block] {
    TLVScan(bytes, of: area, from: damaged.offset + TLV.controlByteCount).blocks
      .prefix { $0.tag != .ndefMessage }
      .filter {
        $0.value != nil && !$0.isDamaged
          && [.lockControl, .memoryControl, .proprietary].contains($0.tag)
      }
  }

  /// TLVs of somebody that a new message leaves as they are: those before the message and, where a
  /// damaged control TLV leads to none, those that it says are behind it and those behind its five
  /// bytes. A Lock Control TLV is the chip's own.
  var othersBeforeMessage: [Block] {
    let before = blocks.prefix { $0.tag != .ndefMessage }
    var others = before.prefix { !$0.isDamaged }.map(\.self)
    if damage == nil, !isMessageWhole, let damaged = before.dropFirst(others.count).first {
      let claimed = before.dropFirst(others.count + 1)
        .filter { !$0.isDamaged && $0.tag == .proprietary }
      others += claimed + blocks(behind: damaged)
    }
    return others.filter { $0.tag != .lockControl && $0.value != nil }
  }

  /// The bytes of damaged control TLVs before the message, as far as they say where they end.
  package var damagedControls: [Range<Int>] {
    blocks.prefix { $0.tag != .ndefMessage }.filter(\.isDamaged).compactMap { block in
      block.endOffset.flatMap { $0 <= bytes.count ? block.offset..<$0 : nil }
    }
  }

  /// Returns whether the pages of `ranges` hold none of `others`, which a write could damage.
  private func areAlone(_ ranges: [Range<Int>], beside others: [Block]) -> Bool {
    func pages(_ range: Range<Int>) -> ClosedRange<Int> {
      range.lowerBound / Page.byteCount...(range.upperBound - 1) / Page.byteCount
    }
    return ranges.allSatisfy { range in
      // A Lock Control TLV is known again from the chip.
      others.filter { $0.tag != .lockControl }.allSatisfy { other in
        other.endOffset.map { !pages(range).overlaps(pages(other.offset..<$0)) } ?? false
      }
    }
  }

  /// Says whether the message is records, or an empty one, before its Terminator or before what was
  /// in it when it was switched off: what bytes of something else hardly look like.
  package var isMessageWhole: Bool {
    guard let message, let end = message.endOffset else { return false }
    guard message.length == 0 else { return message.value.map(Type2NDEF.isMessage) ?? false }
    let rest = bytes.dropFirst(messageArea.usable(from: end))
    guard let next = rest.first.map(TLV.Tag.init) else { return false }
    if next == .terminator || next.isRest { return true }
    return BareMessage.extent(of: Array(rest), room: area.byteCount - rest.startIndex) != .none
  }
}

extension TLVScan.Block {
  /// Is true if it is a control TLV that says nothing.
  var isDamaged: Bool {
    (tag == .lockControl || tag == .memoryControl) && length != 3
  }
}
