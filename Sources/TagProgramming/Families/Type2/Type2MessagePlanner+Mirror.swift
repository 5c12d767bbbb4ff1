import NDEF
import TagMemory

/// A message below an ASCII mirror that cannot be switched off (NTAG213/215/216, 8.7): readers find
/// the UID or the counter in place of a part of it.
extension Type2MessagePlanner {
  /// The bytes of the message that show as something else, as far as the configuration was read;
  /// nil when all of it reads as written. `isStored`: the tag holds the message already.
  ///
  /// Throws where no reader would find its records any more, and where it must read as written.
  func mirrored(
    _ layout: TLVLayout, in area: [UInt8], isStored: Bool
  ) throws(JobFailure) -> Range<Int>? {
    let shown = MirrorOverlay(of: state, uid: uid).shown(area, from: .firstOfArea)
    let isHidden = { (offset: Int) in shown[offset] != area[offset] }
    let header = layout.lengthOffsets.last.map { $0 + 1 } ?? layout.tagOffset
    let value = valueOffsets(layout)
    let hidden = value.indices.filter { isHidden(value[$0]) }.map { $0 - value.startIndex }
    let isFound = !(0..<header).contains(where: isHidden)
    guard let first = hidden.first, let last = hidden.last else {
      if isFound { return nil }
      throw refusal(nil, isStored: isStored)
    }
    let range = first..<last + 1
    // A digit of the counter may be any; 0 is one.
    let seen = value.map { shown[$0] ?? UInt8(ascii: "0") }
    guard isFound, !mustReadAsWritten, keepsRecords(seen) else {
      throw refusal(range, isStored: isStored)
    }
    return range
  }

  /// Whether `seen` has the same records as the message, none of them malformed, with nothing
  /// changed but payloads.
  private func keepsRecords(_ seen: [UInt8]) -> Bool {
    let (read, written) = (RawMessage(parsing: seen), RawMessage(parsing: message))
    guard let parsed = try? Message(parsing: seen) else { return false }
    return read.records.map(\.header) == written.records.map(\.header)
      && read.records.map(\.type) == written.records.map(\.type)
      && read.records.map(\.id) == written.records.map(\.id)
      && !parsed.records.contains { if case .malformed = $0.content { true } else { false } }
  }

  private func refusal(_ bytes: Range<Int>?, isStored: Bool) -> JobFailure {
    JobFailure(
      .type2(.mirrored(bytes: bytes)), holds: isStored ? .messageBelowMirror : nil,
      remedy: .useAnotherTag)
  }
}

extension TagDescription {
  /// Finds the mirror of `program` odd.
  mutating func noteMirror(_ program: TagProgram) {
    if program.switchesMirrorOff {
      findings.append(
        Finding(
          "mirror-off",
          "The tag showed its UID or counter in its message (ASCII mirror). The job switches the mirror off."
        ))
    }
    guard let mirrored = program.mirrored else { return }
    findings.append(
      Finding(
        "mirror",
        """
        The ASCII mirror of the tag is on: readers get its UID or counter instead of bytes \(mirrored.lowerBound + 1) to \(mirrored.upperBound) of \
        the message.
        """))
  }
}
