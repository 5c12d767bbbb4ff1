/// What a tag remembers of the commands before, as a number: equal numbers, equal pasts.
///
/// Two exchanges with the same command give the same answer only where the tag was in the same
/// state: selected, with the same sector open, the same file selected.
struct TagContext: Hashable {
  /// A step that led there.
  enum Step: Hashable {
    /// The field is on, and no tag is selected.
    case nothing
    /// A look for this kind of tags has named these.
    case tag(kind: UInt8, [UInt8?])
    /// A command that is known byte for byte.
    case command([UInt8])
    /// The exchange of this number, with a key or a password that the trace does not show.
    case masked(Int)
    /// A file, by the command that selected it.
    case file([UInt8])
    /// The tag has refused or was silent: it waits for a selection.
    case lost
  }

  fileprivate let node: Int

  /// All that were met, each once.
  struct Table {
    private struct Key: Hashable {
      let parent: Int
      let step: Step
    }

    private var numbers: [Key: Int] = [:]
    private var nodes: [(parent: Int, step: Step, tag: Int)] = [(0, .nothing, 0)]

    /// Before anything was looked for.
    let start = TagContext(node: 0)

    mutating func add(_ step: Step, to context: TagContext) -> TagContext {
      let key = Key(parent: context.node, step: step)
      if let known = numbers[key] { return TagContext(node: known) }
      let number = nodes.count
      let tag = if case .tag = step { number } else { nodes[context.node].tag }
      nodes.append((context.node, step, tag))
      numbers[key] = number
      return TagContext(node: number)
    }

    /// The selection of the tag, without what came behind it.
    func selection(of context: TagContext) -> TagContext {
      TagContext(node: nodes[context.node].tag)
    }

    /// Returns the context without its last step where that is one that `isLeftOut` picks.
    func without(
      _ isLeftOut: (Step) -> Bool, _ context: TagContext
    ) -> TagContext {
      let node = nodes[context.node]
      return isLeftOut(node.step) ? TagContext(node: node.parent) : context
    }

    /// The SAK of the tag that is selected; nil where it is not of type A.
    func sak(of context: TagContext) -> UInt8? {
      // Tg, ATQA, SAK.
      guard case .tag(0x00, let bytes) = nodes[nodes[context.node].tag].step, bytes.count > 3 else {
        return nil
      }
      return bytes[3]
    }

    /// The UID of the tag of type A that is selected; nil where there is none.
    func uid(of context: TagContext) -> [UInt8]? {
      // Tg, ATQA, SAK, length.
      guard case .tag(0x00, let bytes) = nodes[nodes[context.node].tag].step, bytes.count > 4,
        let count = bytes[4]
      else { return nil }
      let uid = bytes.dropFirst(5).prefix(Int(count)).compactMap(\.self)
      return uid.count == Int(count) ? uid : nil
    }

    /// Returns whether the tag speaks ISO-DEP: its SAK says so (ISO/IEC 14443-3, 6.5.3), or it is
    /// of type B.
    func isInProtocol(_ context: TagContext) -> Bool {
      if case .tag(0x03, _) = nodes[nodes[context.node].tag].step { return true }
      return (sak(of: context) ?? 0) & 0x20 != 0
    }

    /// Returns whether the tag waits for a selection.
    func isLost(_ context: TagContext) -> Bool { nodes[context.node].step == .lost }
  }
}

extension TagContext.Table {
  /// The context behind the exchange of number `index`, which came in `context`.
  mutating func context(
    after exchange: RecordedExchange, _ index: Int, _ effect: CommandEffect, in context: TagContext
  ) -> TagContext {
    let step: TagContext.Step =
      exchange.plainCommand.map { .command($0) } ?? .masked(index)
    switch effect {
    case .board: return context
    case .fieldOff, .release: return start
    case .look:
      guard let answer = exchange.answer, let count = answer.first.flatMap(\.self), count > 0 else {
        return start
      }
      let kind = exchange.command.count > 2 ? exchange.command[2] ?? 0xFF : 0xFF
      return add(.tag(kind: kind, Array(answer.dropFirst())), to: start)
    case .read, .write, .select, .authentication, .other: break
    }
    guard let status = exchange.answer?.first.flatMap(\.self), status & 0x3F == 0 else {
      return add(.lost, to: selection(of: context))
    }
    switch effect {
    case .read, .write: return context
    case .authentication: return add(step, to: selection(of: context))
    case .select:
      // P1 = 04, and DESFire's own: by name. All else: a file of the application.
      let frame = exchange.plainCommand.flatMap { TagFrame.bytes(in: $0) } ?? []
      guard frame.count > 3, frame[1] == 0xA4, frame[2] != 0x04 else {
        return add(step, to: selection(of: context))
      }
      let isFile: (TagContext.Step) -> Bool = { if case .file = $0 { true } else { false } }
      return add(.file(frame), to: without(isFile, context))
    default: return add(step, to: context)
    }
  }
}
