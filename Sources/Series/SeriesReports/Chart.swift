import Foundation

/// Drawings in SVG: labelled, so that they can be read without their colours.
enum Chart {
  struct Bar {
    var name: String
    var value: Double
    /// What stands behind the bar.
    var label: String

    init(_ name: String, _ value: Double, _ label: String) {
      (self.name, self.value, self.label) = (name, value, label)
    }
  }

  private static let width = 560.0

  /// Bars that lie, one under the other; at most ten, the rest counted.
  static func bars(_ title: String, _ bars: [Bar], none: String, colour: String = "bar")
    -> String
  {
    guard let most = bars.map(\.value).max(), most > 0 else {
      return figure(title, "<p class=\"none\">\(HTML.text(none))</p>")
    }
    let shown = bars.prefix(10)
    let (left, room, step) = (130.0, width - 130 - 170, 26.0)
    var drawing = ""
    for (index, bar) in shown.enumerated() {
      let top = Double(index) * step
      let length = max(2, room * bar.value / most)
      drawing += """
        <text x="\(left - 8)" y="\(top + 17)" text-anchor="end">\(HTML.text(short(bar.name)))</text>\
        <rect class="\(colour)" x="\(left)" y="\(top + 4)" width="\(number(length))" height="18" rx="2"/>\
        <text class="value" x="\(number(left + length + 7))" y="\(top + 17)">\(HTML.text(bar.label))</text>
        """
    }
    let more = bars.count - shown.count
    let rest = more > 0 ? "<p class=\"none\">And \(more) more.</p>" : ""
    let height = Double(shown.count) * step + 4
    return figure(title, svg(height, drawing, title) + rest)
  }

  /// Finished and failed tags over time: bars that stand, the failed on top.
  static func throughput(_ report: Report) -> String {
    let title = "Tags in each \(length(report.periodLength))"
    let periods = report.periods
    guard let first = periods.first, let last = periods.last else {
      return figure("Tags over time", "<p class=\"none\">No tag was worked on.</p>")
    }
    let most = periods.map { $0.written + $0.failed }.max() ?? 1
    let top = ceiling(most)
    let (left, height, room) = (60.0, 170.0, width - 60 - 8)
    let step = min(40, room / Double(periods.count))
    func y(_ count: Int) -> Double { 10 + height - height * Double(count) / Double(top) }
    var drawing = ""
    for part in [0, top / 2, top] where part == 0 || top > 1 || part == top {
      drawing += """
        <line class="grid" x1="\(left)" x2="\(width - 8)" y1="\(number(y(part)))" y2="\(number(y(part)))"/>\
        <text class="value" x="\(left - 6)" y="\(number(y(part) + 4))" text-anchor="end">\(Report.number(part))</text>
        """
    }
    for (index, period) in periods.enumerated() where period.written + period.failed > 0 {
      let place =
        "x=\"\(number(left + Double(index) * step + 1))\" width=\"\(number(max(1, step - 2)))\""
      let (good, all) = (y(period.written), y(period.written + period.failed))
      drawing +=
        "<g><title>\(period.start.reportSecond) \(ReportTime.zone): \(Report.number(period.written)) finished, "
      drawing += "\(Report.number(period.failed)) failed</title>"
      drawing +=
        "<rect class=\"bar\" \(place) y=\"\(number(good))\" height=\"\(number(10 + height - good))\"/>"
      if period.failed > 0 {
        drawing +=
          "<rect class=\"fail\" \(place) y=\"\(number(all))\" height=\"\(number(max(1, good - all)))\"/>"
      }
      drawing += "</g>"
    }
    let foot = 10 + height + 18
    drawing +=
      "<text class=\"value\" x=\"\(left)\" y=\"\(foot)\">\(first.start.reportMinute)</text>"
    if periods.count > 1 {
      let end = min(width - 8, max(left + 240, left + Double(periods.count) * step))
      let text = last.start.addingTimeInterval(report.periodLength / .seconds(1)).reportMinute
      drawing +=
        "<text class=\"value\" x=\"\(number(end))\" y=\"\(foot)\" text-anchor=\"end\">\(text) \(ReportTime.zone)</text>"
    }
    let key = "<p class=\"key\"><i class=\"bar\"></i>finished <i class=\"fail\"></i>failed</p>"
    return figure(title, svg(foot + 8, drawing, title) + key)
  }

  private static func figure(_ title: String, _ content: String) -> String {
    "<figure><figcaption>\(HTML.text(title))</figcaption>\(content)</figure>"
  }

  private static func svg(_ height: Double, _ content: String, _ title: String) -> String {
    "<svg viewBox=\"0 0 \(number(width)) \(number(height))\" role=\"img\" aria-label=\"\(HTML.text(title))\">"
      + content + "</svg>"
  }

  /// One digit behind the point.
  private static func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  private static func short(_ name: String) -> String {
    name.count > 18 ? name.prefix(17) + "…" : name.isEmpty ? "not named" : name
  }

  /// The least of 1, 2, 5, 10, 20, 50, … that is not below `value`; even, or 1, so that its half is
  /// whole.
  private static func ceiling(_ value: Int) -> Int {
    var unit = 1
    while true {
      for factor in [1, 2, 4, 6, 8] where unit * factor >= value { return unit * factor }
      unit *= 10
    }
  }

  private static func length(_ duration: Duration) -> String {
    let seconds = Int(duration.components.seconds)
    let units = [(604_800, "week"), (86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")]
    guard let (unit, name) = units.first(where: { seconds % $0.0 == 0 && seconds >= $0.0 }) else {
      return "period"
    }
    return seconds == unit ? name : "\(seconds / unit) \(name)s"
  }
}
