import Bench
import HTTPServing
import Readers
import Synchronization
import TagMemory
import TagProgramming

/// What lies on a reader, looked at again and again while somebody wants to know and nobody works
/// there.
final class FieldWatch: Sendable {
  private unowned let station: Station
  private let state = Mutex(State())

  private struct State {
    var last = 0
    var watchers: [Int: AsyncStream<FieldEvent>.Continuation] = [:]
    var loop: Task<Void, Never>?
    /// What was last seen; nil: nobody has looked.
    var seen: FieldEvent?
  }

  /// What the reader's thread knows from look to look.
  private final class Memory: @unchecked Sendable {
    var tag: Target?
  }

  /// Between two looks.
  private static let pause = Duration.milliseconds(150)

  init(_ station: Station) { self.station = station }

  /// Events from now on; the first one says how things are. It ends when its reader does not want
  /// more, or `finish` is called.
  func events() -> (events: AsyncStream<FieldEvent>, finish: @Sendable () -> Void) {
    let (events, continuation) = AsyncStream<FieldEvent>.makeStream(
      bufferingPolicy: .bufferingNewest(64))
    let number = state.withLock { state in
      state.last += 1
      state.watchers[state.last] = continuation
      if let seen = state.seen, state.loop != nil { continuation.yield(seen) }
      if state.loop == nil {
        state.seen = nil
        state.loop = Task { [self] in await look() }
      }
      return state.last
    }
    continuation.onTermination = { [weak self] _ in self?.leave(number) }
    return (events, { continuation.finish() })
  }

  private func leave(_ number: Int) {
    state.withLock { state in
      state.watchers[number] = nil
      guard state.watchers.isEmpty else { return }
      state.loop?.cancel()
      state.loop = nil
    }
  }

  private func look() async {
    let memory = Memory()
    while !Task.isCancelled, !station.shouldStop() {
      do {
        // Whoever works there goes first.
        tell(
          try await station.perform(for: nil, patience: .zero) { session in
            let event = Self.look(session.reader, memory)
            return (event, hasLostReader: event == .away)
          })
      } catch let problem as Problem where problem.kind == .readerAway {
        memory.tag = nil
        tell(.away)
      } catch {
        // Others are at work.
      }
      try? await Task.sleep(for: Self.pause)
    }
  }

  private static func look(_ reader: TagReader, _ memory: Memory) -> FieldEvent {
    reader.look(for: nil)
    do throws(ReaderError) {
      if let tag = memory.tag {
        if try reader.waitForRemoval(of: tag, timeout: .zero, shouldStop: { false }) {
          return .tag(tag.uid)
        }
        memory.tag = nil
      }
      let tag = try reader.waitForTag(timeout: .zero) { false }
      memory.tag = tag
      return .tag(tag.uid)
    } catch .noTag {
      return .nothing
    } catch .severalTags(let uids) {
      return .several(uids)
    } catch {
      memory.tag = nil
      return JobFailure(waiting: error).kind == .readerUnavailable ? .away : .nothing
    }
  }

  private func tell(_ event: FieldEvent) {
    state.withLock { state in
      guard event != state.seen else { return }
      state.seen = event
      for watcher in state.watchers.values { watcher.yield(event) }
    }
  }
}
