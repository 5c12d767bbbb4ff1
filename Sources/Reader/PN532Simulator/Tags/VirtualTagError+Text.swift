import Bytes

extension VirtualTagError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownProduct(let name):
      "There is no virtual tag \(quoted(name)); there are \(list(TagCatalog.names))."
    case .wrongUIDSize(let product, let count, let sizes):
      "The UID of \(product) has \(list(sizes.map(String.init), last: "or")) bytes, not \(count)."
    case .mixedArrangement(let text):
      "In \(quoted(text)) tags are joined by + and multiplied by *; it can be one or the other."
    case .badCount(let text):
      "In \(quoted(text)) a number from 1 to \(SimulatedTagSpec.longestSeries) must follow the *."
    case .notAnOption(let piece):
      "\(quoted(piece)) is not an option: it has no =. A path cannot contain a comma."
    case .unknownOption(let key, let known):
      "A virtual tag has no option \(quoted(key)); it has \(list(known))."
    case .repeatedOption(let key): "The option \(key) is given twice."
    case .badValue(let key, let value, let wanted):
      "The option \(key) takes \(wanted), not \(quoted(value))."
    case .uidNotHex(let value, let reason):
      "The UID \(quoted(value)) is not a hexadecimal number: \(reason)."
    case .optionNeeds(let key, let what): "The option \(key) needs \(what)."
    case .uidCount(let uids, let tags):
      "\(tags) tags need \(tags) UIDs joined by +, there \(uids == 1 ? "is 1" : "are \(uids)")."
    case .sameUIDTwice: "Two tags in the field cannot have the same UID."
    case .damagedFile(let line?, let what): "Line \(line): \(what)."
    case .damagedFile(nil, let what): "The tag file is not complete: \(what)."
    case .uidDisagrees(let product, let uid):
      "The memory in the file is not that of the \(product) with the UID \(Hex.string(uid))."
    case .unusableFile(let path, let reason):
      "The tag file \(path) cannot be used and was left alone. \(reason)"
    case .otherProduct(let path, let found, let wanted):
      "The file \(path) holds the product \(found), not \(wanted)."
    case .otherUID(let path, let found, let wanted):
      "The file \(path) holds a tag with the UID \(Hex.string(found)), not \(Hex.string(wanted))."
    case .cannotRead(let path, let reason): "The file \(path) cannot be read: \(reason)."
    case .cannotWrite(let path, let reason): "The file \(path) cannot be written: \(reason)."
    }
  }

  private func quoted(_ text: String) -> String { "\u{201C}\(text)\u{201D}" }

  /// `a, b and c`.
  private func list(_ items: [String], last: String = "and") -> String {
    guard let end = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " \(last) " + end
  }
}
