import Testing

@testable import Bench

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("What an agent and a command send each other")
struct AgentChannelTests {
  /// A channel, and the socket at its other end.
  private static func pair() throws -> (AgentChannel, CInt) {
    var ends: [CInt] = [0, 0]
    #if canImport(Glibc)
      let kind = CInt(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
    return (try #require(AgentChannel(ends[0])), ends[1])
  }

  private static func framed(_ body: [UInt8]) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) } + body
  }

  @Test("messages arrive as they were sent, both ways, however long their fields are")
  func roundTrip() throws {
    let (near, far) = try Self.pair()
    let other = try #require(AgentChannel(far))
    for count in [0, 1, 255, 256, 264, 65_000] {
      let message = AgentMessage(.exchange, AgentMessage.number(UInt64(count)), Self.bytes(count))
      for (from, to) in [(near, other), (other, near)] {
        #expect(from.send(message))
        #expect(to.receive(within: .seconds(1)) == .message(message))
      }
    }
    #expect(!near.send(AgentMessage(.answer, Self.bytes(66_000))), "longer than any message")
    #expect(other.receive(within: .zero) == .nothing)
    near.cut()
    #expect(other.receive(within: .zero) == .end && !other.send(AgentMessage(.slowDown)))
  }

  private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 & 0xFF) } }

  @Test(
    "what is no message ends the connection",
    arguments: [
      [0, 0, 0, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 200], [2, 0, 0, 0, 5, 1], [3, 0, 0, 0, 5, 1, 0],
      [4, 0, 0, 0, 5, 255, 255, 1], [1, 0, 1, 0, 5], [255, 255, 255, 255], [0, 0, 0, 128, 1],
    ])
  func garbage(_ bytes: [UInt8]) throws {
    let (near, far) = try Self.pair()
    #expect(unsafe write(far, bytes, bytes.count) == bytes.count)
    #expect(near.receive(within: .seconds(1)) == .end)
    close(far)
  }

  @Test("half a message and its end are the end, wherever it is cut")
  func halves() throws {
    let whole = Self.framed(AgentMessage(.ask, AgentMessage.version, [0x2F, 0x64]).serialize())
    for count in 0..<whole.count {
      let (near, far) = try Self.pair()
      #expect(unsafe write(far, whole, count) == count)
      close(far)
      #expect(near.receive(within: .seconds(1)) == .end, "its first \(count) bytes")
    }
  }
}
