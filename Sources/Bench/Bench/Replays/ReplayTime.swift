/// The time in a replay: that of the recorded run, as far as its trace tells it.
struct ReplayTime {
  private var now = Duration.zero

  /// Returns the time. The trace begins its next exchange at `next` (nil: it does not say): at that
  /// time the recorded host decided what to send.
  mutating func look(_ next: Duration?) -> Duration {
    now = max(now, next ?? now)
    return now
  }

  /// Lets time pass for a host that waits: until `next`, where the trace begins its next exchange;
  /// for `duration` where that time is over, or the trace does not say.
  mutating func sleep(_ duration: Duration, _ next: Duration?) {
    if let next, now < next { now = next } else { now += duration }
  }

  /// Lets a little time pass for an exchange, so that a host that repeats one comes to the end of
  /// its patience.
  mutating func passExchange() { now += .microseconds(200) }
}
