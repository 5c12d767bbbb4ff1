import Bytes
import NDEF
import TagDumps
import TagMemory

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Sources in files; what a file is shows in its content, not in its name.
extension CloneSource {
  /// Reads the file at `path`. Fails with `noInput`, and with `badInput` where it is none of the
  /// kinds below or holds no message.
  package init(file path: String) throws(BenchError) {
    try self.init(file: try Files.read(path), at: path)
  }

  /// A virtual tag's file, what `--json` prints, an NDEF message, or a dump of a MIFARE Classic or
  /// Type 2 tag.
  package init(file bytes: [UInt8], at path: String) throws(BenchError) {
    if TagDump.isVirtualTag(bytes) {
      let dump = try TagDump(file: bytes, at: path)
      try self.init(dump.image, of: dump.named, at: path)
    } else if RawMessage(parsing: bytes).faults.isEmpty {
      try self.init(bytes, named: path)
    } else if DumpFormat(content: bytes) == .proxmark, !Self.isProxmark(bytes) {
      try self.init(json: bytes, at: path)
    } else {
      let dump: TagDump
      do throws(DumpError) {
        dump = try TagDump(parsing: bytes)
      } catch {
        if let mistake = MessageFile.mistake(in: bytes) {
          throw BenchError(.badInput, sentence("\(path) is not a source: \(mistake)"))
        }
        let other = "neither an NDEF message, nor what --json prints, nor a virtual tag, nor a dump"
        throw BenchError(.badInput, sentence("file \(path) is not a source, \(other): \(error)"))
      }
      try self.init(dump.image, at: path)
    }
  }

  /// Returns whether JSON is a dump and not what `--json` prints, which has no blocks.
  private static func isProxmark(_ bytes: [UInt8]) -> Bool {
    struct Head: Decodable {
      package var fileType: String
      package enum CodingKeys: String, CodingKey { case fileType = "FileType" }
    }
    return (try? JSONDecoder().decode(Head.self, from: Data(bytes))) != nil
  }

  private init(
    _ image: MemoryImage, of product: Product? = nil, at path: String
  ) throws(BenchError) {
    if let (message, mirror) = image.mirroredMessage(of: product) {
      try self.init(message, named: "the message in \(path)", mirror: mirror)
      return
    }
    guard let message = image.message, !message.isEmpty else {
      throw BenchError(
        .badInput, "\(path) is the memory of tag \(image.uid), which holds no NDEF message.")
    }
    try self.init(
      message, named: "the message in \(path)", isForumTag: image.isForumTag,
      isMirrored: image.isMirrored)
  }

  /// What `--json` prints of a tag, as far as it is needed.
  private struct PrintedTag: Decodable {
    struct PrintedRecord: Decodable {
      package var tnf: UInt8
      package var type: String
      package var id: String?
      package var payload: String
    }
    struct PrintedMirror: Decodable {
      package var content: String
      package var offset: Int
    }
    var tag: String?
    var records: [PrintedRecord]?
    var mirror: PrintedMirror?
  }

  private init(json bytes: [UInt8], at path: String) throws(BenchError) {
    let tags: [PrintedTag]
    do {
      let decoder = JSONDecoder()
      if let one = try? decoder.decode(PrintedTag.self, from: Data(bytes)) {
        tags = [one]
      } else {
        tags = try bytes.split(separator: UInt8(ascii: "\n"))
          .filter { !$0.allSatisfy(Self.whiteSpace.contains) }
          .map { try decoder.decode(PrintedTag.self, from: Data($0)) }
      }
    } catch {
      throw BenchError(.badInput, "\(path) looks like JSON, but is not what --json prints.")
    }
    var found: [(tag: PrintedTag, message: Message)] = []
    for tag in tags {
      if let message = try Self.message(tag, at: path) { found.append((tag, message)) }
    }
    guard let first = found.first else {
      throw BenchError(.badInput, "No tag in \(path) holds a message.")
    }
    guard found.allSatisfy({ $0.message == first.message }) else {
      throw BenchError(
        .badInput, "The \(found.count) tags in \(path) hold different messages; keep one of them.")
    }
    let product = first.tag.tag.flatMap(Product.named)
    let bytes = first.message.serialize()
    let mirror = first.tag.mirror.flatMap { printed in
      ASCIIMirror.Content(name: printed.content).map {
        MessageMirror($0, offset: printed.offset)
      }
    }
    guard mirror.map({ $0.offset >= 0 && $0.range.upperBound <= bytes.count }) ?? true else {
      throw BenchError(.badInput, "The mirror in \(path) does not lie in the message.")
    }
    try self.init(
      bytes, named: path, isForumTag: product?.isForumTag ?? true, mirror: mirror)
  }

  private static func message(_ tag: PrintedTag, at path: String) throws(BenchError) -> Message? {
    guard let printed = tag.records, !printed.isEmpty else { return nil }
    do {
      return try Message(
        printed.map { record in
          let id = try Hex.bytes(record.id ?? "")
          return try Record(
            TypeNameFormat(rawValue: record.tnf) ?? .reserved, type: record.type.utf8,
            id: id.isEmpty ? nil : id, payload: try Hex.bytes(record.payload))
        })
    } catch {
      throw BenchError(.badInput, "A record in \(path) is invalid: \(error).")
    }
  }

  private static let whiteSpace = Set(" \t\r\n".utf8)
}
