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
  init(
    _ specs: [SimulatedTagSpec], link: String? = nil, realtime: Bool = false
  ) throws(CommandFailure) {
    var presentations: [[any VirtualTag]] = []
    var kept: [(spec: SimulatedTagSpec, tag: any StoredTag)] = []
    for spec in specs {
      do {
        let tags = try (0..<spec.tagCount).map { try Self.tag(of: spec, at: $0, among: kept) }
        if spec.file != nil { kept += tags.map { (spec, $0) } }
        switch spec.arrangement {
        case .together: presentations.append(tags)
        case .reel: presentations += tags.map { [$0] }
        }
      } catch let error as VirtualTagError {
        throw CommandFailure(error.exitStatus, sentence(error.description))
      } catch {
        throw CommandFailure(.bug, "\(error)")
      }
    }
    self.kept = kept
    let hand: Field.Hand = presentations.count > 1 ? .automatic(patience: 3) : .manual
    board = SimulatedBoard(field: Field(presentations, hand: hand), realtime: realtime)
    do {
      port = try board.start(link: link)
    } catch {
      let status: ExitStatus = if case .link = error { .cannotCreate } else { .unavailable }
      throw CommandFailure(status, sentence(error.description))
    }
  }

  /// The tag at `index` of `spec`; one that an earlier turn took from the same file is laid down again.
  private static func tag(
    of spec: SimulatedTagSpec, at index: Int,
    among kept: [(spec: SimulatedTagSpec, tag: any StoredTag)]
  ) throws(VirtualTagError) -> any StoredTag {
    guard let path = spec.file, let known = kept.first(where: { $0.spec.file == path })?.tag else {
      return try spec.storedTag(at: index)
    }
    let wanted = try spec.tag(at: index)
    guard known.product == wanted.product else {
      throw .otherProduct(path: path, found: known.product, wanted: wanted.product)
    }
    guard spec.uids.isEmpty || known.uid == wanted.uid else {
      throw .otherUID(path: path, found: known.uid, wanted: wanted.uid)
    }
    return known
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
