/// A first word that is no command: mostly one that was mistyped.
enum UnknownCommand {
  /// What to say where the first of `arguments` is none of the commands `names`; nil where it is
  /// one, or an option.
  static func sentence(_ arguments: [String], names: [String]) -> String? {
    guard let word = arguments.first, !word.hasPrefix("-"), word != "help", !names.contains(word)
    else { return nil }
    let shown = word.prefix(40)
    let near = names.map { (name: $0, distance: distance(word.lowercased(), $0)) }
      .min { $0.distance < $1.distance }
    guard let near, near.distance <= max(1, near.name.count / 3) else {
      return "No command \(shown). nfcprog --help lists the commands."
    }
    return "No command \(shown). Did you mean \(near.name)?"
  }

  /// How many characters have to be put in, left out, replaced, or exchanged with the next
  /// (Damerau and Levenshtein).
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.prefix(40)), Array(right))
    var rows = [Array(0...right.count)]
    for row in 0..<left.count {
      var next = [row + 1]
      for column in 0..<right.count {
        let isSame = left[row] == right[column]
        var best = min(
          next[column] + 1, rows[row][column + 1] + 1, rows[row][column] + (isSame ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, rows[row - 1][column - 1] + 1)
        }
        next.append(best)
      }
      rows.append(next)
    }
    return rows[left.count][right.count]
  }
}
