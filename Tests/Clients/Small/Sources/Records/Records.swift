import NDEF

/// Prints a message as it is on a tag, and what it says.
@main
enum Records {
  static func main() throws {
    let message = Message(try URIRecord("https://example.com/t/1").record)
    let bytes = message.serialize()
    let read = try Message(parsing: bytes)
    print("\(bytes.count) bytes: \(read.records.map(\.summary).joined(separator: ", "))")
  }
}
