import Foundation
import LedgerPostgreSQL
import Provisioning

extension PoolHubStore {
  package func make(_ list: HubList) throws(HubError) -> HubBatch {
    if let mistake = Self.mistake(inID: list.id) { throw .badList([mistake]) }
    var settings = JobSource.Settings()
    settings.message = list.template.map {
      MessageTemplate(records: [.init(option: "uri", text: $0)])
    }
    (settings.tagType, settings.locks) = (list.tagType, list.locks)
    do throws(HubError) {
      return try Self.sent(list.id) { () throws(SentList.Refusal) in
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        try SentList(list.csv, named: "\(list.id).csv", settings)
          .make(at: viewer.address.naming(list.id), now: now)
      } then: { () throws(HubError) in
        try batch(list.id)
      }
    } catch {
      // Who lost the answer sends the order again, after others have added rows to it.
      guard case .exists = error, try isGrown(list, settings) else { throw error }
      return try batch(list.id)
    }
  }

  package func extend(_ batch: String, csv: String) throws(HubError) -> HubBatch {
    try Self.sent(batch) { () throws(SentList.Refusal) in
      // Somebody else may add rows at the same moment: whoever is second checks his again.
      for _ in 0..<5 {
        let list = try list(of: batch)
        guard try list.add(csv) else { continue }
        growing.withLock { $0 = list }
        return
      }
      throw .pool(.failed("others add rows to the batch all the time"))
    } then: { () throws(HubError) in
      try self.batch(batch)
    }
  }

  /// The batch's list, up to date. Nobody else has it before it is kept again.
  private func list(of batch: String) throws(SentList.Refusal) -> GrowingList {
    let kept = growing.withLock { list in
      defer { list = nil }
      return list
    }
    // One that does not go on, for whatever reason, is read again.
    if let kept, BatchKey(kept.batch) == BatchKey(batch), (try? kept.readOn()) != nil {
      return kept
    }
    return try GrowingList(at: viewer.address.naming(batch))
  }

  package func close(_ batch: String) throws(HubError) -> HubBatch {
    growing.withLock { list in
      if let known = list, BatchKey(known.batch) == BatchKey(batch) { list = nil }
    }
    let known = try known(batch)
    try HubError.pooled { () throws(PoolError) in try viewer.close(known) }
    return try self.batch(batch)
  }

  private static func sent(
    _ batch: String, _ body: () throws(SentList.Refusal) -> Void,
    then: () throws(HubError) -> HubBatch
  ) throws(HubError) -> HubBatch {
    do throws(SentList.Refusal) {
      try body()
    } catch {
      switch error {
      case .mistakes(let mistakes): throw .badList(mistakes)
      case .pool(let error): throw HubError(error)
      }
    }
    return try then()
  }

  /// What is wrong with a batch's id, which stands in addresses and on pages; nil: nothing.
  private static func mistake(inID id: String) -> String? {
    let isPlain = id.unicodeScalars.allSatisfy {
      !$0.properties.isDefaultIgnorableCodePoint && !$0.properties.isBidiControl
        && $0.properties.generalCategory != .control
    }
    let isBlank = id.allSatisfy(\.isWhitespace)
    guard !isBlank, isPlain, id.unicodeScalars.count <= 100, id != ".", id != ".." else {
      return "The name of a batch has 1 to 100 characters, and none that cannot be seen."
    }
    // Two batches whose names look the same would be taken for each other.
    guard id.precomposedStringWithCanonicalMapping.utf8.elementsEqual(id.utf8) else {
      return
        "The name of a batch has letters with their marks apart: send it in Unicode's form NFC."
    }
    return nil
  }
}
