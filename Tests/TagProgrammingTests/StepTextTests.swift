import TagMemory
import Testing

@testable import TagProgramming

@Suite("What a step says of itself")
struct StepTextTests {
  @Test("a raw write says its bytes, and more only where it cannot be undone")
  func raw() {
    func text(_ isIrreversible: Bool) -> String {
      let action = TagProgram.Step.Action.write(
        [1, 2, 3, 4], .raw(isIrreversible: isIrreversible))
      return "\(TagProgram.Step(action, at: .page(5)))"
    }
    #expect(text(false) == "write page 5: 01 02 03 04")
    #expect(text(true) == "write page 5: 01 02 03 04  (irreversible)")
  }

  @Test("a command's name is enough where it sets keys or settings")
  func command() {
    for purpose in [TagProgram.Purpose.secret, .configuration] {
      let step = TagProgram.Step(
        .perform(.init("let the message prove the tag", [[0x5F]]), purpose), at: .application(1))
      #expect("\(step)" == "let the message prove the tag")
    }
    #expect("\(DESFireKey(.aes, [UInt8](1...16))!)" == "an AES key")
  }
}
