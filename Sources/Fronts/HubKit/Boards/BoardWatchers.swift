import Synchronization

/// The watchers of a store's batches: one for each batch, shared by all who ask.
package final class BoardWatchers: Sendable {
  private let store: any HubStore
  private let watchers = Mutex<[BatchKey: BoardWatcher]>([:])
  /// Watchers that nobody needs at present are kept up to so many.
  private static let kept = 50

  package init(_ store: any HubStore) { self.store = store }

  /// The watcher of a batch, be there one or not.
  package func watcher(of batch: String) -> BoardWatcher {
    let key = BatchKey(batch)
    return watchers.withLock { watchers in
      if let known = watchers[key] { return known }
      if watchers.count >= Self.kept { watchers = watchers.filter { $0.value.watcherCount > 0 } }
      let watcher = BoardWatcher(store: store, batch: batch)
      watchers[key] = watcher
      return watcher
    }
  }
}
