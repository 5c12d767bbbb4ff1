import TagMemory

/// What was learnt of a MIFARE Classic that is, or is to become, an NDEF tag, and which way leads
/// from there.
struct ClassicBasis {
  enum Way {
    /// Any reader finds this area as the tag is: only the message in it changes.
    case message(in: NDEFArea)
    /// The tag is to become an NDEF tag or a whole one; `isSurveyed` says whether every sector was
    /// looked at.
    case format(isSurveyed: Bool)
  }

  var state: ClassicState
  let way: Way
  /// What this run had learnt when it first wrote; nil before. Its decisions stand: a later pass
  /// goes on with them, whatever it finds half done.
  var decided: ClassicDecision?

  /// Is true if the job is to leave the tag's area as it is, where any reader finds it.
  let keepsArea: Bool
}

/// What a run knew of a MIFARE Classic before its first write: which directory and which data were
/// there, and which way it took.
struct ClassicDecision {
  let state: ClassicState
  let way: ClassicBasis.Way

  /// Is true if every sector was looked at.
  var isSurveyed: Bool { if case .format(false) = way { false } else { true } }

  /// The area that the job was to leave as it is; nil where it formats.
  var keptArea: NDEFArea? { if case .message(let area) = way { area } else { nil } }
}

/// All that a job does to a MIFARE Classic, and what the tag holds afterwards.
struct ClassicPlan {
  var program: TagProgram
  /// The NDEF area that there will be.
  let area: NDEFArea
  let after: ClassicState
}

/// Plans a whole job before its first write: the format, on what it leaves the message, and on what
/// that leaves the locks.
struct ClassicJobPlanner {
  let basis: ClassicBasis
  let format: ClassicFormat

  func plan() throws(JobFailure) -> ClassicPlan {
    switch basis.way {
    case .message(let area): try planMessage(in: area)
    case .format(let isSurveyed): try planFormat(isSurveyed: isSurveyed)
    }
  }

  private func planMessage(in area: NDEFArea) throws(JobFailure) -> ClassicPlan {
    let state = basis.state
    let message = try ClassicMessagePlanner(
      state: state, area: area, message: format.messageBytes ?? [], overwrites: format.overwrite
    ).plan()
    let plan = try locked([(.message, message)], area: area)
    guard !state.isReadOnly(area) || !message.changesTag else {
      throw JobFailure(.readOnly, remedy: .useAnotherTag)
    }
    return plan
  }

  private func planFormat(isSurveyed: Bool) throws(JobFailure) -> ClassicPlan {
    let state = basis.state
    guard let message = format.messageBytes, state.isFormatted else {
      let (program, area) = try ClassicFormatPlanner(
        state: state, format: format, isSurveyed: isSurveyed, decided: basis.decided
      ).plan()
      return try locked([(.format, program)], area: area)
    }
    // The old message must be switched off before the new one is written, like on any formatted
    // tag.
    let (program, area) = try ClassicFormatPlanner(
      state: state, format: format.withoutMessage, isSurveyed: isSurveyed, decided: basis.decided
    ).plan()
    let update = try ClassicMessagePlanner(
      state: state.applying(program), area: area, message: message, overwrites: format.overwrite
    ).plan()
    return try locked([(.format, program), (.message, update)], area: area)
  }

  /// `parts` with the locks behind them where they are wanted.
  private func locked(_ parts: [(TagProgram.Phase.Kind, TagProgram)], area: NDEFArea)
    throws(JobFailure) -> ClassicPlan
  {
    var parts = parts
    var after = parts.reduce(basis.state) { $0.applying($1.1) }
    if format.lock {
      let locks = try ClassicLockPlanner(state: after, sectors: area.sectors).plan()
      parts.append((.locks, locks))
      after = after.applying(locks)
    }
    return ClassicPlan(program: TagProgram(joining: parts), area: area, after: after)
  }
}

extension ClassicFormat {
  /// The format alone, on a tag that is an NDEF tag and gets another message afterwards.
  var withoutMessage: ClassicFormat {
    var bare = self
    bare.message = nil
    bare.encoding = nil
    bare.lock = false
    bare.followingByteCount = messageBytes?.count ?? 0
    return bare
  }
}

extension ClassicState {
  /// Is true if the tag has a directory that names NFC sectors.
  var isFormatted: Bool {
    directory().map { !$0.nfcSectors(on: geometry).isEmpty } ?? false
  }

  /// The sector that the directory has the message start in, where nothing reads it any more.
  var lostStart: Sector? {
    guard let first = directory()?.nfcSectors(on: geometry).first, let known = sectors[first],
      known.isDestroyed || known.opener == nil
    else { return nil }
    return first
  }

  /// What readers that have the public key A may do, by the first NFC sector's trailer, which NXP's
  /// go by: they write where it lets them write all of the sector. Nil where it was not read.
  func status(of area: NDEFArea) -> NDEFStatus? {
    guard let first = area.sectors.first, let trailer = sectors[first]?.trailer else { return nil }
    return !isReadOnly(area) && trailer.conditions.allows(.write, on: first.dataBlocks, with: .a)
      ? .readWrite : .readOnly
  }

  /// Returns whether the first NFC sector's trailer, as far as it was read, says that nobody is to
  /// write, or lets neither key.
  func isReadOnly(_ area: NDEFArea) -> Bool {
    guard let first = area.sectors.first, let trailer = sectors[first]?.trailer else {
      return false
    }
    return !trailer.generalPurposeByte.isWriteFree
      || !KeyType.allCases.contains { trailer.conditions.allows(.write, .first, with: $0) }
  }

  /// The longest message in bytes that `area` takes, behind what stands before the one that is
  /// there; nil where sectors that it may reach were not looked at.
  func capacity(of area: NDEFArea) -> Int? {
    reachable(of: area).allSatisfy { sectors[$0] != nil } ? room(in: area) : nil
  }

  /// No longer message than this fits: sectors that were not looked at count as what the directory
  /// says of them.
  func room(in area: NDEFArea) -> Int? {
    TLVLayout.capacity(of: NDEFArea(reachable(of: area)).tlvArea, leading: leading(of: area))
  }

  /// The sectors of `area` that readers come to, as far as they were looked at: nobody reads on
  /// behind one that the public key does not open.
  private func reachable(of area: NDEFArea) -> [Sector] {
    area.sectors.prefix { sector in
      sector.dataBlocks.allSatisfy { closer(of: $0, to: .nfc) == nil }
    }.map(\.self)
  }
}
