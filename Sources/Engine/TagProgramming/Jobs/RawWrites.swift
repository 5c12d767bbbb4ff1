import Bytes

/// Raw blocks to write, one after the other.
public struct BlockWrite: Hashable, Sendable {
  /// Number of the first block.
  package var start: Int
  /// 16 bytes a block.
  package var bytes: [UInt8]
  /// Write sector trailers and the blocks of the directory, too.
  package var force: Bool

  /// `start` is the first block; `bytes` are whole blocks of 16.
  public init(start: Int, bytes: [UInt8], force: Bool) {
    self.start = start
    self.bytes = bytes
    self.force = force
  }
}

/// Raw pages to write, one after the other.
public struct PageWrite: Hashable, Sendable {
  /// Number of the first page.
  package var start: Int
  /// Four bytes a page.
  package var bytes: [UInt8]
  /// Write pages, too, that hold the UID, lock bits, OTP or the capability container, or
  /// configuration.
  package var force: Bool

  /// `start` is the first page; `bytes` are whole pages of 4.
  public init(start: Int, bytes: [UInt8], force: Bool) {
    self.start = start
    self.bytes = bytes
    self.force = force
  }
}

/// The bytes may be a password or keys: no text shows them.
extension BlockWrite: CustomStringConvertible, CustomReflectable {
  /// `2 blocks from 7`.
  public var description: String { "\(counted(bytes.count / 16, "block")) from \(start)" }
  /// Has no children: one would be what is written.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PageWrite: CustomStringConvertible, CustomReflectable {
  /// `1 page from 43`.
  public var description: String { "\(counted(bytes.count / 4, "page")) from \(start)" }
  /// Has no children: one would be what is written.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
