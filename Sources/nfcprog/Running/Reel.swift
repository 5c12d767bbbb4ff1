import PN532Simulator

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What is laid down on a simulated board, one presentation after the other. The tags of a long reel are made when it
/// is their turn, and forgotten when they have gone.
struct Reel {
  /// Tags with a file of their own.
  private(set) var kept: [(spec: SimulatedTagSpec, tag: any StoredTag)] = []
  /// How many presentations there are.
  private(set) var count = 0
  private var turns: [(first: Int, make: (Int) -> [any VirtualTag])] = []

  /// Adds what `spec` says. Throws when it cannot be made, or its files cannot be used.
  mutating func add(_ spec: SimulatedTagSpec) throws {
    if let folder = spec.folder, unsafe mkdir(folder, 0o777) != 0, errno != EEXIST {
      throw VirtualTagError.cannotWrite(
        path: folder, reason: unsafe String(cString: strerror(errno)))
    }
    switch spec.arrangement {
    case .together:
      let tags = try (0..<spec.tagCount).map { index in
        spec.folder == nil ? try tag(of: spec, at: index) : try Self.tag(of: spec, at: index)
      }
      if spec.file != nil {
        for tag in tags { spec.saveEachCycle(of: tag, onFailure: Self.complain) }
        kept += tags.map { (spec, $0) }
      }
      turns.append((count, { _ in tags }))
      count += 1
    case .reel(_, let length):
      turns.append(
        (
          count,
          { index in
            do throws(VirtualTagError) {
              return [try Self.tag(of: spec, at: index)]
            } catch {
              Self.complain(error)
              return []
            }
          }
        ))
      count += length
    }
  }

  /// The presentation of a number, counted from 0.
  func presentation(_ index: Int) -> [any VirtualTag] {
    guard let turn = turns.last(where: { $0.first <= index }) else { return [] }
    return turn.make(index - turn.first)
  }

  /// A tag whose memory a folder may keep.
  private static func tag(
    of spec: SimulatedTagSpec, at index: Int
  ) throws(VirtualTagError) -> any StoredTag {
    try spec.keptTag(at: index, onFailure: complain)
  }

  private static func complain(_ error: VirtualTagError) {
    Console().complain("nfcprog: \(sentence(error.description))")
  }

  /// The tag at `index` of `spec`; one that an earlier turn took from the same file is laid down again.
  private func tag(
    of spec: SimulatedTagSpec, at index: Int
  ) throws(VirtualTagError) -> any StoredTag {
    guard let path = spec.file, let known = kept.first(where: { $0.spec.file == path })?.tag else {
      return try spec.storedTag(at: index)
    }
    let wanted = try spec.tag(at: index)
    guard known.product == wanted.product else {
      throw .otherProduct(path: path, found: known.product, wanted: wanted.product)
    }
    guard spec.uids.isEmpty || known.storedUID == wanted.storedUID else {
      throw .otherUID(path: path, found: known.storedUID, wanted: wanted.storedUID)
    }
    return known
  }
}
