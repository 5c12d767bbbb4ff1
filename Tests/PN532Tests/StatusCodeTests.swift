import PN532
import Testing

@Suite("Status codes, UM0701-02 7.1")
struct StatusCodeTests {
  @Test("drop the flags of the status byte")
  func flags() {
    #expect(StatusCode(rawValue: 0x54) == .authentication)
    #expect(StatusCode(rawValue: 0x80) == .ok)
  }

  @Test("say what they mean, and their number")
  func texts() {
    #expect(StatusCode.authentication.description == "MIFARE authentication failed (status 14h)")
    #expect(StatusCode(rawValue: 0x3F).description == "status 3Fh")
  }
}
