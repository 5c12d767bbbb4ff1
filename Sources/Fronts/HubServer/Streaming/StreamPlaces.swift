import Synchronization

/// How many streams there may be: each has a connection for hours.
final class StreamPlaces: Sendable {
  let limit: Int
  private let taken = Mutex(0)

  init(limit: Int) { self.limit = limit }

  var count: Int { taken.withLock(\.self) }

  /// A place until the value goes; nil: all are taken.
  func take() -> Place? {
    taken.withLock { taken in
      guard taken < limit else { return nil }
      taken += 1
      return Place(self)
    }
  }

  final class Place: Sendable {
    private let places: StreamPlaces
    fileprivate init(_ places: StreamPlaces) { self.places = places }
    deinit { places.taken.withLock { $0 -= 1 } }
  }
}
