import PN532Simulator

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The virtual tags that are presented to a simulated board, one presentation after the other. The
/// tags of a long series are made when it is their turn, and forgotten when they have gone.
struct PresentedTags {
  /// Tags with a file of their own. A dump stays as it is: it is in another program's format.
  private(set) var kept: [(spec: SimulatedTagSpec, tag: any StoredTag, isDump: Bool)] = []
  /// How many presentations there are.
  private(set) var count = 0
  private var turns: [(first: Int, make: (Int) -> [any VirtualTag])] = []
  /// Where it is said that a tag's file cannot be used once the board runs.
  private let onFailure: @Sendable (BenchError) -> Void

  init(onFailure: @escaping @Sendable (BenchError) -> Void) { self.onFailure = onFailure }

  /// Adds the tags of `spec`. Throws when it cannot be made, or its files cannot be used.
  mutating func add(_ spec: SimulatedTagSpec) throws(VirtualTagError) {
    if let folder = spec.folder, unsafe mkdir(folder, 0o777) != 0, errno != EEXIST {
      throw .cannotWrite(path: folder, reason: unsafe String(cString: strerror(errno)))
    }
    let complain: (VirtualTagError) -> Void = { [onFailure] in onFailure(BenchError($0)) }
    switch spec.arrangement {
    case .together:
      var tags: [any StoredTag] = []
      for index in 0..<spec.tagCount {
        guard spec.file != nil else {
          tags.append(try spec.keptTag(at: index, onFailure: complain))
          continue
        }
        let (tag, isDump) = try tag(of: spec, at: index)
        if !isDump { spec.saveEachCycle(of: tag, onFailure: complain) }
        kept.append((spec, tag, isDump))
        tags.append(tag)
      }
      let presented = tags
      turns.append((count, { _ in presented }))
      count += 1
    case .series(_, let length):
      let make: (Int) -> [any VirtualTag] = { index in
        do throws(VirtualTagError) {
          return [try spec.keptTag(at: index, onFailure: complain)]
        } catch {
          complain(error)
          return []
        }
      }
      turns.append((count, make))
      count += length
    }
  }

  /// The presentation of a number, counted from 0.
  func presentation(_ index: Int) -> [any VirtualTag] {
    guard let turn = turns.last(where: { $0.first <= index }) else { return [] }
    return turn.make(index - turn.first)
  }

  /// The tag at `index` of `spec`; one that an earlier turn took from the same file is presented
  /// again.
  private func tag(
    of spec: SimulatedTagSpec, at index: Int
  ) throws(VirtualTagError) -> (any StoredTag, isDump: Bool) {
    guard let path = spec.file, let (_, known, isDump) = kept.first(where: { $0.spec.file == path })
    else {
      if let tag = try spec.tagOfDump(at: index) { return (tag, true) }
      return (try spec.storedTag(at: index), false)
    }
    let wanted = try spec.tag(at: index)
    guard known.product == wanted.product else {
      throw .otherProduct(path: path, found: known.product, wanted: wanted.product)
    }
    guard spec.uids.isEmpty || known.storedUID == wanted.storedUID else {
      throw .otherUID(path: path, found: known.storedUID, wanted: wanted.storedUID)
    }
    return (known, isDump)
  }
}
