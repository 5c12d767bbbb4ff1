import NDEF
import PN532Simulator
import TagProgramming
import Testing

@testable import Provisioning

/// Writes a link on the tag, as another program does, before a line has it.
func write(_ uri: String, on tag: any VirtualTag) throws {
  let reader = TestReader("other", [tag])
  let report = Programmer(reader: reader.reader, options: RunOptions()).run(
    .write(Message(try URIRecord(uri).record), WriteOptions()))
  #expect(report.failure == nil)
  tag.powerOff()
}
