import Bytes
import TagMemory

extension Activation {
  /// The type A targets of an InListPassiveTarget answer (UM0701-02, 7.3.5): their number, then for each
  /// `Tg ATQA(2) SAK UID-length UID`, and an ATS, its length first, where the SAK announces ISO/IEC 14443-4.
  /// Nil when the bytes are something else.
  static func list(parsing answer: [UInt8]) -> [Activation]? {
    var reader = ByteReader(answer)
    do throws(ByteReaderError) {
      var found: [Activation] = []
      for _ in 0..<(try reader.byte()) {
        _ = try reader.byte()
        let (atqa, sak) = (try reader.uint16(), try reader.byte())
        let uid = UID(try reader.bytes(Int(try reader.byte())))
        var ats: [UInt8] = []
        if sak & 0x20 != 0, !reader.isAtEnd {
          let length = Int(try reader.byte())
          ats = try reader.bytes(max(0, length - 1))
        }
        guard [4, 7, 10].contains(uid.bytes.count) else { return nil }
        found.append(Activation(atqa: atqa, sak: sak, uid: uid, ats: ats))
      }
      return found
    } catch {
      return nil
    }
  }
}
