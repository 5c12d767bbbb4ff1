import Synchronization

/// How many bytes of bodies the hub holds at a time: many who send large lists at once do not take
/// all of its memory.
package final class BodyRoom: Sendable {
  private let limit: Int
  private let taken = Mutex(0)

  package init(limit: Int) { self.limit = limit }

  /// Returns what one body takes. It is free again when the value goes.
  package func share() -> Share { Share(self) }

  package final class Share: Sendable {
    private let room: BodyRoom
    private let count = Mutex(0)

    fileprivate init(_ room: BodyRoom) { self.room = room }

    /// Takes room for more bytes; false: there is none.
    func take(_ more: Int) -> Bool {
      let isRoom = room.taken.withLock { taken in
        guard taken + more <= room.limit else { return false }
        taken += more
        return true
      }
      if isRoom { count.withLock { $0 += more } }
      return isRoom
    }

    deinit {
      let count = count.withLock(\.self)
      room.taken.withLock { $0 -= count }
    }
  }
}
