import CoreNFC

/// What an app asks first.
@main
enum OneSession {
  static func main() { print("A tag can be read: \(NFCNDEFReaderSession.readingAvailable)") }
}
