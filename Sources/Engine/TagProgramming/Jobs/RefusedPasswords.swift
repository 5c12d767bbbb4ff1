import Synchronization
import TagMemory

/// Remembers the tags that did not take the given password and may count wrong ones. A run over
/// many tags does not send it to them again, however often they come.
package final class RefusedPasswords: Sendable {
  private let tags = Mutex<Set<UID>>([])

  package init() {}

  func contains(_ uid: UID) -> Bool { tags.withLock { $0.contains(uid) } }

  func insert(_ uid: UID) { tags.withLock { _ = $0.insert(uid) } }
}
