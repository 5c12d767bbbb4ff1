import ArgumentParser
import PN532Simulator
import TagMemory

extension CompletionKind {
  /// The names of tag types; `others`: what else the option takes.
  static func tagTypes(and others: [String] = []) -> CompletionKind {
    .list(others + Product.all.map(\.name).uniqued)
  }

  /// Virtual tags. Real readers have names that only a look at the ports tells.
  static var readers: CompletionKind { .list(TagCatalog.names.map { "sim:\($0)" }) }
}

extension Sequence<String> {
  /// Each once, in their order.
  fileprivate var uniqued: [String] {
    var seen = Set<String>()
    return filter { seen.insert($0).inserted }
  }
}
