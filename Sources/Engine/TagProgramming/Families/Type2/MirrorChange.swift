import TagMemory

/// How a tag's mirror and counter change along with its message (NTAG213/215/216, 8.7).
///
/// All of it happens while no message is there: a mirror that goes is switched off before the new
/// content is written, one that comes is switched on when that is there and was read back. So
/// nobody ever reads a placeholder, or the UID in place of something else.
struct MirrorChange {
  /// The mirror that readers look through in the end.
  let mirror: ASCIIMirror?
  /// Before the content is written.
  private(set) var opening: [TagProgram.Step] = []
  /// Before the message is switched on.
  private(set) var closing: [TagProgram.Step] = []
  /// What of the tag changes, for whoever has to hear it.
  var takesMirrorOff = false

  var isEmpty: Bool { opening.isEmpty && closing.isEmpty }

  /// From `current`, as the tag shows it, to `goal`.
  init(at place: ConfigurationPages, from current: Configuration, to goal: Configuration) {
    mirror = goal.mirror
    let counting = current.cfg1 == goal.cfg1 ? [] : Self.write(goal.cfg1, to: place.cfg1)
    guard goal.mirror != nil else {
      // The mirror first, which readers see: the other page may tear to a frozen configuration.
      opening = current.cfg0 == goal.cfg0 ? [] : Self.write(goal.cfg0, to: place.cfg0)
      opening += counting
      takesMirrorOff = current.mirror != nil
      return
    }
    var cfg0 = current.cfg0
    if current.mirror != nil, current.mirror != goal.mirror {
      var open = goal
      open.mirror = nil
      cfg0 = open.cfg0
      opening = Self.write(cfg0, to: place.cfg0)
    }
    closing = counting
    if cfg0 != goal.cfg0 { closing += Self.write(goal.cfg0, to: place.cfg0) }
  }

  private static func write(_ bytes: [UInt8], to page: Page) -> [TagProgram.Step] {
    [.writePage(page, bytes, .mirror), .checkPages(first: page, bytes)]
  }

  /// Puts the steps where they belong in `program`, which writes the message. `stored`: what lies
  /// below the mirror, whole pages from `first` on, which is read back while it still shows; nil
  /// where it is there already.
  func insert(into program: inout TagProgram, stored: (first: Page, bytes: [UInt8])?) {
    let isOn = { (step: TagProgram.Step) in
      step.purpose == .switchOn || step.purpose == .capabilityContainer
    }
    let check = stored.map { [TagProgram.Step.checkPages(first: $0.first, $0.bytes)] } ?? []
    let last = program.steps.firstIndex(where: isOn) ?? program.steps.endIndex
    if !closing.isEmpty { program.insert(check + closing, at: last) }
    let first = program.steps.lastIndex { $0.purpose == .switchOff }.map { $0 + 1 } ?? 0
    program.insert(opening, at: first)
  }
}

extension TagProgram {
  /// Puts steps that leave what readers find as it is before step `index`.
  fileprivate mutating func insert(_ others: [Step], at index: Int) {
    steps.insert(contentsOf: others, at: index)
    showing = showing?.inserting(others.count, at: index)
  }
}
