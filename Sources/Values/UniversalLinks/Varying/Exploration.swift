import NDEF

/// Finds, for a message that varies, a few of its fillings that stand for all: every other one
/// matches the same patterns as one of these.
///
/// All patterns read at once, each the part of the link that it looks at, place after place of the
/// message. Fillings that have brought all patterns into the same states are one from there on
/// (the subset construction), so that the number of states counts, and not that of fillings.
package struct Exploration<Machine: TextMachine> {
  /// A pattern on its way through its text.
  private enum Reader: Hashable {
    case reading(Machine.State)
    case done(Bool)
  }

  /// A pattern, and what stands behind each place of its text up to the next one.
  private struct Run {
    let machine: Machine
    let start: Machine.State
    var pieces: [(place: Int, behind: [Machine.Unit])] = []
  }

  private let choices: [[Machine.Unit]]
  private var runs: [Run] = []
  /// Is true if what a pattern looks at is not the text of the places: nothing can be said then.
  private var isLost = false

  /// More states than that are not followed.
  private static var stateLimit: Int { 2_000 }
  /// Nor more work: characters that a pattern reads.
  private static var costLimit: Int { 400_000 }

  /// `unit`: what patterns read of a byte.
  package init(_ message: VaryingMessage, _ unit: (UInt8) -> Machine.Unit) {
    choices = message.places.map { $0.choices.map(unit) }
  }

  /// Adds a pattern; `texts`: what it looks at in each of the message's samples.
  package mutating func add(_ machine: Machine, _ texts: [[Machine.Unit]]) {
    guard let first = texts.first, texts.allSatisfy({ $0.count == first.count }) else {
      isLost = true
      return
    }
    var pieces: [(place: Int, behind: [Machine.Unit])] = []
    var start = machine.start
    for index in first.indices {
      let place = texts.indices.reduce(0) { number, sample in
        texts[sample][index] == first[index] ? number : number | 1 << (sample - 1)
      }
      if place == 0 {
        if pieces.isEmpty {
          start = machine.state(after: first[index], from: start)
        } else {
          pieces[pieces.count - 1].behind.append(first[index])
        }
        continue
      }
      guard choices.indices.contains(place - 1), pieces.last.map({ $0.place < place - 1 }) ?? true,
        texts.allSatisfy({
          [choices[place - 1].first, choices[place - 1].last].contains($0[index])
        })
      else {
        isLost = true
        return
      }
      pieces.append((place - 1, []))
    }
    guard !pieces.isEmpty, !machine.isLost(start) else { return }
    runs.append(Run(machine: machine, start: start, pieces: pieces))
  }

  /// Fillings that stand for all, each as an index into the choices of every place; nil where
  /// these are too many, or cannot be told.
  package func representatives() -> [[Int]]? {
    guard !isLost else { return nil }
    var positions = [[(run: Int, piece: Int)]](repeating: [], count: choices.count)
    for (run, known) in runs.enumerated() {
      for (piece, part) in known.pieces.enumerated() { positions[part.place].append((run, piece)) }
    }
    var fillings = [(readers: runs.map { Reader.reading($0.start) }, indices: [Int]())]
    var cost = 0
    for place in choices.indices {
      var seen: Set<[Reader]> = []
      var next: [(readers: [Reader], indices: [Int])] = []
      for filling in fillings {
        for index in choices[place].indices {
          var readers = filling.readers
          for (run, piece) in positions[place] where readers[run] != .done(false) {
            cost += runs[run].pieces[piece].behind.count + 1
            readers[run] = read(readers[run], choices[place][index], piece, of: runs[run])
          }
          if seen.insert(readers).inserted { next.append((readers, filling.indices + [index])) }
        }
        guard cost <= Self.costLimit, next.count <= Self.stateLimit else { return nil }
      }
      fillings = next
    }
    return fillings.map(\.indices)
  }

  private func read(
    _ reader: Reader, _ unit: Machine.Unit, _ piece: Int, of run: Run
  ) -> Reader {
    guard case .reading(var state) = reader else { return reader }
    state = run.machine.state(after: unit, from: state)
    for unit in run.pieces[piece].behind { state = run.machine.state(after: unit, from: state) }
    if run.machine.isLost(state) { return .done(false) }
    return piece == run.pieces.count - 1 ? .done(run.machine.accepts(state)) : .reading(state)
  }
}
