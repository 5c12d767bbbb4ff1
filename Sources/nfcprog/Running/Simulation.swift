import PN532Simulator

/// A simulated board with its virtual tags, and the files that keep what the tags hold.
final class Simulation {
  /// The pseudo-terminal's path, for libnfc and any other program.
  let port: String
  private let board: SimulatedBoard
  private let kept: [(spec: SimulatedTagSpec, tag: any StoredTag)]

  /// Starts a board. Each of `specs` is what a person lays down at one go (a reel: one tag after the other); with
  /// more than one presentation the next comes once the host has worked with the one before.
  /// Fails with `noInput` or `badInput` for a tag's file, with `unavailable` without a pseudo-terminal.
  /// The board differs from a genuine one in every way that one of them says.
  init(
    _ specs: [SimulatedTagSpec], link: String? = nil, realtime: Bool = false
  ) throws(CommandFailure) {
    var reel = Reel()
    for spec in specs {
      do {
        try reel.add(spec)
      } catch let error as VirtualTagError {
        throw CommandFailure(error.exitStatus, sentence(error.description))
      } catch {
        throw CommandFailure(.bug, "\(error)")
      }
    }
    kept = reel.kept
    let hand: Field.Hand = reel.count > 1 ? .automatic(patience: 3) : .manual
    board = SimulatedBoard(
      field: Field(count: reel.count, hand: hand, presentation: reel.presentation),
      deviations: specs.board,
      realtime: realtime || specs.contains(where: \.isRealtime))
    do {
      port = try board.start(link: link)
    } catch {
      let status: ExitStatus = if case .link = error { .cannotCreate } else { .unavailable }
      throw CommandFailure(status, sentence(error.description))
    }
  }

  /// What was asked of the board so far.
  var statistics: Statistics { board.statistics }

  /// Stops the board and saves what the tags hold. Fails with `cannotCreate`.
  func end() throws(CommandFailure) {
    board.stop()
    do throws(VirtualTagError) {
      for (spec, tag) in kept { try spec.save(tag) }
    } catch {
      throw CommandFailure(error.exitStatus, sentence(error.description))
    }
  }
}

extension VirtualTagError {
  /// A specification that cannot be understood is the command line's fault, a file its own.
  var exitStatus: ExitStatus {
    switch self {
    case .cannotRead: .noInput
    case .cannotWrite: .cannotCreate
    case .unusableFile, .otherProduct, .otherUID, .damagedFile, .uidDisagrees: .badInput
    default: .usage
    }
  }
}
