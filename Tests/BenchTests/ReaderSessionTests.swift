import Bench
import NDEF
import Readers
import TagProgramming
import Testing

@Suite("Sessions with a reader")
struct ReaderSessionTests {
  @Test("a simulated tag is read and written, and gone with its session")
  func simulated() throws {
    let session = try ReaderSession(opening: ReaderChoice(named: "sim:ntag213"))
    let message = Message(try URIRecord("https://example.com/1").record)
    let programmer = Programmer(reader: session.reader)
    #expect(programmer.run(.write(message, WriteOptions())).result == .written)
    #expect(programmer.run(.read).message == message)
    try session.close()
  }

  @Test("an alias opens what it stands for")
  func alias() throws {
    let choice = try ReaderChoice(named: "left", aliases: ["left": "sim:ntag215"])
    #expect(choice.isSimulated && choice.name == "simulated")
    let session = try ReaderSession(opening: choice)
    #expect(Programmer(reader: session.reader).run(.info).product?.name == "ntag215")
    try session.close()
  }

  @Test("a tag's file that is no image of it ends the opening with the file's failure")
  func badFile() throws {
    let error = #expect(throws: BenchError.self) {
      try ReaderSession(opening: ReaderChoice(named: "sim:ntag213,file=/dev/null/x"))
    }
    #expect(error?.code == .noInput)
  }

  @Test("a port that leads nowhere is unavailable")
  func noReader() throws {
    let error = #expect(throws: BenchError.self) {
      try ReaderSession(opening: ReaderChoice(named: "pn532_uart:/dev/ttyUSB77"))
    }
    #expect(error?.code == .unavailable)
  }
}
