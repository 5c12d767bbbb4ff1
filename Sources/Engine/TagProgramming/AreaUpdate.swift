import TagMemory

/// The writes that turn one NDEF area into another, ordered so that whoever reads the tag between
/// any two of them finds the old message, an empty one or the new one.
///
/// The area is cut into the tag's write units: pages of 4 bytes (Type 2) or blocks of 16 (Classic).
/// Three rules make the order: a message that is there is switched off first (length 0) when more
/// than one unit changes; whatever stands before the message is put right while it is off; then the
/// units follow from the last to the first, so that the one holding the length switches the new
/// message on. Going down also means that a password-protected or locked upper part refuses the
/// very first write, before anything has changed.
struct AreaUpdate: Hashable, Sendable {
  /// One write of one unit.
  struct Write: Hashable, Sendable {
    /// Number of the unit within the area, from 0.
    let unit: Int
    let bytes: [UInt8]
    let role: Role
    /// What readers find in the area once it is done, where they look for TLVs there.
    var shows = Shows.newMessage
  }

  /// Why a unit is written.
  enum Role: Hashable, Sendable {
    /// Sets the length of the present message to 0.
    case switchOff
    /// Bytes that no reader looks at yet.
    case content
    /// Holds the length of the new message: the last writes of all.
    case switchOn
  }

  /// What is known of the area before the update.
  struct Current {
    /// The units that were read.
    var units: [Int: [UInt8]]
    /// What units hold that were damaged while they were written, as far as that is known.
    var meant: [Int: [UInt8]] = [:]
    /// Where the present message's one-byte length stands (for the long form, its FFh), and whether
    /// that length is other than 0. Nil where the area holds no message TLV that a reader would
    /// find.
    var length: (offset: Int, isOn: Bool)?
    /// Units whose bytes cannot be read, since the tag shows something else in their place: they
    /// are written whatever they show.
    var hidden: Set<Int> = []
    /// Is true if more than the area changes while no message is there: then an update of any size
    /// is made with the message off, and the byte behind its length is 0 until it is on again, or
    /// the tag of a TLV (`TLV.Tag.restOfMore`): a later run sees that there is more to look at.
    var changesMore = false
    /// Where TLVs of others begin behind the message, and the area with what the TLVs before it
    /// reserve: while it is off, a TLV leads to them (`WayToOthers`), over all that an update may
    /// change on the way.
    var others: (offset: Int, area: TLVArea)?
    /// TLVs before the message that say nothing, of a length of one byte: put right first, while it
    /// is on.
    var damaged: [Range<Int>] = []
  }

  /// What the area is to hold.
  struct Desired {
    /// Leading TLVs, the message TLV and its terminator, from the start of the area; padded with
    /// zeros to whole units.
    var bytes: [UInt8]
    /// Offset of the message TLV's type byte.
    var messageStart: Int
    /// Offset of its length; nil where that is the next byte.
    var lengthStart: Int?
    /// Offset behind the message TLV's length field.
    var valueStart: Int
    /// The area with what TLVs before the message reserve, which no update changes; nil where
    /// nothing does.
    var area: TLVArea?

    /// The offset of the next byte that TLVs use, from `offset` on.
    func usable(from offset: Int) -> Int { area?.usable(from: offset) ?? offset }
  }

  let writes: [Write]
  /// What readers find in the area before the first write.
  let shows: Shows
  /// Units that hold the wanted bytes already.
  let unchanged: Int

  init(from found: Current, to desired: Desired, unitSize: Int) {
    var current = found
    let wanted = Self.units(of: desired.bytes, size: unitSize)
    var hidden = current.hidden
    let differing = wanted.indices.filter {
      hidden.contains($0) || current.units[$0] != wanted[$0]
    }
    unchanged = wanted.count - differing.count
    let lengthUnits = desired.messageStart / unitSize...(desired.valueStart - 1) / unitSize
    let before: Shows =
      current.length.map { $0.isOn ? .oldMessage : .emptyMessage } ?? .noMessage
    shows = differing.isEmpty ? .newMessage : before
    let flips = !current.changesMore && differing.count <= 1
    guard !flips, !differing.isEmpty else {
      writes = differing.map { Write(unit: $0, bytes: wanted[$0], role: .switchOn) }
      return
    }
    let mending = current.mending(to: desired.bytes, unitSize: unitSize)
    var steps: [Write] = []
    var held = current.units
    func add(_ unit: Int, _ bytes: [UInt8], _ role: Role) {
      let isHidden = role != .switchOff && hidden.remove(unit) != nil
      guard isHidden || held[unit] != bytes else { return }
      steps.append(Write(unit: unit, bytes: bytes, role: role))
      held[unit] = bytes
    }
    let empty = Self.units(of: Self.emptied(desired), size: unitSize)
    let way = current.others.flatMap { others in
      current.length.map { length in
        WayToOthers(
          from: length.offset, to: others.offset, in: others.area, unitSize: unitSize,
          marks: current.changesMore)
      }
    }
    if let length = current.length {
      let place = length.offset / unitSize
      let meant = current.meant[place] ?? held[place]
      // What is damaged may be on all the same.
      if let way {
        let off = way.switchingOff(held, meant: current.meant)
        for (unit, bytes) in off {
          // Before the unit of the length, a message is damaged and not off.
          let isOff = unit == place || steps.contains { $0.unit == place }
          add(unit, bytes, isOff ? .switchOff : .content)
        }
      } else if length.isOn || current.changesMore || held[place] != meant, let meant {
        let mark: UInt8 = current.changesMore ? 0 : 0xFE
        var bytes = meant
        bytes[length.offset % unitSize] = 0
        let next = desired.usable(from: length.offset + 1)
        if next / unitSize == place { bytes[next % unitSize] = mark }
        add(place, bytes, .switchOff)
      }
      // A message that moves down is empty at its new place first, one that moves up before it
      // leaves the old one.
      let start = desired.lengthStart ?? desired.messageStart + 1
      if length.offset > start { for unit in lengthUnits { add(unit, empty[unit], .switchOff) } }
      if length.offset < start {
        for unit in (0...lengthUnits.upperBound).reversed() { add(unit, empty[unit], .switchOff) }
      }
      for unit in 0..<lengthUnits.lowerBound { add(unit, wanted[unit], .content) }
    } else {
      // Nothing that a reader takes for a message: an empty one goes in first, from its end to the
      // area's start.
      for unit in (0...lengthUnits.upperBound).reversed() { add(unit, empty[unit], .switchOff) }
    }
    let isSamePlace = current.length?.offset == desired.lengthStart ?? desired.messageStart + 1
    let last = isSamePlace ? way?.lastUnit : nil
    for unit in wanted.indices.reversed() {
      if let way, unit == last {
        for (unit, bytes) in way.switchingOn(wanted, in: held) {
          // Whatever else changes is changed before the way there is given up.
          let isOn = current.changesMore || bytes == wanted[unit] && lengthUnits.contains(unit)
          add(unit, bytes, isOn ? .switchOn : .content)
        }
      }
      add(unit, wanted[unit], lengthUnits.contains(unit) ? .switchOn : .content)
    }
    writes =
      mending.map { Write(unit: $0.unit, bytes: $0.bytes, role: .content, shows: before) }
      + Self.showing(steps, before: before)
  }

  /// `writes` with what readers find after each: an old message is off after the first that
  /// switches it off, an empty one that has to be made is there after the last of those, and the
  /// new message after the last that switches it on.
  private static func showing(_ writes: [Write], before: Shows) -> [Write] {
    let isEmpty = writes.lastIndex { $0.role == .switchOff }
    let isOn = writes.lastIndex { $0.role == .switchOn }
    let firstOff = writes.firstIndex { $0.role == .switchOff } ?? 0
    var shows = before
    return writes.enumerated().map { index, write in
      switch write.role {
      case .switchOff where before != .noMessage || index == isEmpty: shows = .emptyMessage
      case .switchOn where index == isOn: shows = .newMessage
      case .content where before == .oldMessage && index < firstOff: shows = .noMessage
      case .switchOff, .switchOn, .content: break
      }
      var write = write
      write.shows = shows
      return write
    }
  }

  /// The leading TLVs, an empty message TLV and a terminator, padded to the size of `desired`; what
  /// TLVs reserve is as there.
  static func emptied(_ desired: Desired) -> [UInt8] {
    var bytes = desired.bytes
    var offset = desired.messageStart
    for byte: UInt8 in [0x03, 0x00, 0xFE] {
      bytes += [UInt8](repeating: 0, count: max(0, offset + 1 - bytes.count))
      bytes[offset] = byte
      offset = desired.usable(from: offset + 1)
    }
    while offset < bytes.count {
      bytes[offset] = 0
      offset = desired.usable(from: offset + 1)
    }
    return bytes
  }

  /// `bytes` cut into units, the last one filled up with zeros.
  static func units(of bytes: [UInt8], size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: size).map { start in
      let unit = Array(bytes[start..<min(start + size, bytes.count)])
      return unit + [UInt8](repeating: 0, count: size - unit.count)
    }
  }
}
