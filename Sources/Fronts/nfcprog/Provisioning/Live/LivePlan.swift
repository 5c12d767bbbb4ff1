/// How stations share a screen: tiles in rows and columns, with large letters where they fit, and
/// below them the list of the last verdicts.
struct LivePlan: Hashable {
  private(set) var columns = 1
  private(set) var rows = 1
  private(set) var tileWidth: Int
  private(set) var tileHeight: Int
  /// Of the list with its heading; 0: no room for it.
  private(set) var listHeight = 0

  /// The least tile with large letters: every short word fits, the station's name stands above it,
  /// what to do below.
  private static let large = (width: 28, height: 7)
  /// With a line for job and tag.
  private static let comfortable = 8
  /// A heading and ten verdicts.
  private static let list = 11

  /// `height`: what the head leaves.
  init(stations: Int, width: Int, height: Int) {
    let count = max(1, stations)
    (tileWidth, tileHeight) = (width, max(1, height))
    let large = (1...count).compactMap { Self.large(count, $0, width, height) }
    if let best = large.max(by: { $0.score < $1.score }) {
      self = best
      return
    }
    for tall in [4, 3, 2] {
      let plan = Self(count, tall, width, height)
      guard let plan, plan.tileWidth >= 15 else { continue }
      self = plan
      return
    }
    if let plan = Self(count, 1, width, height) { self = plan }
  }

  private init(width: Int, height: Int) { (tileWidth, tileHeight) = (width, height) }

  /// Tiles of `tall` lines without large letters.
  private init?(_ count: Int, _ tall: Int, _ width: Int, _ height: Int) {
    guard height >= tall else { return nil }
    let room = height / tall
    columns = (count + room - 1) / room
    rows = (count + columns - 1) / columns
    tileWidth = max(1, (width - columns + 1) / columns)
    tileHeight = tall
    listHeight = min(Self.list, height - rows * tall)
  }

  private static func large(
    _ count: Int, _ columns: Int, _ width: Int, _ height: Int
  ) -> Self? {
    let rows = (count + columns - 1) / columns
    var plan = Self(width: (width - columns + 1) / columns, height: height / rows)
    guard plan.tileWidth >= large.width, plan.tileHeight >= large.height else { return nil }
    (plan.columns, plan.rows) = (columns, rows)
    let spare = height - rows * min(plan.tileHeight, comfortable)
    plan.listHeight = spare < 2 ? 0 : min(list, spare)
    plan.tileHeight = (height - plan.listHeight) / rows
    return plan
  }

  /// How large its letters can be.
  private var score: Double {
    min(Double(tileWidth) / Double(Self.large.width), Double(tileHeight) / Double(Self.comfortable))
  }
}
