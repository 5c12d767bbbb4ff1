import TagMemory

/// Plans a message into its file on a Type 4 tag.
///
/// The length comes first as 0 and last as it is to be (Type 4 Tag 1.2, 5.4.6), so that a reader
/// finds the old message, an empty file or the new message after any step. What the file holds
/// already is not written.
struct Type4MessagePlanner {
  let product: Product
  let container: CapabilityFile
  let access: BinaryAccess
  /// The file from its start, as far as it was read.
  let known: [UInt8]
  let message: [UInt8]
  /// What follows the message in its file, where that is wanted, too: a dump's.
  var tail: [UInt8] = []
  /// What this run has sent before, by its place.
  var sent: [Place: [UInt8]] = [:]

  private var control: FileControl { container.message }
  private var start: Int { control.lengthByteCount }
  private var wanted: [UInt8] {
    MessageLength.bytes(message.count, in: control) + message + tail
  }

  /// The steps; throws when the tag cannot take the message.
  func plan() throws(JobFailure) -> TagProgram {
    try requireRoom()
    let pieces = content()
    var program = TagProgram(.message)
    guard !known.starts(with: wanted) else {
      program.showing = Showing(.newMessage)
      program.unchanged = (wanted.count + access.longestWrite - 1) / access.longestWrite
      return program
    }
    try requireWritable()
    program.steps = writes(pieces)
    // What went wrong once is looked at again before anybody is to find it.
    if isAgain, let last = program.steps.lastIndex(where: { $0.purpose == .switchOn }), last > 0 {
      program.steps.insert(contentsOf: contentChecks, at: last)
    }
    program.steps += checks
    program.showing = showing(program.steps)
    let all = (wanted.count - start + access.longestWrite - 1) / access.longestWrite
    program.unchanged = max(0, all - pieces.count)
    program.repairs = Set(
      program.steps.compactMap(\.written?.place).filter { place in
        guard let bytes = sent[place], case .file(_, let offset) = place else { return false }
        return known.dropFirst(offset).prefix(bytes.count) != bytes[...]
      })
    return program
  }

  /// Returns what readers find between the steps: what the length in front of the message says.
  private func showing(_ steps: [TagProgram.Step]) -> Showing {
    let before: Shows =
      switch MessageLength(known, in: control) {
      case nil, .message: .oldMessage
      case .empty: .emptyMessage
      case .reserved, .tooLong: .noMessage
      }
    var showing = Showing(before)
    for (index, step) in steps.enumerated() {
      if step.purpose == .switchOff { showing.change(to: .emptyMessage, after: index) }
      if step.purpose == .switchOn { showing.change(to: .newMessage, after: index) }
    }
    return showing
  }

  /// Is true if this run has written to the file before, and not come to its end.
  private var isAgain: Bool {
    sent.keys.contains { place in
      if case .file(control.file.rawValue, _) = place { true } else { false }
    }
  }

  // MARK: What the tag allows

  private func requireRoom() throws(JobFailure) {
    guard message.count <= control.capacity else {
      throw JobFailure.tooLong(message.count, capacity: control.capacity, on: product)
    }
    // Any byte may be the first of a command.
    guard access.reaches(wanted.count - 1) else {
      throw JobFailure.tooLong(
        message.count, capacity: BinaryAccess.lastShortOffset + 1 - start, on: product)
    }
  }

  private func requireWritable() throws(JobFailure) {
    switch container.obstacleToWriting {
    case nil: return
    case .never: throw JobFailure.type4(.readOnly, .useAnotherTag)
    case .condition(let access): throw JobFailure.type4(.writeCondition(access), .useAnotherTag)
    case .tooFew(let count): throw JobFailure.type4(.container(.writesFew(count)), .useAnotherTag)
    }
  }

  // MARK: The order

  /// Pieces of the content that differ from what is known, from the first byte behind the length
  /// on.
  private func content() -> [(offset: Int, bytes: [UInt8])] {
    var pieces: [(offset: Int, bytes: [UInt8])] = []
    var offset = start
    while let first = (offset..<wanted.count).first(where: { differs(at: $0) }) {
      let most = min(access.writeLimit(at: first), wanted.count - first)
      let last = (first..<first + most).last(where: differs) ?? first
      pieces.append((first, Array(wanted[first...last])))
      offset = last + 1
    }
    return pieces
  }

  private func differs(at offset: Int) -> Bool {
    offset >= known.count || known[offset] != wanted[offset]
  }

  private func writes(_ pieces: [(offset: Int, bytes: [UInt8])]) -> [TagProgram.Step] {
    let isOn = known.count < start || known.prefix(start).contains { $0 != 0 }
    // What the chip writes whole or not at all may carry length and message together.
    let whole = min(product.wholeUpdateByteCount ?? 0, access.writeLimit(at: 0))
    if !isOn, wanted.count <= whole { return [write(wanted, at: 0, .switchOn)] }
    var steps: [TagProgram.Step] = []
    var rest = pieces[...]
    let off = [UInt8](repeating: 0, count: start)
    if isOn {
      if let first = pieces.first, first.offset + first.bytes.count <= whole {
        rest = pieces.dropFirst()
        let between = wanted[start..<first.offset + first.bytes.count]
        steps.append(write(off + between, at: 0, .switchOff))
      } else {
        steps.append(write(off, at: 0, .switchOff))
      }
    }
    steps += rest.map { write($0.bytes, at: $0.offset, .content) }
    return steps + [write(Array(wanted.prefix(start)), at: 0, .switchOn)]
  }

  private func write(_ bytes: [UInt8], at offset: Int, _ purpose: TagProgram.Purpose)
    -> TagProgram.Step
  {
    TagProgram.Step(
      .write(bytes, purpose), at: .file(id: control.file.rawValue, offset: offset))
  }

  /// Reads the message back, without the length before it.
  private var contentChecks: [TagProgram.Step] {
    Self.checks(wanted, of: control.file, with: access, from: start)
  }

  /// Reads length and message back, a command each.
  private var checks: [TagProgram.Step] {
    Self.checks(wanted, of: control.file, with: access)
  }

  /// Reads `bytes`, which begin `file`, back, a command a step; those before `start` are left out.
  static func checks(
    _ bytes: [UInt8], of file: FileID, with access: BinaryAccess, from start: Int = 0
  ) -> [TagProgram.Step] {
    var (steps, offset) = ([TagProgram.Step](), start)
    while offset < bytes.count {
      let end = min(bytes.count, offset + access.readLimit(at: offset))
      steps.append(
        TagProgram.Step(
          .check(bytes[offset..<end].map { $0 }), at: .file(id: file.rawValue, offset: offset)))
      offset = end
    }
    return steps
  }
}
