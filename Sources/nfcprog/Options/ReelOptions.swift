import ArgumentParser
import TagMemory

/// What is known of the tags before they come.
struct ReelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The type of tag that comes, such as ntag213: no other is looked for, or written.",
      valueName: "type"))
  var tag: String?

  /// Nil: any.
  var product: Product? { tag.flatMap(Product.named) }

  func validate() throws {
    guard let tag, product == nil else { return }
    throw ValidationError(
      "--tag: there is no type of tag called \u{201C}\(tag)\u{201D}. Name one as info does, such as ntag213."
    )
  }
}
