import TagMemory

extension TagReader {
  /// What is looked for beside a tag of type A, which is then selected again. With FeliCa and
  /// type B that takes some 25 ms at 921600 baud.
  package enum Beside: Hashable, Sendable {
    /// The tag of type A ends the look.
    case nothing
    /// Tags of other technologies that have families here, FeliCa and type B: what is written must
    /// be what was meant.
    case whatIsWritten
    /// All that the chip can see.
    case everything

    var polls: [Poll] {
      switch self {
      case .nothing: []
      case .whatIsWritten: [.feliCa212, .typeB]
      case .everything: Poll.allCases
      }
    }
  }

  /// Looks from now on for the technology of `product` alone; nil: for everything that the chip can
  /// see, beside a tag of type A, too.
  public func look(for product: Product?) {
    technologies = product.map { [$0.technology] } ?? Set(Technology.allCases)
    beside = product == nil ? .whatIsWritten : .nothing
  }
}
