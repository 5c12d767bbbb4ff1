/// How many tags of a series were good, failed or were left alone, and why: one fold over what
/// happened, for reports, hubs and summaries alike.
package struct Figures: Hashable, Sendable {
  /// How often something was so, and what was said the first time.
  package struct Cause: Hashable, Sendable {
    package var count = 0
    package var example: String?

    package init(count: Int = 0, example: String? = nil) {
      (self.count, self.example) = (count, example)
    }
  }

  /// A cause has a stable word (empty: none is named), a count of how often it was so, and what was
  /// said the first time.
  package struct NamedCause: Hashable, Sendable {
    package let name: String
    package let count: Int
    package let example: String?

    package init(_ name: String, count: Int, example: String?) {
      (self.name, self.count, self.example) = (name, count, example)
    }
  }

  /// Tags of one type.
  package struct Counts: Hashable, Sendable {
    package var written = 0
    package var failed = 0
    package var left = 0

    package init(written: Int = 0, failed: Int = 0, left: Int = 0) {
      (self.written, self.failed, self.left) = (written, failed, left)
    }

    package mutating func add(_ count: EventCount, times: Int = 1) {
      switch count {
      case .success: written += times
      case .failure: failed += times
      case .leftAlone: left += times
      case .none: break
      }
    }
  }

  /// Of all types.
  package private(set) var all = Counts()
  /// By type of tag, as `sim:` calls it; empty: the type was not told.
  package private(set) var types: [String: Counts] = [:]
  /// By cause, as stores have it; empty: none is named.
  package private(set) var failures: [String: Cause] = [:]
  package private(set) var reasons: [String: Cause] = [:]
  /// Tags that a pool has contradicted its bench about, and that were counted.
  private var contradicted: Set<[UInt8]> = []

  package init() {}

  package var successes: Int { all.written }
  /// The number of times that work on a tag ended, well or badly.
  package var attempts: Int { all.written + all.failed }
  /// Good attempts of all; nil: there is none.
  package var yield: Double? { Self.share(all.written, of: attempts) }

  /// Returns the counts of each type, the most frequent type first. `good` counts the tags of each
  /// type that are good now: a tag that was written twice counts once.
  package func types(good: [String: Int]) -> [(type: String, counts: Counts)] {
    types.ranked.map { type, counts in
      (type, Counts(written: good[type] ?? 0, failed: counts.failed, left: counts.left))
    }
  }

  package static func share(_ part: Int, of whole: Int) -> Double? {
    whole > 0 ? Double(part) / Double(whole) : nil
  }

  /// Takes an event in; returns how it counts, which of a tag that is contradicted once more it
  /// does not.
  @discardableResult
  package mutating func take(_ event: Event) -> EventCount {
    guard let kind = EventKind(rawValue: event.kind) else { return .none }
    let cause = event.cause.flatMap(TagCause.init)
    return add(
      kind.count(cause, setsAside: event.what.setsAside), event.cause, tagType: event.tagType,
      example: event.text, contradicting: kind == .passed && cause == .conflict ? event.tag : nil)
  }

  /// Adds events of which it is known how they count; returns as what. `example`: what the first of
  /// them says; `contradicting`: the tag that a pool contradicts its bench about by them, counted
  /// once.
  @discardableResult
  package mutating func add(
    _ count: EventCount, _ cause: String?, tagType: String?, example: String?, times: Int = 1,
    contradicting tag: [UInt8]? = nil
  ) -> EventCount {
    guard count != .none, times > 0 else { return .none }
    var times = times
    if let tag {
      guard contradicted.insert(tag).inserted else { return .none }
      times = 1
    }
    all.add(count, times: times)
    types[tagType ?? "", default: Counts()].add(count, times: times)
    switch count {
    case .failure:
      failures[cause ?? "", default: Cause(example: example)].count += times
    case .leftAlone:
      reasons[cause ?? "", default: Cause(example: example)].count += times
    case .success, .none: break
    }
    return count
  }
}

extension [String: Int] {
  /// The sums of both; without what comes to nothing.
  package func adding(_ other: [String: Int]) -> [String: Int] {
    merging(other, uniquingKeysWith: +).filter { $0.value != 0 }
  }
}

extension [String: Figures.Cause] {
  /// The most frequent first; those that are equally frequent by their words.
  package var ranked: [Figures.NamedCause] {
    sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      .map { Figures.NamedCause($0.key, count: $0.value.count, example: $0.value.example) }
  }
}

extension [String: Figures.Counts] {
  /// The type of which most tags were written first.
  package var ranked: [(type: String, counts: Figures.Counts)] {
    sorted { ($1.value.written, $0.key) < ($0.value.written, $1.key) }
      .map { (type: $0.key, counts: $0.value) }
  }
}
