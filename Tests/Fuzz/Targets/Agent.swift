#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
#if canImport(Bench)
  @testable import Bench
#endif

/// A message between agent and command is read from any bytes or refused, and is found again when
/// it is sent; a connection takes the same messages, and ends where what comes is none.
enum AgentTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    _ = try message(bytes)
    var (wanted, rest): ([AgentMessage], ArraySlice<UInt8>) = ([], bytes[...])
    while rest.count >= 4 {
      let length = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4)
      guard length <= 1 << 16, rest.count >= length,
        let message = try message(Array(rest.prefix(length)))
      else { break }
      wanted.append(message)
      rest = rest.dropFirst(length)
    }
    try require(try arriving(bytes) == wanted, "\(wanted) arrive otherwise")
  }

  /// What stands in `bytes`, with every question that is asked of it.
  private static func message(_ bytes: [UInt8]) throws -> AgentMessage? {
    guard let message = AgentMessage(parsing: bytes) else { return nil }
    try require(message.serialize() == bytes, "\(message) is sent otherwise")
    for index in 0...message.fields.count {
      _ = message.speed(index)
      _ = message.limit(index)
      _ = message.failure("reader")
      if let number = message.number(index) {
        try require(AgentMessage.number(number) == message.fields[index], "\(number)")
      }
      if let text = message.text(index) {
        try require(Array(text.utf8) == message.fields[index], text)
      }
    }
    return message
  }

  /// The messages that arrive where another program sends `bytes` and goes.
  private static func arriving(_ bytes: [UInt8]) throws -> [AgentMessage] {
    var ends: [CInt] = [0, 0]
    #if canImport(Glibc)
      let kind = CInt(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0, let channel = AgentChannel(ends[0])
    else { throw Broken("no connection") }
    let count = unsafe write(ends[1], bytes, bytes.count)
    close(ends[1])
    try require(count == bytes.count, "not sent")
    var messages: [AgentMessage] = []
    while case .message(let message) = channel.receive(within: .seconds(1)) {
      messages.append(message)
    }
    return messages
  }
}
