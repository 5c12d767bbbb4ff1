/// Why virtual tags cannot be made, loaded or saved.
package enum VirtualTagError: Error, Hashable, Sendable {
  /// No product has this name.
  case unknownProduct(String)
  /// The product has no UIDs of `count` bytes, only of `sizes`.
  case wrongUIDSize(product: String, count: Int, sizes: [Int])

  /// `+` and `*` in one specification.
  case mixedArrangement(String)
  /// What follows `*` is no number of tags.
  case badCount(String)
  /// A piece after a comma without `=`.
  case notAnOption(String)
  case unknownOption(String, known: [String])
  case repeatedOption(String)
  case badValue(key: String, value: String, wanted: String)
  /// A UID is no hexadecimal number; `reason` says why.
  case uidNotHex(String, reason: String)
  /// The option goes with other tags only.
  case optionNeeds(String, String)
  case uidCount(uids: Int, tags: Int)
  case sameUIDTwice

  /// A tag file that cannot be understood; `line` counts from 1.
  case damagedFile(line: Int?, String)
  /// The rows of a tag file bear another UID than its UID line.
  case uidDisagrees(product: String, uid: [UInt8])
  /// The file at `path` is damaged; it was not touched.
  case unusableFile(path: String, reason: String)
  case otherProduct(path: String, found: String, wanted: String)
  case otherUID(path: String, found: [UInt8], wanted: [UInt8])
  case cannotRead(path: String, reason: String)
  case cannotWrite(path: String, reason: String)
}
