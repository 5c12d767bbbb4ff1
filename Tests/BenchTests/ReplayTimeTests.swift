import Testing

@testable import Bench

@Suite("The time in a replay")
struct ReplayTimeTests {
  @Test("is that of the recorded run at each of its exchanges, whatever is waited for meanwhile")
  func follows() {
    var time = ReplayTime()
    // A field reset of 5 ms, and three seconds in which the recording machine did something else.
    let starts: [Duration] = [.zero, .milliseconds(6), .milliseconds(3006), .milliseconds(3009)]
    for start in starts {
      time.sleep(.milliseconds(5), start)
      #expect(time.look(start) == start || start == .zero)
      #expect(time.look(start) - start <= .milliseconds(5))
      time.passExchange()
    }
  }

  @Test("goes on behind the trace's end, and where a trace tells none, for whoever waits there")
  func goesOn() {
    var time = ReplayTime()
    time.sleep(.seconds(2), nil)
    #expect(time.look(nil) == .seconds(2))
    // Whoever looks again and again for what the trace does not have comes to an end, too.
    for _ in 0..<5000 { time.passExchange() }
    #expect(time.look(nil) == .seconds(3))
  }

  @Test("goes on for whoever repeats an exchange before the next one of the trace")
  func repeats() {
    var time = ReplayTime()
    for _ in 0..<100 {
      time.passExchange()
      time.sleep(.milliseconds(50), .seconds(1))
    }
    #expect(time.look(.seconds(1)) > .seconds(5))
  }
}
