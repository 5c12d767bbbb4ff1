import Bytes
import PN532
import Readers

/// A blank Ultralight or NTAG that was given to be written: what it holds, pages written and put
/// back.
struct BlankType2 {
  let bench: BringUpBench
  /// The pages that the capability container claims, and what they held.
  let pages: ClosedRange<Int>
  private var before: [Int: [UInt8]] = [:]

  /// Reads the tag; `refusal` says then whether it is blank and open. Throws what ends the run.
  init(on bench: BringUpBench) throws(ReaderError) {
    self.bench = bench
    try bench.reset(patience: .communicationDefault)
    try bench.look()
    guard let head = try bench.exchange("memory", [0x30, 0x00]).data, head.count == 16,
      head[12] == 0xE1, head[14] >= 6
    else {
      pages = 4...4
      refusal = "it has no capability container"
      return
    }
    pages = 4...(3 + Int(head[14]) * 2)
    guard head[10] == 0, head[11] == 0, head[15] & 0x0F == 0 else {
      refusal = "it is locked"
      return
    }
    for page in stride(from: 4, through: pages.upperBound, by: 4) {
      guard let four = try bench.exchange("memory", [0x30, UInt8(page)]).data, four.count == 16
      else {
        refusal = "page \(page) cannot be read"
        return
      }
      for offset in 0..<4 where page + offset <= pages.upperBound {
        before[page + offset] = Array(four[offset * 4..<offset * 4 + 4])
      }
    }
    if !Self.isBlank(pages.flatMap { before[$0] ?? [] }) { refusal = "it holds data" }
  }

  /// Why it is not to be written; nil where it may be.
  private(set) var refusal: String?

  /// Zeros, but for the TLVs of delivery: Lock Control, an empty message, Terminator (Type 2 Tag
  /// 1.0, 2.3).
  static func isBlank(_ area: [UInt8]) -> Bool {
    var rest = area[...]
    if rest.starts(with: [0x01, 0x03]) { rest = rest.dropFirst(5) }
    if rest.starts(with: [0x03, 0x00]) { rest = rest.dropFirst(2) }
    if rest.first == 0xFE { rest = rest.dropFirst() }
    return rest.allSatisfy { $0 == 0 }
  }

  /// Returns what a page held.
  func content(of page: Int) -> [UInt8] { before[page] ?? [0, 0, 0, 0] }

  /// WRITE of one page. A tag that has not acknowledged gets the time to finish.
  @discardableResult
  func write(_ label: String, _ page: Int, _ bytes: [UInt8]) throws(ReaderError) -> Bool {
    let reply = try bench.exchange(label, [0xA2, UInt8(page)] + bytes)
    if reply.status == .ok { return true }
    bench.wait(.milliseconds(100))
    try bench.reset(patience: .communicationDefault, isUndoing: true)
    try bench.look()
    return false
  }

  /// Returns what a page holds now; nil where it cannot be read.
  func read(_ label: String, _ page: Int) throws(ReaderError) -> [UInt8]? {
    for _ in 1...2 {
      if let data = try bench.exchange(label, [0x30, UInt8(page)]).data, data.count == 16 {
        return Array(data.prefix(4))
      }
      try bench.reset(patience: .communicationDefault, isUndoing: true)
      try bench.look()
    }
    return nil
  }

  /// Puts pages back as they were; a full sentence where that is not seen. It is tried eight times,
  /// also when somebody asks for the end.
  func restore(_ changed: some Sequence<Int>) -> String? {
    let failed = changed.compactMap { page -> String? in
      var held: [UInt8]?
      for _ in 1...8 {
        do throws(ReaderError) {
          held = try read("restore", page) ?? held
          if held == content(of: page) { return nil }
          try write("restore", page, content(of: page))
          held = try read("restore", page) ?? held
          if held == content(of: page) { return nil }
        } catch {}
      }
      let now = held.map { "holds \(Hex.string($0).uppercased())" } ?? "could not be read again"
      return "page \(page) \(now), it held \(Hex.string(content(of: page)).uppercased())"
    }
    guard !failed.isEmpty else { return nil }
    return
      "Not seen as it was before: \(failed.joined(separator: "; ")). Write that with nfcprog write-pages, or throw the tag away."
  }
}
