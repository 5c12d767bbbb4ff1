extension LiveView {
  /// At most `height` lines, none wider than `width` columns; `now` since the start.
  func lines(width: Int, height: Int, now: Duration) -> [[StyledText]] {
    let head = head(width: width, height: height, now)
    let plan = LivePlan(stations: places.count, width: width, height: height - head.count)
    var lines = head + tiles(plan)
    lines += list(plan, width: width, now)
    return lines.prefix(max(1, height)).map { $0.cut(to: width) }
  }

  // MARK: The head

  private func head(width: Int, height: Int, _ now: Duration) -> [[StyledText]] {
    let progress = [StyledText(progress(width))]
    var rate = [StyledText(rate(now)), StyledText(waitingText, .look)]
    if rate[0].text.columns + 16 > width { rate.removeLast() }
    if height < 12 { return [progress] }
    return height < 22 ? [progress, rate] : [[StyledText(title, .bold)], progress, rate]
  }

  private func progress(_ width: Int) -> String {
    let done = before + passed
    let filled = goal > 0 ? min(20, 20 * done / goal) : 20
    let bar = String(repeating: "#", count: filled) + String(repeating: "·", count: 20 - filled)
    var parts = [goal > 0 ? "\(done) of \(goal) done" : "\(done) done", "\(failed) failed"]
    if held > 0 { parts.append("\(held) to lay down again") }
    if left > 0 { parts.append("\(left) not written") }
    let text = parts.joined(separator: ", ")
    guard goal > 0 else { return text }
    return text.columns + 23 <= width ? "[\(bar)] \(text)" : text
  }

  private func rate(_ now: Duration) -> String {
    let seconds = now / .seconds(1)
    guard passed > 0, seconds > 1 else { return "running \(Self.clock(now))" }
    let hourly = Double(passed) * 3600 / seconds
    let speed = "running \(Self.clock(now)), \(Int(hourly)) tags an hour"
    guard goal > 0 else { return speed }
    let remaining = Double(max(0, goal - before - passed)) * seconds / Double(passed)
    return speed + ", about \(Self.clock(.seconds(Int(remaining)))) left"
  }

  /// Which tags are to be laid down again, behind the rate.
  private var waitingText: String {
    guard !waiting.isEmpty else { return "" }
    let names = waiting.values.map(\.text).sorted().prefix(3).joined(separator: ", ")
    return "  again: \(names)" + (waiting.count > 3 ? " and \(waiting.count - 3) more" : "")
  }

  // MARK: Stations

  private func tiles(_ plan: LivePlan) -> [[StyledText]] {
    (0..<plan.rows).flatMap { row -> [[StyledText]] in
      // Read like a page: 1 2 3, then 4 5 6.
      let numbers = (row * plan.columns)..<min(places.count, (row + 1) * plan.columns)
      let tiles = numbers.map { number in
        LiveTile(
          place: places[number], number: places.count > 1 ? number + 1 : nil,
          width: plan.tileWidth, height: plan.tileHeight
        ).lines
      }
      return (0..<plan.tileHeight).map { line in
        tiles.enumerated().flatMap { index, tile in
          (index > 0 ? [StyledText("│")] : []) + tile[line].padded(to: plan.tileWidth)
        }
      }
    }
  }

  // MARK: The last verdicts

  private func list(_ plan: LivePlan, width: Int, _ now: Duration) -> [[StyledText]] {
    guard plan.listHeight > 1, !verdicts.isEmpty else { return [] }
    let shown = verdicts.prefix(plan.listHeight - 1)
    let names = places.map { $0.name.tail(16) }
    let nameWidth = names.map(\.columns).max() ?? 0
    let rows = shown.map { verdict -> [StyledText] in
      let bin = [.pass, .again].contains(verdict.word) ? nil : verdict.bin
      let rest = [verdict.tag.map { "tag \($0)" }, bin, verdict.job].compactMap(\.self)
      let symbol = verdict.word.symbol.map { "\($0) " } ?? ""
      return [StyledText(Self.age(now - verdict.when))].padded(to: 8)
        + [StyledText(names[verdict.station])].padded(to: nameWidth + 2)
        + [StyledText(symbol + verdict.word.text, verdict.word.style)].padded(to: 18)
        + [StyledText(rest.joined(separator: ", "))]
    }
    let line = "─── the last verdicts "
    let rule = line + String(repeating: "─", count: max(0, width - line.count))
    return [[StyledText(rule, .soft)]] + rows
  }

  /// `3 s`, `12 min`, `5 h`.
  private static func age(_ duration: Duration) -> String {
    let seconds = max(0, Int(duration / .seconds(1)))
    if seconds < 60 { return "\(seconds) s" }
    return seconds < 3600 ? "\(seconds / 60) min" : "\(seconds / 3600) h"
  }

  /// `1:02:03`, `2:03`.
  static func clock(_ duration: Duration) -> String {
    let seconds = Int(duration / .seconds(1))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0
      ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
  }
}
