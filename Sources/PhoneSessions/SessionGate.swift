import Synchronization

/// One session at a time in a process, as on a phone.
enum SessionGate {
  private static let holder = Mutex<ObjectIdentifier?>(nil)

  /// Whether `session` is the active one now.
  static func enter(_ session: PhoneSession) -> Bool {
    holder.withLock { holder in
      guard holder == nil else { return false }
      holder = ObjectIdentifier(session)
      return true
    }
  }

  static func leave(_ session: PhoneSession) {
    holder.withLock { holder in
      if holder == ObjectIdentifier(session) { holder = nil }
    }
  }

  /// Whether any session is active.
  static var isTaken: Bool { holder.withLock { $0 != nil } }
}
