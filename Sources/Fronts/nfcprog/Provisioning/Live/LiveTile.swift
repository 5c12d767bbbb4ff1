import Provisioning

/// What one station shows in its part of the screen.
struct LiveTile {
  let place: StationView
  /// From 1; nil where there is one station only.
  let number: Int?
  let width: Int
  let height: Int

  /// Exactly `height` lines; none is wider than `width`.
  var lines: [[StyledText]] {
    let lines = height == 1 ? [line] : heading + body
    let rest = max(0, height - lines.count)
    return (lines + Array(repeating: [], count: rest)).prefix(height).map { $0.cut(to: width) }
  }

  private var style: Console.Style? { place.word.style }

  /// Everything in one line.
  private var line: [StyledText] {
    let symbol = place.word.symbol.map { "\($0) " } ?? ""
    let word = symbol + (width < 24 ? place.word.text : place.word.order)
    let label = number.map { "\($0) " } ?? ""
    let spare = width - label.columns - word.columns - 3
    let name = spare >= 6 ? "\(place.name.tail(min(spare, 24))) " : ""
    return [StyledText(label + name), StyledText(word, style), StyledText("  " + facts)]
  }

  /// Which station, and which tag.
  private var heading: [[StyledText]] {
    let tag = place.tag.map { "tag \($0)" } ?? ""
    let label = number.map { "\($0) " } ?? ""
    let room = width - label.columns - tag.columns - (tag.isEmpty ? 0 : 1)
    guard room >= 4 else { return [[StyledText(label + place.name.tail(width - label.columns))]] }
    return [
      [StyledText(label + place.name.tail(room))].padded(to: width - tag.columns)
        + [StyledText(tag)]
    ]
  }

  private var body: [[StyledText]] {
    // The name above, what to do and the job below; a line of air where there is room.
    let room = height - 2 - min(2, max(0, height - 7))
    let letters = [place.word.text, place.word.short].lazy.compactMap { word in
      BlockLetters.lines(word, symbol: place.word.symbol, width: width, height: room)
    }.first
    guard let letters else { return caption() + details(height - 1 - caption().count) }
    let caption = caption(isBelowLetters: true)
    // Where the tag goes, in large letters, too, where that leaves room for the words below.
    let second = height - letters.count >= 11 ? largeBin : nil
    let large = letters + (second.map { [""] + $0 } ?? [])
    let air = height - large.count >= 6
    let lines = large.map { line -> [StyledText] in
      line.isEmpty ? [] : [StyledText(Self.margin(line.count, in: width)), StyledText(line, style)]
    }
    // Below large letters the words stand in the middle, too.
    let below = caption + details(height - large.count - (air ? 3 : 1) - caption.count)
    let middle = below.map { [StyledText(Self.margin($0.width, in: width))] + $0 }
    return air ? [[]] + lines + [[]] + middle : lines + middle
  }

  private static func margin(_ count: Int, in width: Int) -> String {
    String(repeating: " ", count: max(0, (width - count) / 2))
  }

  /// `BIN IT`, `GOOD ALREADY`, `WRONG TYPE`.
  private var largeBin: [String]? {
    guard place.word == .fail || place.word == .left, !place.isEarly else { return nil }
    let bin = place.bin.split(separator: ":").last?.split(separator: ",").first ?? ""
    let word = bin.drop { $0 == " " }.uppercased()
    return BlockLetters.lines(word, symbol: nil, width: width, height: BlockLetters.height)
  }

  /// The word and where the tag goes: in one line, or in two.
  private func caption(isBelowLetters: Bool = false) -> [[StyledText]] {
    let symbol = place.word.symbol.map { "\($0) " } ?? ""
    let bin = place.bin.isEmpty ? "" : ": \(place.bin)"
    if place.isEarly {
      // The large letters say the word.
      let word = isBelowLetters ? "" : symbol + place.word.text + ", "
      let order = Self.wrapped("\(word)TOO EARLY: \(place.bin.uppercased())", width)
      return order.map { [StyledText($0, style)] }
    }
    let orders = place.isFree ? [place.word.text] : [place.word.order, place.word.text]
    if let order = orders.first(where: { (symbol + $0 + bin).columns <= width }) {
      return [[StyledText(symbol + order + bin, style)]]
    }
    return [[StyledText(symbol + place.word.text, style)], [StyledText(place.bin, style)]]
  }

  /// Job and reason in one line.
  private var facts: String {
    let order =
      place.isEarly ? ["TOO EARLY: \(place.bin.uppercased())"] : [place.bin, place.jobText]
    return (order + [place.reason]).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Job, reason and what comes next, in up to `count` lines.
  private func details(_ count: Int) -> [[StyledText]] {
    var texts = [place.jobText, place.reason]
    if place.isFree, place.word != .again { texts.append("then place the next tag") }
    let lines = texts.filter { !$0.isEmpty }.flatMap { Self.wrapped($0, width) }
    return lines.prefix(max(0, count)).map { [StyledText($0)] }
  }

  /// `text` in lines of up to `width` columns, broken between words.
  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    for word in text.harmless.split(separator: " ") {
      if let last = lines.last, last.columns + 1 + String(word).columns <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word).head(width))
      }
    }
    return lines
  }
}
