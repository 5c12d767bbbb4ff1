import Foundation
import Testing

@testable import Bench

@Suite("A file that a person names for a command")
struct NamedFileTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "named-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// What may stand where the file is to be, and whether it holds something.
  enum Before: CaseIterable {
    case nothing, empty, file, readable, link, deadLink, folder, missingFolder, pipe, device
  }

  /// How it is written.
  enum Way: CaseIterable { case whole, secret, lines }

  private static let refused = NamedFile.Consent.refused(asking: "--force")

  /// Puts `before` there; returns the path, and that of the content that could be lost.
  private func place(_ before: Before) throws -> (path: String, kept: String) {
    let path = folder.appending(path: "out").path
    let other = folder.appending(path: "other").path
    switch before {
    case .nothing: break
    case .empty: try Data().write(to: URL(filePath: path))
    case .file: try Data("keep me\n".utf8).write(to: URL(filePath: path))
    case .readable:
      try Data("keep me\n".utf8).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    case .link:
      try Data("keep me\n".utf8).write(to: URL(filePath: other))
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
      return (path, other)
    case .deadLink:
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
    case .folder:
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    case .missingFolder: return (path + "/out", path)
    case .pipe: #expect(unsafe mkfifo(path, 0o600) == 0)
    case .device: return ("/dev/null", path)
    }
    return (path, path)
  }

  private func text(_ path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }

  private func mode(_ path: String) throws -> Int? {
    let values = try FileManager.default.attributesOfItem(atPath: path)
    return (values[.posixPermissions] as? NSNumber)?.intValue
  }

  private func write(_ way: Way, to path: String, _ consent: NamedFile.Consent) throws {
    let file = try NamedFile(path, consent)
    switch way {
    case .whole, .secret:
      let saved = try file.write(Array("new\n".utf8), isSecret: way == .secret)
      #expect(saved.sentence == "Saved 4 bytes to \(path).")
    case .lines: #expect(try LineFile(file).write("new\n"))
    }
  }

  @Test(
    "that holds anything is refused before anything is done, and is as it was",
    arguments: Before.allCases, Way.allCases)
  func refuses(before: Before, way: Way) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (path, kept) = try place(before)
    let reader = before == .pipe ? unsafe open(path, O_RDONLY | O_NONBLOCK) : -1
    defer { if reader >= 0 { close(reader) } }
    let held = text(kept)
    switch before {
    case .nothing, .empty, .device, .pipe:
      try write(way, to: path, Self.refused)
      if before != .device, before != .pipe { #expect(text(path) == "new\n") }
    case .file, .readable, .link, .deadLink:
      let error = #expect(throws: BenchError.self) { _ = try NamedFile(path, Self.refused) }
      #expect(error?.code == .cannotCreate)
      #expect(
        error?.reason
          == "\(path) exists already and is not replaced. Name another file, or use --force to replace it."
      )
      #expect(text(kept) == held)
    case .folder, .missingFolder:
      for consent in [Self.refused, .given] {
        let error = #expect(throws: BenchError.self) { _ = try NamedFile(path, consent) }
        #expect(error?.code == .cannotCreate)
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.allSatisfy { ["out", "other"].contains($0) }, "\(names)")
  }

  @Test(
    "is replaced where the person said so; one with secrets is then its owner's alone",
    arguments: [Before.nothing, .empty, .file, .readable, .link], Way.allCases)
  func replaces(before: Before, way: Way) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (path, kept) = try place(before)
    try write(way, to: path, .given)
    #expect(text(path) == "new\n" && text(kept) == "new\n")
    if way != .whole { #expect(try mode(kept) == 0o600) }
    let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    #expect(type == (before == .link ? .typeSymbolicLink : .typeRegular))
  }

  @Test("is not replaced where another has come since it was looked at", arguments: Way.allCases)
  func comesMeanwhile(way: Way) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "out").path
    let file = try NamedFile(path, .refused(asking: nil))
    try Data("keep me\n".utf8).write(to: URL(filePath: path))
    let error = #expect(throws: BenchError.self) {
      if way == .lines { _ = try LineFile(file) } else { try file.write([1], isSecret: true) }
    }
    #expect(
      error?.reason
        == "\(path) exists already and is not replaced. Name another file, or delete this one.")
    #expect(text(path) == "keep me\n")
  }

  @Test("is not replaced by one that came while the new one was made")
  func comesWhileItIsMade() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "out").path
    let file = try NamedFile(path, Self.refused)
    #expect(throws: BenchError.self) {
      try file.write(isSecret: false) { put throws(BenchError) in
        put([1])
        #expect(FileManager.default.createFile(atPath: path, contents: Data("keep me\n".utf8)))
      }
    }
    #expect(text(path) == "keep me\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
  }

  @Test("is written again by the run that made it")
  func again() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "out").path
    let file = try NamedFile(path, Self.refused)
    try file.write([65], isSecret: true)
    try file.write([66], isSecret: true)
    #expect(text(path) == "B")
  }

  @Test("is not standard output, and a full disk is said")
  func others() {
    #expect(throws: BenchError.self) { _ = try NamedFile("-", .given) }
    let error = #expect(throws: BenchError.self) {
      try NamedFile("/dev/full", Self.refused).write([1], isSecret: false)
    }
    #expect(error?.reason == "/dev/full cannot be written: No space left on device.")
  }
}
