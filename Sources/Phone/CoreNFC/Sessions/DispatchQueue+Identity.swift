#if !canImport(Darwin)
  import Dispatch
  import Synchronization

  /// On Linux `DispatchQueue.main` makes a new object each time, so that `===` tells two of them
  /// apart. A queue is one queue, whatever object stands for it: `session.sessionQueue ===
  /// DispatchQueue.main` is true of a session that was given the main queue, as on a phone.
  private enum QueueIdentity {
    private static let key = DispatchSpecificKey<Int>()
    private static let count = Mutex(0)

    /// The number of the queue behind `queue`, which is given when it is asked for.
    static func number(of queue: DispatchQueue) -> Int {
      count.withLock { count in
        if let number = queue.getSpecific(key: key) { return number }
        count += 1
        queue.setSpecific(key: key, value: count)
        return count
      }
    }
  }

  /// Returns true if both are the same queue.
  public func === (left: DispatchQueue?, right: DispatchQueue?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return ObjectIdentifier(left) == ObjectIdentifier(right)
      || QueueIdentity.number(of: left) == QueueIdentity.number(of: right)
  }

  /// Returns true if they are two queues.
  public func !== (left: DispatchQueue?, right: DispatchQueue?) -> Bool { !(left === right) }

  /// Returns true if both are the same queue: on a phone queues are objects that can be compared.
  public func == (left: DispatchQueue, right: DispatchQueue) -> Bool { left === right }
#endif
