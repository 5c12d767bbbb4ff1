import Synchronization
import TagMemory

/// The passwords that tags were sent while they may count wrong ones, and that they were not seen
/// to take: a run sends none of them to the same tag again, however often it comes.
final class SpentPasswords: Sendable {
  private let known = Mutex<[UID: Set<[UInt8]>]>([:])

  func contains(_ password: [UInt8], on uid: UID) -> Bool {
    known.withLock { $0[uid]?.contains(password) == true }
  }

  func insert(_ password: [UInt8], on uid: UID) {
    known.withLock { _ = $0[uid, default: []].insert(password) }
  }

  func remove(_ password: [UInt8], on uid: UID) {
    known.withLock { _ = $0[uid]?.remove(password) }
  }
}

/// What a run has sent says nothing of what an operator has given.
extension SpentPasswords: Hashable {
  static func == (left: SpentPasswords, right: SpentPasswords) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
