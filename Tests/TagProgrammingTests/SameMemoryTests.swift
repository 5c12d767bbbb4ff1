import Testing

@testable import TagProgramming

@Suite("A decision is part of the run")
struct SameMemoryTests {
  @Test(
    "whatever exchange is lost, the memory in the end is that of an undisturbed run",
    arguments: FaultCase.used.filter { Exhaustive.includes($0.testDescription) })
  func sameMemory(_ item: FaultCase) throws {
    let trial = try MemoryTrial(item)
    if trial.refusal != nil { #expect(trial.wanted == trial.before, "damaged, then refused") }
    for (number, loss) in MemoryTrial.Loss.all.enumerated() {
      let step = loss.isThorough ? 1 : trial.step
      for place in stride(from: number % step, to: trial.exchanges, by: step) {
        try trial.strike(loss, at: place)
      }
    }
  }
}
