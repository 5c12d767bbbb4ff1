import ArgumentParser
import TagMemory

/// What is known of the tags before they come.
struct TagTypeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The expected tag type, such as ntag213: only its technology is looked for, and a command that writes refuses other types.",
      valueName: "type"), completion: .tagTypes())
  var tag: String?

  /// Nil: any.
  var product: Product? { tag.flatMap(Product.named) }

  func validate() throws { try Self.check(tag) }

  /// Fails for a name that no type has.
  static func check(_ tag: String?) throws(ValidationError) {
    guard let tag, Product.named(tag) == nil else { return }
    throw ValidationError(
      "--tag: there is no tag type called \u{201C}\(tag)\u{201D}. Name one as info does, such as ntag213."
    )
  }
}
