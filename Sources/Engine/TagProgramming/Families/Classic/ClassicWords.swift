import TagMemory

/// Sectors in sentences.
enum ClassicWords {
  /// `Sector 3`, `Sectors 1, 2 and 5`, `Sectors 1 to 15 and 17 to 39`.
  static func list(_ sectors: [Sector]) -> String {
    let numbers = NumberRuns.list(sectors.map(\.index))
    return sectors.count > 1 ? "Sectors \(numbers)" : "Sector \(numbers)"
  }
}
