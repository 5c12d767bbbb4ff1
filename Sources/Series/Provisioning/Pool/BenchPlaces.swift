import Foundation
import LedgerSQLite

/// What a bench has left in its journal for a later run to do beside the tags, and by what it is
/// known again.
package struct LeftWork: Hashable, Sendable {
  /// Labels of finished tags that no printer has got.
  package var labels = 0
  /// Results of finished tags that nobody has taken.
  package var results = 0
  /// The label files that its tags have rows in.
  var files: [KnownFile] = []

  struct KnownFile: Hashable, Sendable {
    let path: String
    let device: Int64?
    let inode: Int64?
  }

  package var isEmpty: Bool { labels == 0 && results == 0 }
}

/// What a bench that starts does beside the tags: it decides which of a machine's places is its
/// own.
package struct PlaceWish: Hashable, Sendable {
  /// The label file; nil without one.
  let file: String?
  let printsLabels: Bool
  let deliversResults: Bool

  package init(file: String? = nil, printsLabels: Bool = false, deliversResults: Bool = false) {
    self.file = file.map { URL(filePath: $0).standardizedFileURL.path }
    (self.printsLabels, self.deliversResults) = (printsLabels, deliversResults)
  }

  /// The places that the bench may work in, the best first.
  ///
  /// A label file has the tags of one place: a bench with a file takes the place that has used it,
  /// or one that has used none. Of several it takes one with labels or results that it can hand on.
  func order(_ places: [(number: Int, left: LeftWork)]) -> [Int] {
    places.compactMap { (number, left) -> (Int, Int, Int)? in
      let isOwn = file == nil ? left.files.isEmpty : left.files.contains(where: isFile)
      guard isOwn || file == nil || left.files.isEmpty else { return nil }
      let hasWork = printsLabels && left.labels > 0 || deliversResults && left.results > 0
      return (isOwn ? 0 : 1, hasWork ? 0 : 1, number)
    }.sorted { $0 < $1 }.map(\.2)
  }

  /// Returns whether it is the bench's file, or the same one under the name that it had before.
  private func isFile(_ known: LeftWork.KnownFile) -> Bool {
    guard let file else { return false }
    guard known.path != file else { return true }
    let there = OpenLabels.identity(of: file)
    return there.map { $0.device == known.device && $0.inode == known.inode } ?? false
  }
}

extension PoolSeries {
  /// The place that this bench works in, one that no other process has; nil: the folder cannot be
  /// written.
  func lock(in folder: String) -> SlotLock? {
    let places = SlotLock.places(in: folder).map { number in
      (number, Self.leftWork(number, in: folder))
    }
    for number in wish.order(places) {
      if let lock = SlotLock(left: number, in: folder) { return lock }
    }
    return SlotLock(firstIn: folder, unused: true)
  }

  private static func leftWork(_ number: Int, in folder: String) -> LeftWork {
    let path = SlotLock.journal(number, in: folder)
    return (try? Journal(at: path, access: .readOnly).leftWork()) ?? LeftWork()
  }

  /// What benches that worked on this machine, and do not now, have left for themselves to do.
  package static func leftWork(beside bench: PoolBench) -> LeftWork {
    let folder = URL(filePath: bench.journal.path).deletingLastPathComponent().path
    var all = LeftWork()
    for number in SlotLock.places(in: folder) where SlotLock(left: number, in: folder) != nil {
      let left = leftWork(number, in: folder)
      all.labels += left.labels
      all.results += left.results
    }
    return all
  }
}

extension Journal {
  /// What a run has left that was killed.
  func leftWork() throws(JournalError) -> LeftWork {
    var left = LeftWork()
    (left.labels, left.results) = (try labelsDue(), try resultsDue())
    left.files = try labelFiles().map {
      LeftWork.KnownFile(path: $0.path, device: $0.device, inode: $0.inode)
    }
    return left
  }
}
