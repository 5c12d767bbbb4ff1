import PN532Simulator
import Testing

@Suite("The free memory of a DESFire")
struct DESFireMemoryTests {
  private func card(_ size: Int) throws -> any VirtualTag {
    let card = try SimulatedTagSpec(parsing: "desfire-ev1,size=\(size)").tag(at: 0)
    card.select()
    card.enterProtocol()
    return card
  }

  private func free(_ card: any VirtualTag) -> Int? {
    guard case .data(let answer) = card.receive([0x90, 0x6E, 0, 0, 0]),
      answer.suffix(2) == [0x91, 0x00]
    else { return nil }
    return answer.dropLast(2).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  @Test(
    "is what blank cards tell, more or less than what they are sold as",
    arguments: [(2048, 2304), (4096, 4864), (8192, 7936)])
  func blank(_ size: Int, _ wanted: Int) throws {
    #expect(free(try card(size)) == wanted)
  }

  @Test("an application with two AES keys takes 160 bytes")
  func application() throws {
    let card = try card(2048)
    let create: [UInt8] = [0x90, 0xCA, 0, 0, 5, 0x56, 0x34, 0x12, 0x0B, 0xA2, 0]
    #expect(card.receive(create) == .data([0x91, 0x00]))
    #expect(free(card) == 2144)
  }
}
