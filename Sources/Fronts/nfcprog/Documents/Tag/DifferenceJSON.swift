import Bytes
import JSON
import TagMemory
import TagProgramming

/// Where two memories differ.
struct DifferenceJSON: OutputDocument, Equatable {
  /// One of the two.
  struct Side: Encodable, Equatable {
    /// Absent of the tag on the reader.
    var file: String?
    var uid: String
    var tag: String

    init(_ side: ComparedDump) {
      file = side.path
      uid = side.dump.image.uid.hex
      tag = side.dump.product.name
    }
  }

  /// A place: one of its members is there, of a file two.
  struct Location: Encodable, Equatable {
    var page: Int?
    var block: Int?
    /// The identifier of a file, hexadecimal.
    var file: String?
    var offset: Int?

    init(_ place: Place) {
      switch place {
      case .page(let page): self.page = Int(page.number)
      case .block(let block): self.block = Int(block.index)
      case .feliCaBlock(let number): block = Int(number)
      case .file(let id, let offset):
        file = Hex.string([UInt8(id >> 8), UInt8(id & 0xFF)])
        self.offset = offset
      case .tag, .sector, .application: break
      }
    }
  }

  /// Bytes that differ.
  struct Difference: Encodable, Equatable {
    var place: Location
    /// What stands there: `message`, `lock bits`, `key A`.
    var meaning: [String]
    /// Hexadecimal, `**` for each byte of a key or password and for each that is not known.
    var first: String
    var second: String
  }

  var command = "diff"
  /// `equal` where nothing differs that both hold, else `different`.
  var result: String
  var first: Side
  var second: Side
  /// The dumps are of different kinds of tags, which are not compared further.
  var kinds: String?
  var differences: [Difference]
  /// What has no place in the memory and differs: `UID`, `signature`, `counter 2`.
  var beside: [String]
  /// Places that one of the two does not hold.
  var notCompared: [Location]

  init(_ comparison: MemoryComparison, _ first: ComparedDump, _ second: ComparedDump) {
    result = comparison.isEqual ? "equal" : "different"
    (self.first, self.second) = (Side(first), Side(second))
    kinds = comparison.kinds
    differences = comparison.differences.map {
      Difference(
        place: Location($0.place), meaning: $0.meaning, first: Self.text($0.first),
        second: Self.text($0.second))
    }
    beside = comparison.beside
    notCompared = comparison.unknown.map(Location.init)
  }

  private static func text(_ bytes: [UInt8?]) -> String {
    bytes.map { $0.map { Hex.byte($0) } ?? "**" }.joined()
  }
}
