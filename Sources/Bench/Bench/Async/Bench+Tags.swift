import TagMemory
import TagProgramming

extension Bench {
  /// The tags that are put on the reader from now on, each once: the next one comes when the one
  /// before has been taken away. A tag that is there again within a second has slipped, and does
  /// not count as another.
  ///
  /// Nothing is looked for but while somebody waits for the next tag, so that whoever leaves the
  /// loop leaves nothing behind; of several that wait, each gets other tags. It ends when the task
  /// is cancelled, when the bench is closed, and when a simulated reader has no further tags; a
  /// real reader has no end. Throws a failure of the kind `readerUnavailable` when the reader goes
  /// away (`reopen` takes it up again), and `tagTrouble` where several tags lie there: a new loop
  /// goes on.
  public nonisolated var tags: Tags { Tags(bench: self) }

  /// A tag that was put on the reader of a bench.
  public struct Tag: Hashable, Sendable {
    /// The target that the reader selected: its technology, its UID, and what it says of itself
    /// when it is selected.
    public let target: Target
    /// The bench that has found it.
    let bench: ObjectIdentifier

    /// The tag's UID.
    public var uid: UID { target.uid }
  }

  /// The tags that are put on the reader of a bench, as they come.
  public struct Tags: AsyncSequence, Sendable {
    let bench: Bench

    /// An iterator that waits for the next tag.
    public func makeAsyncIterator() -> Iterator { Iterator(bench: bench) }

    /// Waits for tags, one after another.
    public struct Iterator: AsyncIteratorProtocol {
      let bench: Bench

      /// Waits for the next tag; nil: there will be none.
      public mutating func next() async throws(JobFailure) -> Tag? {
        try await next(isolation: nil)
      }

      /// Waits for the next tag; nil: there will be none.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(JobFailure) -> Tag? {
        while true {
          switch try await bench.look() {
          case .tag(let tag): return tag
          case .nothing: await Task.yield()
          case .over: return nil
          }
        }
      }
    }
  }
}
