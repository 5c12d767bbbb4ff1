import Foundation
import JobLists
import LedgerPostgreSQL
import LedgerSQLite
import Provisioning

extension PoolHubStore {
  package func make(_ list: HubList, _ request: HubRequest?) throws(HubError) -> HubBatch {
    if let mistake = Self.mistake(inID: list.id) { throw .badList([mistake]) }
    var settings = JobSource.Settings()
    settings.message = list.template.map {
      MessageTemplate(records: [.init(option: "uri", text: $0)])
    }
    (settings.tagType, settings.locks) = (list.tagType, list.locks)
    return try once(list.id, request) { () throws(HubError) in
      do throws(HubError) {
        try Self.sent { () throws(SentList.Refusal) in
          let now = Int64(Date().timeIntervalSince1970 * 1000)
          try SentList(list.csv, named: "\(list.id).csv", settings)
            .make(at: viewer.address.naming(list.id), now: now, request.map(PoolRequest.init))
        }
      } catch {
        // Who lost the answer sends the order again, after others have added rows to it.
        guard case .exists = error, try isGrown(list, settings) else { throw error }
      }
    }
  }

  package func extend(
    _ batch: String, csv: String, _ request: HubRequest?
  ) throws(HubError) -> HubBatch {
    try once(batch, request) { () throws(HubError) in
      try Self.sent { () throws(SentList.Refusal) in
        try growing.place(of: batch).list.withLock { (kept) throws(SentList.Refusal) in
          // Somebody at another hub may add rows at the same moment: whoever is second checks his
          // again.
          for _ in 0..<5 {
            let list = try list(of: batch, kept)
            kept = nil
            guard try list.add(csv, request.map(PoolRequest.init)) else { continue }
            kept = list
            return
          }
          throw .pool(.failed("others add rows to the batch all the time"))
        }
      }
    }
  }

  /// The batch's list, up to date.
  private func list(
    of batch: String, _ kept: GrowingList?
  ) throws(SentList.Refusal) -> GrowingList {
    // One that does not go on, for whatever reason, is read again.
    if let kept, (try? kept.readOn()) != nil { return kept }
    return try GrowingList(at: viewer.address.naming(batch))
  }

  package func close(_ batch: String, _ request: HubRequest?) throws(HubError) -> HubBatch {
    growing.forget(batch)
    return try once(batch, request) { () throws(HubError) in
      let known = try known(batch)
      try HubError.pooled(viewer.close(known, request.map(PoolRequest.init)))
    }
  }

  // MARK: Requests

  package func batch(after request: HubRequest) throws(HubError) -> HubBatch? {
    let known = try HubError.pooled(viewer.request(withKey: request.key))
    guard let known else { return nil }
    guard known.digest == request.digest else { throw .reusedKey }
    return try batch(known.batch)
  }

  /// Changes a batch and gives it as it is then. Where nobody knows whether that was done, it is
  /// looked up; so it is before the request is refused: another hub may have carried it out at the
  /// same moment, and what it did is what is refused.
  private func once(
    _ batch: String, _ request: HubRequest?, _ change: () throws(HubError) -> Void
  ) throws(HubError) -> HubBatch {
    do throws(HubError) {
      try change()
    } catch {
      if let request, let batch = try self.batch(after: request) { return batch }
      throw error
    }
    return try self.batch(batch)
  }

  private static func sent(
    _ body: () throws(SentList.Refusal) -> Void
  ) throws(HubError) {
    do throws(SentList.Refusal) {
      try body()
    } catch {
      switch error {
      case .mistakes(let mistakes): throw .badList(mistakes)
      case .pool(let error): throw HubError(error)
      }
    }
  }

  /// Of characters that look like nothing, like a blank, or on each machine like something else.
  private static let unseen: Set<Unicode.GeneralCategory> = [
    .control, .spaceSeparator, .lineSeparator, .paragraphSeparator, .privateUse,
  ]

  /// Returns whether no other character that a name may have looks like this one: ASCII, and the
  /// letters of Latin-1 and Latin Extended-A but for those without a mark that would tell them
  /// apart.
  private static func isDistinct(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: true
    // ð is đ to many eyes, and Ð Đ; ŉ, ĳ, ŀ and ſ are other letters in another shape.
    case 0xD0, 0xD7, 0xF0, 0xF7, 0x110, 0x131...0x133, 0x138, 0x13F, 0x140, 0x149, 0x17F: false
    case 0xC0...0x17F: true
    default: false
    }
  }

  /// What is wrong with a batch's id, which stands in addresses and on pages; nil: nothing.
  private static func mistake(inID id: String) -> String? {
    let isPlain = id.unicodeScalars.allSatisfy {
      !$0.properties.isDefaultIgnorableCodePoint && !$0.properties.isBidiControl
        && ($0 == " " || !unseen.contains($0.properties.generalCategory))
    }
    guard isPlain, (1...100).contains(id.unicodeScalars.count), id != ".", id != ".." else {
      return "The name of a batch has 1 to 100 characters, and none that cannot be seen."
    }
    // Two batches whose names look the same would be taken for each other.
    guard !" \(id) ".unicodeScalars.contains("  ".unicodeScalars) else {
      return "The name of a batch has single blanks, and none at its ends."
    }
    guard id.precomposedStringWithCanonicalMapping.utf8.elementsEqual(id.utf8) else {
      return
        "The name of a batch has letters with their marks apart: send it in Unicode's form NFC."
    }
    // Nobody can see the difference between some letters of other scripts and Latin ones.
    if let strange = id.unicodeScalars.first(where: { !Self.isDistinct($0) }) {
      let code = String(strange.value, radix: 16, uppercase: true)
      return
        "The name of a batch has letters of ASCII and Latin letters with marks, digits and signs of ASCII: U+\(code) may look like another character."
    }
    return nil
  }
}

extension PoolRequest {
  fileprivate init(_ request: HubRequest) {
    self.init(key: request.key, digest: request.digest)
  }
}
