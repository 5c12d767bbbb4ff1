import Readers
import TagMemory

/// The steps of a Type 2 tag: how each is carried out, and in which commands.
enum Type2Steps {
  /// Nil when all is as wanted.
  static func perform(_ step: TagProgram.Step, in session: Type2Session) throws(ReaderError)
    -> Execution.Trouble?
  {
    switch (step.place, step.action) {
    case (.page(let page), .write(let bytes, let purpose)):
      try session.enterSector(of: page)
      // From here on the old password may be wrong, whatever becomes of this exchange.
      if purpose == .secret { session.passwordIsChanging() }
      try session.reader.writePage(page.address, bytes, isSecret: purpose == .secret)
      return nil
    case (.page(let page), .check(let expected)):
      let found = try session.readPages(page, count: expected.count / Page.byteCount)
      return step.trouble(finding: found, for: expected)
    case (.page(let page), .checkDigits(let skipped, let count)):
      let found = try session.readPages(page, count: Self.pageCount(skipped + count))
      let digits = found.dropFirst(skipped).prefix(count)
      return digits.allSatisfy(ASCIIMirror.isDigit) ? nil : .differs(found: found)
    case (.tag, .authenticate(.password(let password, let pack))):
      // A new key of an Ultralight C counts from the next selection on (MF0ICU2, 7.5.7).
      if pack.isEmpty { try session.selectAgain(givingPassword: false) }
      guard let found = try session.authenticate(password: password) else { return .keyRefused }
      return step.trouble(finding: found, for: pack)
    case (.page(let page), .checkRefusal(let bytes)):
      return try session.refuses(writing: bytes, to: page) ? nil : .unprotected
    default: return step.isOfAnotherFamily()
    }
  }

  /// The commands of `step` as the reader sends them, and the answers expected.
  /// `readsFast`: with FAST_READ, which carries many pages.
  /// `map`: that of the chip, which says whether it has a key in place of a password, and with
  /// which bytes a page is probed.
  static func commands(of step: TagProgram.Step, readsFast: Bool, on map: Type2Map?)
    -> [PlannedExchange]
  {
    switch (step.place, step.action) {
    case (.page(let page), .write(let bytes, _)):
      return [PlannedExchange(.writePage(page.address, bytes))]
    case (.tag, .authenticate(.password(_, let pack))) where pack.isEmpty:
      let count = (map?.key?.cipher ?? .tripleDES).blockByteCount
      return [
        .selection, PlannedExchange(.beginKeyProof(blockByteCount: count), answerCount: 1 + count),
        PlannedExchange(.proveKey([UInt8](repeating: 0, count: 2 * count)), answerCount: 1 + count),
      ]
    case (.tag, .authenticate(.password(let password, let pack))):
      return [PlannedExchange(.authenticate(password: password), answerCount: pack.count)]
    case (.page(let page), .checkRefusal(let bytes)):
      // The tag is selected, refuses, is selected again, and the page is read.
      let probe = Self.probe(page, holding: bytes, on: map)
      let refused = PlannedExchange(.writePage(page.address, probe), answerCount: nil)
      return [
        .selection, refused, .selection,
        PlannedExchange(.readPages(from: page.address), answerCount: 16),
      ]
    case (.page(let first), .check(let bytes)):
      let count = bytes.count / Page.byteCount
      let inSector = Page.perSector - first.address
      guard count <= inSector else {
        let split = inSector * Page.byteCount
        return [
          TagProgram.Step.checkPages(first: first, Array(bytes[..<split])),
          .checkPages(first: first.advanced(by: inSector), Array(bytes[split...])),
        ].flatMap { commands(of: $0, readsFast: readsFast, on: map) }
      }
      let page = first.address
      // As `Type2Session.readPages` does.
      guard count > 4, readsFast else {
        return (0..<(count + 3) / 4).map { _ in
          PlannedExchange(.readPages(from: page), answerCount: 16)
        }
      }
      return stride(from: 0, to: count, by: TagReader.fastReadLimit).map { start in
        let part = min(TagReader.fastReadLimit, count - start)
        return PlannedExchange(
          .fastRead(page + start...page + start + part - 1), answerCount: part * Page.byteCount)
      }
    case (.page(let page), .checkDigits):
      return [PlannedExchange(.readPages(from: page.address), answerCount: 16)]
    default: return []
    }
  }

  /// What is written to `page`, which holds `bytes`, to see that the tag refuses: other bytes where
  /// they are user memory and show, for the status of a write proves nothing. Boards hide refusals,
  /// and an answer can be lost.
  static func probe(_ page: Page, holding bytes: [UInt8], on map: Type2Map?) -> [UInt8] {
    map?.user.contains(page) ?? false ? bytes.map { $0 ^ 0xFF } : bytes
  }

  private static func pageCount(_ byteCount: Int) -> Int {
    (byteCount + Page.byteCount - 1) / Page.byteCount
  }
}

extension TagProgram.Step {
  /// Write the 4 bytes of a page.
  package static func writePage(
    _ page: Page, _ bytes: [UInt8], _ purpose: TagProgram.Purpose
  ) -> Self {
    Self(.write(bytes, purpose), at: .page(page))
  }

  /// Read pages from `first` on; the bytes that are not nil must be there.
  package static func checkPages(first: Page, _ bytes: [UInt8?]) -> Self {
    Self(.check(bytes), at: .page(first))
  }

  /// Give the password; the tag must answer with this acknowledge, where its bytes are not nil.
  package static func enterPassword(_ password: [UInt8], pack: [UInt8?]) -> Self {
    Self(.authenticate(.password(password, pack: pack)), at: .tag)
  }

  /// Select the tag anew, give no password and write a page that holds `bytes`: the tag must
  /// refuse.
  package static func checkRefusal(_ page: Page, _ bytes: [UInt8]) -> Self {
    Self(.checkRefusal(bytes), at: .page(page))
  }
}

extension SentWrites {
  /// The bytes last sent to each page.
  var pages: [Page: [UInt8]] {
    var pages: [Page: [UInt8]] = [:]
    for (place, bytes) in all { if let page = place.page { pages[page] = bytes } }
    return pages
  }
}
