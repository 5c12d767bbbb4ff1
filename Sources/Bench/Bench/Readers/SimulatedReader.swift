import PN532Simulator
import TagMemory

/// A simulated board with its virtual tags, and the files that keep what the tags hold.
package final class SimulatedReader {
  /// The pseudo-terminal's path, for libnfc and any other program.
  package private(set) var port: String
  private let board: SimulatedBoard
  private let tags: PresentedTags
  private let kept: [(spec: SimulatedTagSpec, tag: any StoredTag, isDump: Bool)]
  /// The trace that the board answers from; nil where it answers from its virtual tags.
  package let script: ReplayScript?

  /// Starts a board. Each of `specs` is what a person presents at one go (a series: one tag after
  /// the other); with more than one presentation the next comes once the host has worked with the
  /// one before. The board differs from a genuine one in every way that one of them says.
  ///
  /// `link`: a symbolic link to the pseudo-terminal; `isRealtime`: as slow as a real board;
  /// `isHandled`: tags are laid down by `lay` alone; `onPhone` is told, on the board's thread, of
  /// each telephone that has gone; `onFailure` gets the failures of tags' files
  /// while the board runs. Fails with `usage` for tags that cannot be, with `noInput` or `badInput`
  /// for a tag's file, with `unavailable` without a pseudo-terminal.
  package init(
    _ specs: [SimulatedTagSpec], link: String? = nil, isRealtime: Bool = false,
    isHandled: Bool = false, onPhone: @escaping @Sendable (SimulatedPhone) -> Void = { _ in },
    onFailure: @escaping @Sendable (BenchError) -> Void = { _ in }
  ) throws(BenchError) {
    var tags = PresentedTags(onFailure: onFailure)
    do throws(VirtualTagError) {
      for spec in specs { try tags.add(spec) }
    } catch {
      throw BenchError(error)
    }
    kept = tags.kept
    self.tags = tags
    script = nil
    let hand: Field.Hand =
      !isHandled
        && (tags.count > 1 || specs.contains { $0.pull != nil || $0.stay != .zero })
      ? .automatic(
        patience: 3, pull: specs.compactMap(\.pull).first,
        stay: specs.map(\.stay).max() ?? .zero)
      : .manual
    board = SimulatedBoard(
      field: isHandled
        ? Field() : Field(count: tags.count, hand: hand, presentation: tags.presentation),
      deviations: specs.board,
      realtime: isRealtime || specs.contains(where: \.isRealtime))
    let phones = specs.flatMap(\.phones)
    if !phones.isEmpty {
      let pause = Duration.milliseconds(specs.map(\.pause).max() ?? 0)
      let queue = PhoneQueue(phones.map { $0.phone() }, pause: pause)
      queue.onLeaving = onPhone
      board.exclusively { $0.field.initiator = queue }
    }
    port = try Self.start(board, link)
  }

  /// Starts a board in one field with `player`, another board: while a program makes that one a
  /// tag, this one finds it. Fails with `unavailable`, and with `cannotCreate` for the link.
  package init(besidePlayer player: SimulatedReader, link: String? = nil) throws(BenchError) {
    let bridge = FieldBridge()
    player.board.exclusively { $0.field.initiator = bridge.initiator }
    (kept, tags, script) = ([], PresentedTags(onFailure: { _ in }), nil)
    board = SimulatedBoard(field: Field(bridge.tag()))
    port = try Self.start(board, link)
  }

  /// Starts a board that answers as one did in `trace`. Fails with `noInput` or `badInput` for its
  /// file, and likewise.
  package init(replaying trace: ReplayedTrace, link: String? = nil) throws(BenchError) {
    let script = ReplayScript(
      try trace.session(), keys: trace.keys, isTimed: trace.isTimed)
    (self.script, kept, tags) = (script, [], PresentedTags(onFailure: { _ in }))
    board = SimulatedBoard(field: Field())
    board.exclusively { $0.script = script }
    port = try Self.start(board, link)
  }

  private static func start(
    _ board: SimulatedBoard, _ link: String?
  ) throws(BenchError) -> String {
    do {
      return try board.start(link: link)
    } catch {
      let code: BenchError.Code = if case .link = error { .cannotCreate } else { .unavailable }
      throw BenchError(code, sentence(error.description))
    }
  }

  /// What was asked of the board so far.
  package var statistics: Statistics { board.statistics }

  /// How many presentations there are.
  package var presentationCount: Int { tags.count }

  /// The tags of a presentation, counted from 0.
  package func presentation(_ index: Int) -> [any VirtualTag] { tags.presentation(index) }

  /// Is true if all presentations have been laid down, and none is taken away and laid down again;
  /// of a trace, if it goes on no more.
  var isSpent: Bool { script?.isSpent ?? board.exclusively { $0.field.isSpent } }

  /// Takes everything away and lays a presentation down; nil: nothing.
  package func lay(_ index: Int?) {
    let presented = index.map(tags.presentation) ?? []
    board.exclusively { chip in
      if presented.isEmpty { chip.field.remove() } else { chip.field.place(presented) }
    }
  }

  /// Takes the MIFARE Classic away while it programs a sector trailer: the one that follows `after`
  /// others from now on, once `bytes` bytes of it are new.
  package func liftWithinTrailer(after: Int, bytes: Int) {
    board.exclusively { chip in
      chip.liftTag(
        withinWritesOf: { unit in
          Block(UInt8(clamping: unit.lowerBound / Block.byteCount)).isTrailer
        }, after: after, bytes: bytes)
    }
  }

  /// Takes the board's power away and gives it back; returns its new port. Fails with
  /// `unavailable`.
  package func cutPower() throws(BenchError) -> String {
    board.unplug()
    do {
      port = try board.start()
      return port
    } catch {
      throw BenchError(.unavailable, sentence(error.description))
    }
  }

  /// Stops the board and saves what the tags hold. Fails with `cannotCreate`.
  package func end() throws(BenchError) {
    board.stop()
    do throws(VirtualTagError) {
      for (spec, tag, isDump) in kept where !isDump { try spec.save(tag) }
    } catch {
      throw BenchError(error)
    }
  }
}

extension BenchError {
  /// A specification that cannot be understood is the caller's fault, a file its own.
  init(_ error: VirtualTagError) {
    let code: Code =
      switch error {
      case .cannotRead: .noInput
      case .cannotWrite: .cannotCreate
      case .unusableFile, .otherProduct, .otherUID, .damagedFile, .uidDisagrees: .badInput
      default: .usage
      }
    self.init(code, sentence(error.description))
  }
}
