/// The commands that CoreNFC has of its own (FeliCa Card User's Manual, 4.4).
extension TagWork {
  /// Status flags, and what follows them.
  package struct FeliCaAnswer: Hashable, Sendable {
    package var flag1 = 0
    package var flag2 = 0
    package var parts: [[UInt8]] = []
  }

  /// The key versions of 1 to 32 nodes, two bytes each.
  package func requestService(_ nodes: [[UInt8]]) throws(SessionError) -> [[UInt8]] {
    try check(nodes, count: 1...32, length: 2...2)
    let answer = try feliCa(0x02, [UInt8(nodes.count)] + nodes.joined(), atLeast: 1)
    return try parts(answer.dropFirst(), count: Int(answer[0]), of: 2)
  }

  /// 16 bytes for each element of `blocks`; none where the flags refuse.
  package func readWithoutEncryption(
    services: [[UInt8]], blocks: [[UInt8]]
  ) throws(SessionError) -> FeliCaAnswer {
    let list = try lists(services, blocks)
    let answer = try feliCa(0x06, list, atLeast: 2)
    var result = FeliCaAnswer(flag1: Int(answer[0]), flag2: Int(answer[1]))
    guard answer[0] == 0 else { return result }
    guard answer.count > 2 else { throw SessionError(.tagResponseError) }
    result.parts = try parts(answer.dropFirst(3), count: Int(answer[2]), of: 16)
    return result
  }

  /// Writes 16 bytes to each element of `blocks`.
  package func writeWithoutEncryption(
    services: [[UInt8]], blocks: [[UInt8]], data: [[UInt8]]
  ) throws(SessionError) -> FeliCaAnswer {
    let list = try lists(services, blocks)
    guard data.count == blocks.count else { throw SessionError(.invalidParameter) }
    guard data.allSatisfy({ $0.count == 16 }) else { throw SessionError(.invalidParameterLength) }
    let answer = try feliCa(0x08, list + data.joined(), atLeast: 2)
    return FeliCaAnswer(flag1: Int(answer[0]), flag2: Int(answer[1]))
  }

  /// The codes of the tag's systems.
  package func requestSystemCode() throws(SessionError) -> [[UInt8]] {
    let answer = try feliCa(0x0C, atLeast: 1)
    return try parts(answer.dropFirst(), count: Int(answer[0]), of: 2)
  }

  /// Flags, the kind of encryption, and the key versions for AES and for DES.
  package struct ServiceAnswer: Hashable, Sendable {
    package var flag1 = 0
    package var flag2 = 0
    package var encryption: UInt8 = 0
    package var aes: [[UInt8]] = []
    package var des: [[UInt8]] = []
  }

  /// Request Service v2.
  package func requestServiceV2(_ nodes: [[UInt8]]) throws(SessionError) -> ServiceAnswer {
    try check(nodes, count: 1...32, length: 2...2)
    let answer = try feliCa(0x32, [UInt8(nodes.count)] + nodes.joined(), atLeast: 2)
    var result = ServiceAnswer(flag1: Int(answer[0]), flag2: Int(answer[1]))
    guard answer[0] == 0 else { return result }
    guard answer.count > 3 else { throw SessionError(.tagResponseError) }
    let (encryption, count, versions) = (answer[2], Int(answer[3]), answer.dropFirst(4))
    result.encryption = encryption
    result.aes = try parts(versions, count: count, of: 2)
    // AES and DES: both lists, one behind the other.
    if encryption == 0x41 {
      result.des = try parts(versions.dropFirst(2 * count), count: count, of: 2)
    }
    return result
  }

  /// The version of the card's OS, and those of its options.
  package func requestSpecificationVersion() throws(SessionError) -> FeliCaAnswer {
    let answer = try feliCa(0x3C, [0x00, 0x00], atLeast: 2)
    var result = FeliCaAnswer(flag1: Int(answer[0]), flag2: Int(answer[1]))
    guard answer[0] == 0 else { return result }
    guard answer.count > 5 else { throw SessionError(.tagResponseError) }
    let options = try parts(answer.dropFirst(6), count: Int(answer[5]), of: 2)
    result.parts = [Array(answer[3...4]), Array(options.joined())]
    return result
  }

  // MARK: Lists

  /// 1 to 16 services, and the elements of 2 or 3 bytes that name their blocks.
  private func lists(_ services: [[UInt8]], _ blocks: [[UInt8]]) throws(SessionError) -> [UInt8] {
    try check(services, count: 1...16, length: 2...2)
    try check(blocks, count: 1...0xFF, length: 2...3)
    return [UInt8(services.count)] + services.joined() + [UInt8(blocks.count)] + blocks.joined()
  }

  private func check(
    _ list: [[UInt8]], count: ClosedRange<Int>, length: ClosedRange<Int>
  ) throws(SessionError) {
    guard count.contains(list.count) else { throw SessionError(.parameterOutOfBound) }
    guard list.allSatisfy({ length.contains($0.count) }) else {
      throw SessionError(.invalidParameterLength)
    }
  }

  private func parts(
    _ bytes: some Collection<UInt8>, count: Int, of length: Int
  ) throws(SessionError) -> [[UInt8]] {
    let bytes = Array(bytes)
    guard bytes.count >= count * length else { throw SessionError(.tagResponseError) }
    return (0..<count).map { Array(bytes[$0 * length..<($0 + 1) * length]) }
  }
}
