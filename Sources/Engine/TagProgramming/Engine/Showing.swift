/// What whoever reads a tag, without its password, finds on it.
package enum Shows: Hashable, Sendable {
  /// The message that was there before the job, an empty one too.
  case oldMessage
  /// An NDEF tag, and in it nothing that a reader takes for a message.
  case noMessage
  /// A message without bytes, in place of the old one or of the new.
  case emptyMessage
  /// The message that the job was to put there.
  case newMessage
  /// No NDEF tag.
  case notNDEF
  /// Only half of the MIFARE application directory is written: readers may or may not find the
  /// message.
  case halfDirectory
}

/// What a tag shows while the steps of a program, or of one phase of it, are carried out: its
/// planner's word.
struct Showing: Hashable, Sendable {
  /// Before the first step.
  let before: Shows
  /// From the step of this number on, once that is done; the others change nothing.
  private var changes: [Int: Shows] = [:]

  init(_ before: Shows) { self.before = before }

  /// Notes that the tag shows `shows` once step `index` is done.
  mutating func change(to shows: Shows, after index: Int) { changes[index] = shows }

  /// What it shows when all steps before `index` are done, and no others.
  func shows(before index: Int) -> Shows {
    changes.filter { $0.key < index }.max { $0.key < $1.key }?.value ?? before
  }

  /// What it shows in the end.
  var after: Shows { shows(before: .max) }

  /// The first step after which `shows` is there; nil for none.
  func first(_ shows: Shows) -> Int? { changes.filter { $0.value == shows }.keys.min() }

  /// Returns what is shown with the steps of `preparation` behind the first `first`: until the last
  /// write of those is done, readers find `shows`.
  func unseen(before first: Int, until preparation: [TagProgram.Step], as shows: Shows) -> Showing {
    var result = Showing(shows)
    if let last = preparation.lastIndex(where: \.isWrite) {
      result.change(to: self.shows(before: first), after: first + last)
    }
    for (index, shows) in changes where index >= first {
      result.changes[index + preparation.count] = shows
    }
    return result
  }

  /// Returns what is shown with `count` steps, which change nothing, before step `index`.
  func inserting(_ count: Int, at index: Int) -> Showing {
    var result = Showing(before)
    for (step, shows) in changes { result.changes[step < index ? step : step + count] = shows }
    return result
  }

  /// Returns what is shown behind `count` other steps.
  func moved(by count: Int) -> Showing {
    var moved = Showing(before)
    for (index, shows) in changes { moved.changes[index + count] = shows }
    return moved
  }
}
