import TagMemory

/// What a job leaves as it is on a MIFARE Classic although it did not make it so: the operator is
/// to know of it.
extension TagDescription {
  /// Names what is odd about the tag of `basis` once `plan` is carried out.
  mutating func noteOddities(_ basis: ClassicBasis, _ plan: ClassicPlan) {
    switch basis.way {
    case .format: noteKeyB(of: basis.state, in: plan.area)
    case .message:
      noteDirectoryByte(of: plan.after)
      noteSectorBytes(of: plan.after, in: plan.area)
    }
    noteLeading(plan.after, plan.area)
  }

  /// Names a general purpose byte of sector 0 with bits that are reserved (AN10787, 3): readers
  /// find the directory all the same.
  mutating func noteDirectoryByte(of state: ClassicState) {
    guard let byte = state.sectors[.mad]?.trailer?.generalPurposeByte, byte.hasReservedBits else {
      return
    }
    findings.append(
      Finding(
        "directory-byte",
        "The general purpose byte of sector 0 is \(byte): bits 5 to 2 are reserved and not zero. Readers do not look at them; "
          + "`nfcprog format-classic` clears them."))
  }

  /// Names sectors of `area` with a general purpose byte that says another version, or another
  /// right to read, than it is (AN1304): most readers do not look at it. The ones that say who may
  /// write are no oddity.
  mutating func noteSectorBytes(of state: ClassicState, in area: NDEFArea) {
    for sector in area.sectors {
      guard let byte = state.sectors[sector]?.trailer?.generalPurposeByte, !byte.isUsual else {
        continue
      }
      findings.append(
        Finding(
          "sector-byte",
          "The general purpose byte of \(sector) is \(byte) in place of \(GeneralPurposeByte.nfcReadWrite) "
            + "(\(GeneralPurposeByte.nfcReadOnly) where nobody may write): a reader that looks at it may refuse the sector. "
            + "`nfcprog format-classic` sets it."))
    }
  }

  /// Names sectors of the directory and of `area` whose key B nobody here knows, and those where it
  /// is damaged.
  private mutating func noteKeyB(of state: ClassicState, in area: NDEFArea) {
    let sectors = state.geometry.sectors.filter {
      area.sectors.contains($0) || MAD.Version.two.sectors.contains($0)
    }
    let damaged = sectors.filter { state.sectors[$0]?.hasDamagedKeyB == true }
    if !damaged.isEmpty {
      findings.append(
        Finding(
          "key-b",
          "\(ClassicWords.list(damaged)): key B has one bit that is wrong, as a write that failed leaves it. It is replaced."
        ))
    }
    let unknown = sectors.filter(state.lacksWriterB)
    if !unknown.isEmpty {
      findings.append(
        Finding(
          "key-b",
          "\(ClassicWords.list(unknown)): key B is not the factory's and none of the keys tried. It stays, and without it keys "
            + "and access bits can never be changed."))
    }
  }

  /// Names TLVs before the message that nobody here knows, and that stay.
  private mutating func noteLeading(_ state: ClassicState, _ area: NDEFArea) {
    let tlvs = state.foreignTLVs(before: area)
    guard let last = tlvs.last?.endOffset else { return }
    let tags = Set(tlvs.map { "\($0.tag)" }).sorted().joined(separator: ", ")
    findings.append(
      Finding(
        "tlv-kept",
        "The area starts with \(last) bytes that are not a message (\(tags)). Another program may use them, so they stay.",
        remedy: .permitOverwrite))
  }
}
