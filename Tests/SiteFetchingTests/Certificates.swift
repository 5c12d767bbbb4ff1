import Foundation

/// Certificates that the openssl program makes once for all tests.
enum Certificates {
  /// One of those that `make-certificates` lists.
  enum Name: String {
    case good, expired
    case otherName = "other-name"
    case commonName = "common-name"
    case selfSigned = "self-signed"
  }

  struct Failure: Error {
    let text: String
  }

  private static let files = Result { try make() }

  static func chain(_ name: Name) throws -> [UInt8] { try pem("\(name.rawValue).pem") }
  static func key(_ name: Name) throws -> [UInt8] { try pem("\(name.rawValue).key") }
  static func root() throws -> [UInt8] { try pem("root.pem") }

  private static func pem(_ file: String) throws -> [UInt8] {
    guard let bytes = try files.get()[file] else { throw Failure(text: "\(file) was not made") }
    return bytes
  }

  /// What the script makes, by name; its folder is gone afterwards.
  private static func make() throws -> [String: [UInt8]] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "nfcprog-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let script = URL(filePath: #filePath).deletingLastPathComponent()
    process.arguments = [script.appending(path: "make-certificates").path, folder.path]
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(text: String(decoding: output, as: UTF8.self))
    }
    let made = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: made.map {
        ($0, Array(try Data(contentsOf: folder.appending(path: $0))))
      })
  }
}
