import Bytes
import TagMemory

extension UID {
  /// The UID that a list has in its column `uid`. Throws what is wrong with `text`.
  init(listed text: String, line: Int = 0, column: String = "uid") throws(RowError) {
    let bytes: [UInt8]
    do throws(HexError) {
      bytes = try Hex.bytes(text)
    } catch {
      throw RowError(line: line, column: column, "It is no hexadecimal: \(error).")
    }
    guard [4, 7, 8, 10].contains(bytes.count) else {
      throw RowError(
        line: line, column: column,
        "A UID has 4, 7, 8 or 10 bytes, and this has \(bytes.count).")
    }
    self.init(bytes)
  }
}
