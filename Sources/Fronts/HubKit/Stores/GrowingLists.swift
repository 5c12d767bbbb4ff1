import LedgerPostgreSQL
import Provisioning
import Synchronization

/// The lists to which rows were added last: more may follow, and a list that is known need not be
/// read and checked again.
final class GrowingLists: Sendable {
  /// The list of one batch. Whoever adds rows to it has it for himself; others wait.
  final class Place: Sendable {
    let list = Mutex<GrowingList?>(nil)
  }

  private struct State {
    var places: [BatchKey: Place] = [:]
    /// The one that was used last stands at the end.
    var order: [BatchKey] = []
  }

  /// Each takes some 80 MB where it has a million rows.
  private static let most = 4
  private let state = Mutex(State())

  func place(of batch: String) -> Place {
    let key = BatchKey(batch)
    return state.withLock { state in
      state.order.removeAll { $0 == key }
      state.order.append(key)
      if state.order.count > Self.most { state.places[state.order.removeFirst()] = nil }
      let place = state.places[key] ?? Place()
      state.places[key] = place
      return place
    }
  }

  /// A batch that is closed gets no more rows.
  func forget(_ batch: String) {
    let key = BatchKey(batch)
    state.withLock { state in
      state.places[key] = nil
      state.order.removeAll { $0 == key }
    }
  }
}
