/// Letters five lines high, to be read at two metres: words as rows of filled and empty cells.
enum BlockLetters {
  /// How many cells of a terminal make one dot of a letter.
  struct Size: Hashable {
    let across: Int
    let down: Int

    /// The largest first. A cell is about twice as high as it is wide.
    static let all = [(8, 4), (6, 3), (4, 2), (3, 2), (2, 1), (1, 1)].map(Size.init)

    private init(_ size: (Int, Int)) { (across, down) = size }
  }

  /// Lines of a letter, before it is enlarged.
  static let height = 5

  /// `word` in the largest size that fits into `width` columns and `height` lines, with `symbol`
  /// before it where that fits too; nil where the word does not fit or has a character without a
  /// letter here.
  static func lines(_ word: String, symbol: Character?, width: Int, height: Int) -> [String]? {
    guard let rows = rows(word) else { return nil }
    for size in Size.all where size.down * Self.height <= height {
      if let symbol, let mark = glyphs[symbol] {
        let both = zip(mark, rows).map { $0 + ".." + $1 }
        if both[0].count * size.across <= width { return enlarged(both, size) }
      }
      if rows[0].count * size.across <= width { return enlarged(rows, size) }
    }
    return nil
  }

  /// Five rows of `#` and `.`, a column between letters.
  private static func rows(_ word: String) -> [String]? {
    var rows = [String](repeating: "", count: height)
    for (index, letter) in word.enumerated() {
      guard let glyph = letter == " " ? Array(repeating: ".", count: height) : glyphs[letter]
      else { return nil }
      for row in rows.indices { rows[row] += (index > 0 ? "." : "") + glyph[row] }
    }
    return rows[0].isEmpty ? nil : rows
  }

  private static func enlarged(_ rows: [String], _ size: Size) -> [String] {
    rows.flatMap { row in
      let line = row.map { String(repeating: $0 == "#" ? "█" : " ", count: size.across) }.joined()
      return [String](repeating: line, count: size.down)
    }
  }

  /// A letter's five rows; the symbols are those of `StationWord`.
  private static let glyphs: [Character: [String]] = font.mapValues {
    $0.split(separator: " ").map(String.init)
  }

  private static let font: [Character: String] = [
    "A": ".#. #.# ### #.# #.#", "B": "##. #.# ##. #.# ##.", "C": "### #.. #.. #.. ###",
    "D": "##. #.# #.# #.# ##.", "E": "### #.. ##. #.. ###", "F": "### #.. ##. #.. #..",
    "G": "#### #... #.## #..# ####", "H": "#.# #.# ### #.# #.#", "I": "# # # # #",
    "J": "..# ..# ..# #.# ###", "K": "#.# #.# ##. #.# #.#", "L": "#.. #.. #.. #.. ###",
    "M": "#...# ##.## #.#.# #...# #...#", "N": "#..# ##.# #.## #..# #..#",
    "O": "### #.# #.# #.# ###", "P": "### #.# ### #.. #..", "Q": "### #.# #.# ### ..#",
    "R": "##. #.# ##. #.# #.#", "S": "### #.. ### ..# ###", "T": "### .#. .#. .#. .#.",
    "U": "#.# #.# #.# #.# ###", "V": "#.# #.# #.# #.# .#.",
    "W": "#...# #...# #.#.# ##.## #...#", "X": "#.# #.# .#. #.# #.#",
    "Y": "#.# #.# ### .#. .#.", "Z": "### ..# .#. #.. ###",
    "0": "### #.# #.# #.# ###", "1": ".# ## .# .# .#", "2": "### ..# ### #.. ###",
    "3": "### ..# .## ..# ###", "4": "#.# #.# ### ..# ..#", "5": "### #.. ### ..# ###",
    "6": "### #.. ### #.# ###", "7": "### ..# ..# .#. .#.", "8": "### #.# ### #.# ###",
    "9": "### #.# ### ..# ###",
    "✔": "....# ...## #.##. ###.. .#...", "✖": "#...# .#.#. ..#.. .#.#. #...#",
    "↻": ".##.# #..## #.### #...# .###.", "○": ".###. #...# #...# #...# .###.",
    "▼": "..#.. ..#.. ##### .###. ..#..", "!": "# # # . #",
  ]
}
