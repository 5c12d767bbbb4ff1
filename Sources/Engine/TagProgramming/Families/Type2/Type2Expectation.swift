import TagMemory

/// What the operator says the tags are, taken for true where a tag bears it out in what is read of
/// it anyway.
///
/// A chip that none of the others looks like shows itself in its first pages. One that does not
/// know GET_VERSION shows the end of its memory, with one READ. All others are asked, and so is
/// each tag that shows anything else.
struct Type2Expectation {
  let product: Product
  private let map: Type2Map

  /// Nil where the product is no Type 2 chip that is known whole.
  init?(_ product: Product?) {
    guard let product, product.support == .full, !product.sizeIsGuess, let map = product.type2
    else { return nil }
    (self.product, self.map) = (product, map)
  }

  /// The page whose READ shows the end of the memory; nil where the first pages tell enough, or
  /// where nothing but asking helps.
  var lastPage: Page? {
    guard !product.features.contains(.version) else { return nil }
    let count =
      map.tripleDES.flatMap { _ in map.key }.map { Int($0.pages.lowerBound.number) }
      ?? map.pageCount
    return Page(exactly: count - 1)
  }

  /// Returns whether pages 2 to 5 of the tag with `uid` are such as this chip alone has: the check
  /// byte, the capability container and, where the chip is delivered with one, its Lock Control
  /// TLV.
  func isBorneOut(by head: [UInt8], uid: UID) -> Bool {
    guard product.features.contains(.version), isUnlikeOthers, head.count == 16,
      head.first == uid.type2Bytes?.last,
      let container = try? CapabilityContainer(parsing: head[4..<8])
    else { return false }
    var plain = container
    plain.access = 0
    return container.readAccess == .free && plain == map.capabilityContainer
      && head[8...].starts(with: map.deliveredLockControl)
  }

  /// Returns whether `answer`, to a READ of `lastPage`, goes on with the tag's page 0, 1 and 2.
  func ends(in answer: [UInt8], head: [UInt8], uid: UID) -> Bool {
    guard answer.count == 16, let first = uid.type2Bytes else { return false }
    // Of page 2 the lock bytes, where they were read.
    let known = head.count == 16 ? first.dropLast() + head[0..<4] : first[...]
    return answer[4...].starts(with: known)
  }

  /// Is true if no chip of the product table but this one, and its copies, shows what this one
  /// does: the container and the Lock Control TLV, or the end of the memory. Where there is
  /// another, only a tag that is asked tells which it is.
  var isSole: Bool {
    Product.all.allSatisfy { other in
      guard other.name != product.name, let theirs = other.type2 else { return true }
      guard product.features.contains(.version) else { return theirs.pageCount != map.pageCount }
      return !looksAlike(theirs)
    }
  }

  /// Is true where no other of the chips that most tags are shows what this one does.
  private var isUnlikeOthers: Bool {
    Product.type2Originals.allSatisfy { other in
      guard other.name != product.name, let theirs = other.type2 else { return true }
      return !looksAlike(theirs)
    }
  }

  private func looksAlike(_ theirs: Type2Map) -> Bool {
    guard theirs.capabilityContainer == map.capabilityContainer else { return false }
    return map.deliveredLockControl.isEmpty
      || theirs.deliveredLockControl == map.deliveredLockControl
  }
}
