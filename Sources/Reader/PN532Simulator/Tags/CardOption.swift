/// What a `sim:` specification may say of an ISO-DEP card: a row of the table in Docs/Bench.md.
struct CardOption: Sendable {
  let key: String
  /// What its value may be, as the end of “takes …”.
  let wanted: String
  /// Takes the value over; false where it means nothing.
  let apply: @Sendable (_ value: String, _ options: inout CardOptions) -> Bool

  static let all: [CardOption] = [
    number("mapping", 1...3, "1, 2 or 3") { $0.mapping = $1 },
    number("size", 5...0x1_0000, "a number of bytes from 5 to 65536") { $0.size = $1 },
    number("mle", 15...0xFFFF, "a number of bytes from 15 to 65535") { $0.mle = $1 },
    number("mlc", 13...0xFFFF, "a number of bytes from 13 to 65535") { $0.mlc = $1 },
    choice("rights", Type4Layout.Rights.self) { $0.rights = $1 },
    CardOption(
      key: "fsc", wanted: list(ProtocolParameters.sizes.map(String.init))
    ) { value, options in
      guard let size = Int(value), let index = ProtocolParameters.sizes.firstIndex(of: size) else {
        return false
      }
      options.behaviour.frameSizeIndex = UInt8(index)
      return true
    },
    number("wtx", 0...20, "a number from 0 to 20") { $0.behaviour.waits = $1 },
    choice("longread", Type4Behaviour.LongRead.self) { $0.behaviour.longRead = $1 },
    choice("tears", Type4Behaviour.Tearing.self) { $0.behaviour.tearing = $1 },
    CardOption(key: "cardaccess", wanted: list(["yes", "no"])) { value, options in
      options.behaviour.hasCardAccess = value == "yes"
      return value == "yes" || value == "no"
    },
    CardOption(key: "loop", wanted: list(["closed", "open"])) { value, options in
      options.behaviour.loopIsOpen = value == "open"
      return value == "open" || value == "closed"
    },
  ]

  /// All keys but those that only a card of plain files has.
  static let common: Set<String> = ["fsc", "wtx"]
  static let keys = Set(all.map(\.key)).subtracting(["loop"])

  private static func number(
    _ key: String, _ range: ClosedRange<Int>, _ wanted: String,
    _ set: @escaping @Sendable (inout CardOptions, Int) -> Void
  ) -> CardOption {
    CardOption(key: key, wanted: wanted) { value, options in
      guard let number = Int(value), range.contains(number) else { return false }
      set(&options, number)
      return true
    }
  }

  private static func choice<Value: RawRepresentable & CaseIterable & SendableMetatype>(
    _ key: String, _: Value.Type, _ set: @escaping @Sendable (inout CardOptions, Value) -> Void
  ) -> CardOption where Value.RawValue == String {
    CardOption(key: key, wanted: list(Value.allCases.map(\.rawValue))) { value, options in
      guard let known = Value(rawValue: value) else { return false }
      set(&options, known)
      return true
    }
  }

  /// `a, b or c`.
  private static func list(_ items: [String]) -> String {
    items.dropLast().joined(separator: ", ") + " or " + (items.last ?? "")
  }
}

/// What was said of a card; nil: as its product has it.
package struct CardOptions: Hashable, Sendable {
  var mapping: Int?
  var size: Int?
  var mle: Int?
  var mlc: Int?
  var rights: Type4Layout.Rights?
  var behaviour = Type4Behaviour()

  /// As the product has it.
  package init() {}

  /// What a DESFire is sold as: the smallest that there is with at least so many bytes.
  var fileMemory: Int { DESFireMemory.atLeast(size ?? 0).nominal }

  /// `usual` but for what was said.
  func layout(_ usual: Type4Layout) -> Type4Layout {
    var layout = usual
    layout.mapping = mapping ?? layout.mapping
    layout.size = size ?? layout.size
    layout.mle = mle ?? layout.mle
    layout.mlc = mlc ?? layout.mlc
    layout.rights = rights ?? layout.rights
    // Two bytes tell the size but in mapping 3.
    if layout.mapping < 3 { layout.size = min(layout.size, 0x7FFF) }
    return layout
  }
}

/// A tag that card options change after it was made.
protocol CardWithBehaviour: AnyObject {
  var behaviour: Type4Behaviour { get set }
}

extension VirtualType4: CardWithBehaviour {}
