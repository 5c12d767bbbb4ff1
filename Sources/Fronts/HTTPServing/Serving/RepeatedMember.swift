import Foundation

/// Finds an object in a JSON text that has a member twice: a decoder takes one of the two and says
/// nothing of the other.
package enum RepeatedMember {
  /// The first name that an object has twice; nil: there is none. `json`: what a decoder has taken.
  package static func name(in json: [UInt8]) -> String? {
    // The names of each object that is open; nil: an array.
    var open: [Set<String>?] = []
    var index = 0
    while index < json.count {
      switch json[index] {
      case UInt8(ascii: "{"): open.append([])
      case UInt8(ascii: "["): open.append(nil)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
      case UInt8(ascii: "\""):
        let start = index
        index = end(of: start, in: json)
        // A name stands before a colon, and a value never does.
        let next = json[min(index + 1, json.count)...].first { !isBlank($0) }
        guard next == UInt8(ascii: ":"), let last = open.indices.last else { break }
        let name = text(json[start...min(index, json.count - 1)])
        if open[last]?.insert(name).inserted == false { return name }
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Where the string ends that begins at `start`: its second quotation mark.
  private static func end(of start: Int, in json: [UInt8]) -> Int {
    var index = start + 1
    while index < json.count, json[index] != UInt8(ascii: "\"") {
      index += json[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return index
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// `quoted`: with its quotation marks.
  private static func text(_ quoted: ArraySlice<UInt8>) -> String {
    if quoted.contains(UInt8(ascii: "\\")),
      let text = try? JSONDecoder().decode(String.self, from: Data(quoted))
    {
      return text
    }
    return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
  }
}
