/// The records of a job's message as text that may hold fields:
/// `https://example.com/t/{code}?tag={uid}`.
package struct MessageTemplate: Hashable, Sendable, Codable {
  /// One record: the name of the option of `write` that makes it, and that option's value.
  package struct Record: Hashable, Sendable, Codable {
    /// `uri`, `text`, `mime`, `external`, `android-app`, …
    package let option: String
    package let text: String

    package init(option: String, text: String) {
      self.option = option
      self.text = text
    }
  }

  package let records: [Record]

  package init(records: [Record]) { self.records = records }
}
