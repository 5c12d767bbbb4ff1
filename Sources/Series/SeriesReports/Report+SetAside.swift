import Foundation
import Ledger
import LedgerSQLite
import TagMemory

extension Report {
  /// A tag that nobody may use.
  package struct SetAside: Hashable, Sendable {
    package var uid: UID
    package var tagType: String?
    package var when: Date
    /// The job that it did not get.
    package var job: Int?
    package var name: String?
    package var station: String?
    package var operatorName: String
    package var trouble: TagTrouble
  }

  /// Tags of one kind: the first of them, and how many there are.
  package struct SetAsideList: Hashable, Sendable {
    package var count = 0
    package var tags: [SetAside] = []

    /// So many are listed; a file of all rows has the others.
    static let limit = 2000

    mutating func add(_ tag: @autoclosure () -> SetAside) {
      count += 1
      if tags.count < Self.limit { tags.append(tag()) }
    }
  }
}

extension Report.SetAside {
  init(_ event: Event, name: String?, _ operatorName: String) {
    self.init(
      uid: UID(event.tag ?? []), tagType: event.tagType,
      when: Date(began: event.started, lasting: event.duration), job: event.job, name: name,
      station: event.station, operatorName: operatorName,
      trouble: TagTrouble(stored: event.cause ?? "", event.text ?? ""))
  }
}
