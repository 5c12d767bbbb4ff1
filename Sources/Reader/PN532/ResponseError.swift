import Bytes

/// Why an answer of the chip cannot be understood.
package enum ResponseError: Error, Hashable, Sendable {
  /// `what` ends too early.
  case truncated(what: String, ByteReaderError)
  /// Bytes are left behind `what`, from `offset` on.
  case trailing(what: String, offset: Int, count: Int)
  /// The byte at `offset` cannot stand there.
  case invalid(what: String, offset: Int, value: UInt8)
}

extension ResponseError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .truncated(let what, let cause):
      "\(what) is cut short: \(cause)"
    case .trailing(let what, let offset, let count):
      "\(what) is followed by \(count) bytes that do not belong to it, from offset \(offset)"
    case .invalid(let what, let offset, let value):
      "\(what) holds \(Hex.byte(value).uppercased())h at offset \(offset), which cannot stand there"
    }
  }
}

extension ByteReader {
  /// Runs `body` and requires that it leaves nothing; what fails is called `what`.
  static func whole<Value>(
    _ bytes: some Sequence<UInt8>, _ what: String,
    _ body: (inout ByteReader) throws(ByteReaderError) -> Value
  ) throws(ResponseError) -> Value {
    var reader = ByteReader(bytes)
    let value: Value
    do throws(ByteReaderError) {
      value = try body(&reader)
    } catch {
      throw .truncated(what: what, error)
    }
    guard reader.isAtEnd else {
      throw .trailing(what: what, offset: reader.offset, count: reader.remaining)
    }
    return value
  }
}
