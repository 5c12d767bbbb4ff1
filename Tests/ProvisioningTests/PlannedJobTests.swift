import JobLists
import LedgerSQLite
import Testing

@Suite("A planned job")
struct PlannedJobTests {
  @Test("is told from another by what its row says")
  func identity() {
    func job(_ text: String) -> PlannedJob {
      let record = MessageTemplate.Record(option: "uri", text: text)
      return PlannedJob(
        number: 1, line: 2, offset: 10, name: text, message: MessageTemplate(records: [record]),
        tagType: "ntag213", locks: false, hasPassword: false, columns: [])
    }
    #expect(job("https://example.com/{uid}") == job("https://example.com/{uid}"))
    #expect(job("https://example.com/{uid}") != job("https://example.com/1"))
  }
}
