import Testing

@testable import Provisioning

@Suite("What lies in the memory of a label printer")
struct PrinterMemoryTests {
  /// Takes in what the printer says, so many seconds after the start.
  private static func take(
    _ memory: inout PrinterMemory<Int>, _ seconds: Double, waiting: Int, paperOut: Bool = false
  ) -> [Int] {
    var status = PrinterStatus()
    (status.formatsWaiting, status.isPaperOut) = (waiting, paperOut)
    return memory.take(status, at: start + .seconds(seconds))
  }

  private static let start = Duration.zero

  private func memory(of labels: [Int]) -> PrinterMemory<Int> {
    var memory = PrinterMemory<Int>()
    for label in labels { memory.add(label, at: Self.start) }
    return memory
  }

  @Test("is printed when it has left the memory, and not at once")
  func printed() {
    var memory = memory(of: [1])
    #expect(Self.take(&memory, 0.1, waiting: 0).isEmpty)
    #expect(Self.take(&memory, 1, waiting: 0) == [1])
    #expect(memory.isEmpty)
  }

  @Test("is not printed while there is no paper, however little waits")
  func paper() {
    var memory = memory(of: [1])
    #expect(Self.take(&memory, 1, waiting: 1, paperOut: true).isEmpty)
    #expect(Self.take(&memory, 2, waiting: 0, paperOut: true).isEmpty)
    #expect(memory.lose() == [1])
    #expect(Self.take(&memory, 3, waiting: 0).isEmpty)
  }

  @Test("is printed in the order in which it came")
  func order() {
    var memory = memory(of: [1, 2, 3])
    #expect(Self.take(&memory, 1, waiting: 2) == [])
    #expect(Self.take(&memory, 2, waiting: 1) == [])
    #expect(Self.take(&memory, 3, waiting: 0) == [1, 2, 3])
  }

  @Test("is known to be printed though labels of another bench always wait")
  func shared() {
    var memory = memory(of: [1])
    // Two of others lie before it; each that comes lies behind it.
    #expect(Self.take(&memory, 1, waiting: 3) == [])
    #expect(Self.take(&memory, 2, waiting: 4) == [])
    #expect(Self.take(&memory, 3, waiting: 2) == [])
    #expect(Self.take(&memory, 4, waiting: 3) == [])
    #expect(Self.take(&memory, 5, waiting: 2) == [1])
  }
}
