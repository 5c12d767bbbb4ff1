import Foundation

/// Why a file beside a series cannot be written.
package enum FileTrouble {
  /// Returns what the system says, in words.
  package static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileNoSuchFile, .fileReadNoSuchFile: "there is no such folder"
    case .fileReadNoPermission, .fileWriteNoPermission: "permission is denied"
    case .fileWriteOutOfSpace: "no space is left"
    case .fileWriteVolumeReadOnly: "the file system is read-only"
    default: "the system refused"
    }
  }
}
