import CardCrypto
import TagMemory

/// A job is compared with the row from which it was made.
extension PlannedJob {
  /// Is true if it says what its row said: its digest is that of its parts, and its tag is the one
  /// that the column `uid` names.
  package var isAsListed: Bool {
    let named = columns.first { $0.name.lowercased() == "uid" }.flatMap {
      try? UID(listed: $0.value)
    }
    return digest == Self.digest(message, tagType, locks, hasPassword, columns)
      && uid == named
  }

  /// SHA-256 over every part with its length before it, so that no two rows look the same.
  static func digest(
    _ message: MessageTemplate, _ type: String?, _ locks: Bool, _ hasPassword: Bool,
    _ columns: [Column]
  ) -> [UInt8] {
    var bytes: [UInt8] = [locks ? 1 : 0, hasPassword ? 1 : 0]
    func add(_ text: String) {
      let count = UInt32(clamping: text.utf8.count)
      for shift: UInt32 in [24, 16, 8, 0] {
        bytes.append(UInt8(truncatingIfNeeded: count >> shift))
      }
      bytes.append(contentsOf: text.utf8)
    }
    add(type ?? "")
    for record in message.records {
      add(record.option)
      add(record.text)
    }
    add("")
    for column in columns {
      add(column.name)
      add(column.value)
    }
    return SHA256.hash(bytes)
  }
}
