#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Whole files in and out, with failures as sentences.
enum Files {
  /// The bytes of the file at `path`; `-` is standard input. Fails with `noInput`.
  static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(filePath: path == "-" ? "/dev/stdin" : path)))
    } catch {
      throw CommandFailure(.noInput, "\(path) cannot be read: \(reason(error)).")
    }
  }

  /// Replaces the file at `path`; a regular one as a whole, so that it is old or new and never half.
  /// Fails with `cannotCreate`.
  static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    // Renaming a new file over a device or a link would replace what it is.
    let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    let isRegular = kind == nil || kind == .typeRegular
    do {
      try Data(bytes).write(to: URL(filePath: path), options: isRegular ? .atomic : [])
    } catch {
      throw CommandFailure(.cannotCreate, "\(path) cannot be written: \(reason(error)).")
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileNoSuchFile, .fileReadNoSuchFile: "there is no such file or folder"
    case .fileReadNoPermission, .fileWriteNoPermission: "permission is denied"
    case .fileWriteOutOfSpace: "no space is left"
    case .fileWriteVolumeReadOnly: "the file system is read-only"
    default: "the system refused"
    }
  }
}
