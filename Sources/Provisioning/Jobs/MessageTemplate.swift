/// The records of a job's message as text that may hold fields:
/// `https://example.com/t/{code}?tag={uid}`.
public struct MessageTemplate: Hashable, Sendable, Codable {
  /// One record: the name of the option of `write` that makes it, and that option's value.
  public struct Record: Hashable, Sendable, Codable {
    /// `uri`, `text`, `mime`, `external`, `android-app`, …
    public let option: String
    public let text: String

    public init(option: String, text: String) {
      self.option = option
      self.text = text
    }
  }

  public let records: [Record]

  public init(records: [Record]) { self.records = records }
}
