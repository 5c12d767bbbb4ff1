import Synchronization

/// How many streams there may be: each has a connection for hours.
package final class StreamPlaces: Sendable {
  package let limit: Int
  private let taken = Mutex(0)

  package init(limit: Int) { self.limit = limit }

  package var count: Int { taken.withLock(\.self) }

  /// A place until the value goes; nil: all are taken.
  package func take() -> Place? {
    taken.withLock { taken in
      guard taken < limit else { return nil }
      taken += 1
      return Place(self)
    }
  }

  package final class Place: Sendable {
    private let places: StreamPlaces
    fileprivate init(_ places: StreamPlaces) { self.places = places }
    deinit { places.taken.withLock { $0 -= 1 } }
  }
}
