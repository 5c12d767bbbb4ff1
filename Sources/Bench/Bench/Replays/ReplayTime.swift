/// The time in a replay: that of the recorded run, as far as its trace tells it.
struct ReplayTime {
  private var now = Duration.zero

  /// The time now, where the trace begins its next exchange at `next`: the host that was recorded
  /// decided at that time what to send.
  mutating func look(_ next: Duration?) -> Duration {
    now = max(now, next ?? now)
    return now
  }

  /// Whoever waits for the next exchange of the trace does so until its time; behind that, and
  /// where the trace tells none, as long as asked.
  mutating func sleep(_ duration: Duration, _ next: Duration?) {
    if let next, now < next { now = next } else { now += duration }
  }

  /// Each takes a little, so that nobody waits for ever who repeats what the trace does not go on
  /// with.
  mutating func passExchange() { now += .microseconds(200) }
}
