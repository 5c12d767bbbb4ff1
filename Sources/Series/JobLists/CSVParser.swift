import Clibcsv

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// libcsv, fed piece by piece: one row at a time.
///
/// Strict, as for what people hand in: a quote inside an unquoted field, and one that is never
/// closed, are errors. Else such a quote counts as text.
@safe final class CSVParser {
  private let parser: UnsafeMutablePointer<csv_parser>
  private let delimiter: UInt8
  private let quote: UInt8
  private let isStrict: Bool

  /// The row's fields, one behind the other.
  private(set) var bytes: [UInt8] = []
  /// Where each field ends in `bytes`.
  private(set) var ends: [Int] = []
  /// Is true if the row is whole.
  private(set) var isComplete = false

  /// `quote` 0: no character quotes; a NUL must then not be fed.
  init(delimiter: UInt8, quote: UInt8 = UInt8(ascii: "\""), isStrict: Bool = true) {
    unsafe parser = .allocate(capacity: 1)
    (self.delimiter, self.quote, self.isStrict) = (delimiter, quote, isStrict)
    initialize()
  }

  deinit {
    unsafe csv_free(parser)
    unsafe parser.deallocate()
  }

  private func initialize() {
    unsafe csv_init(parser, isStrict ? UInt8(CSV_STRICT | CSV_STRICT_FINI) : 0)
    unsafe csv_set_delim(parser, delimiter)
    unsafe csv_set_quote(parser, quote)
    unsafe csv_set_blk_size(parser, 4096)
  }

  /// Forgets a row that was begun.
  func reset() {
    unsafe csv_free(parser)
    initialize()
    beginRow()
  }

  /// Forgets the row that was read.
  func beginRow() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    isComplete = false
  }

  /// The row's fields as text; what is not UTF-8 is replaced.
  var fields: [String] {
    ends.indices.map { index in
      String(decoding: bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]], as: UTF8.self)
    }
  }

  /// Is true if nothing of a row has been seen yet.
  var isBetweenRows: Bool { unsafe parser.pointee.pstate == 0 }

  /// Goes on with `input`, in which no more than the last byte may end a row. False for a misplaced
  /// quote.
  func feed(_ input: ArraySlice<UInt8>) -> Bool {
    unsafe input.withUnsafeBytes { input in
      unsafe csv_parse(
        parser, input.baseAddress, input.count, Self.field, Self.row,
        Unmanaged.passUnretained(self).toOpaque())
    } == input.count
  }

  /// The input is at its end. False where a quote is open.
  func finish() -> Bool {
    unsafe csv_fini(
      parser, Self.field, Self.row, Unmanaged.passUnretained(self).toOpaque()) == 0
  }

  private static let field:
    @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer?)
      -> Void = { text, count, context in
        guard let context = unsafe context else { return }
        let parser = unsafe Unmanaged<CSVParser>.fromOpaque(context).takeUnretainedValue()
        unsafe parser.bytes.append(contentsOf: UnsafeRawBufferPointer(start: text, count: count))
        parser.ends.append(parser.bytes.count)
      }

  private static let row: @convention(c) (CInt, UnsafeMutableRawPointer?) -> Void = { _, context in
    guard let context = unsafe context else { return }
    unsafe Unmanaged<CSVParser>.fromOpaque(context).takeUnretainedValue().isComplete = true
  }
}

extension ArraySlice<UInt8> {
  /// The first place of `byte`; as fast as memory, which matters to long lists.
  func firstPlace(of byte: UInt8) -> Int? {
    unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let found = unsafe memchr(base, CInt(byte), bytes.count)
      else { return nil }
      return unsafe startIndex + (UnsafeRawPointer(found) - base)
    }
  }
}
