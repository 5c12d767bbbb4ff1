import Bytes
import PN532
import Testing

@Suite("Commands, UM0701-02 7.2 and 7.3")
struct CommandTests {
  @Test(
    "are the bytes that real hosts send",
    arguments: [
      (Command.getFirmwareVersion, "02"),
      (.lineTest(Array("libnfc".utf8)), "00006c69626e6663"),
      (.attentionTest, "0006"),
      (.samConfiguration(), "1401"),
      (.samConfiguration(short: false), "14011401"),
      (.setSerialBaudRate(.baud921600), "1007"),
      (.setParameters(automaticRATS: true), "1214"),
      (.setParameters(automaticRATS: false), "1204"),
      (.powerDown, "16f0"),
      (
        .readRegister([.txMode, .rxMode, .manualRCV, .status2, .bitFraming]),
        "0663026303630d6338633d"
      ),
      (.writeRegister([(.txMode, 0x80), (.rxMode, 0x80)]), "08630280630380"),
      (.rfField(on: false), "320100"),
      (.rfField(on: true), "320101"),
      (.rfTimeouts(communication: RFTimeout(atLeast: .milliseconds(5))), "3202000b07"),
      (.exchangeRetries(0), "320400"),
      (.activationRetries(passive: 2), "3205000102"),
      (.listFeliCa(limit: 2, slots: 2, fast: true), "4a020200ffff0101"),
      (.listTypeB(limit: 2), "4a020300"), (.listTopaz, "4a0104"),
      (.listTypeA(), "4a0100"),
      (.listTypeA(limit: 2, uid: [0x27, 0x8B, 0x70, 0x34]), "4a0200278b7034"),
      (.listTypeA(uid: [4, 0x7F, 0xA9, 0x9A, 0x1F, 0x66, 0x80]), "4a010088047fa99a1f6680"),
      (.listTypeA(uid: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), "4a010088010203880405060708090a"),
      (.listFeliCa(systemCode: 0x12FC), "4a01010012fc0100"),
      (.listFeliCa(fast: true), "4a010200ffff0100"),
      (.inDataExchange([0x30, 0x04]), "40013004"),
      (.inCommunicateThru([0x60]), "4260"),
      (.inSelect(), "5401"),
      (.inDeselect(), "4400"),
      (.inRelease(), "5200"),
    ])
  func bytes(_ command: Command, _ expected: String) {
    #expect(Hex.string(command.bytes) == expected)
  }

  @Test("have a name and a code of their own, and the answer's code is odd")
  func codes() {
    #expect(Set(CommandCode.allCases.map(\.description)).count == CommandCode.allCases.count)
    #expect(CommandCode.allCases.allSatisfy { $0.answer & 1 == 1 })
    #expect(CommandCode(rawValue: 0x4A)?.description == "InListPassiveTarget")
    #expect(CommandCode.inSelect.answersWithStatus)
    #expect(!CommandCode.inListPassiveTarget.answersWithStatus)
  }

  @Test("link speeds are those of SetSerialBaudRate")
  func linkSpeeds() {
    #expect(LinkSpeed(bitsPerSecond: 115_200) == .baud115200)
    #expect(LinkSpeed.baud115200.rawValue == 4)
    #expect(LinkSpeed.baud1288000.rawValue == 8)
    #expect(LinkSpeed(bitsPerSecond: 300) == nil)
    for speed in LinkSpeed.allCases {
      #expect(LinkSpeed(bitsPerSecond: speed.bitsPerSecond) == speed)
    }
  }

  @Test("RF timeouts double from index to index, and the shortest that suffices is taken")
  func timeouts() throws {
    #expect(RFTimeout.communicationDefault.duration == .microseconds(51_200))
    #expect(RFTimeout.attributeDefault.duration == .microseconds(102_400))
    #expect(RFTimeout(index: 0)?.duration == nil)
    #expect(RFTimeout(index: 17) == nil)
    #expect(RFTimeout(atLeast: .zero).index == 1)
    #expect(RFTimeout(atLeast: .microseconds(6400)).index == 7)
    #expect(RFTimeout(atLeast: .microseconds(6401)).index == 8)
    #expect(RFTimeout(atLeast: .seconds(100)).index == 16)
  }
}
