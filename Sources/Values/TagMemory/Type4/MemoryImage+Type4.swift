/// A file in the image of a Type 4 tag.
package struct FileExtent: Hashable, Sendable {
  package let file: FileID
  package let byteCount: Int

  package init(_ file: FileID, byteCount: Int) { (self.file, self.byteCount) = (file, byteCount) }
}

extension MemoryImage {
  /// The files of a Type 4 tag's NDEF application, the capability container first.
  package init?(files: [(file: FileID, bytes: [UInt8])], uid: UID) {
    let extents = files.map { FileExtent($0.file, byteCount: $0.bytes.count) }
    self.init(.type4(extents), uid: uid, bytes: files.flatMap { $0.bytes.map { $0 } })
  }

  /// The files of a Type 4 tag with their bytes, in their order; none of another tag.
  package var files: [(file: FileID, bytes: [UInt8])] {
    guard case .type4(let extents) = layout else { return [] }
    var offset = 0
    return extents.map { extent in
      defer { offset += extent.byteCount }
      return (extent.file, bytes[offset..<offset + extent.byteCount].map { $0 ?? 0 })
    }
  }

  /// The container and the bytes of the message's file; nil where either is missing.
  package var type4Message: (container: CapabilityFile, file: [UInt8])? {
    let files = files
    guard let head = files.first(where: { $0.file == .capability }),
      let container = try? CapabilityFile(parsing: head.bytes),
      let file = files.first(where: { $0.file == container.message.file })
    else { return nil }
    return (container, file.bytes)
  }

  /// Type 4 Tag 1.2, 4.4.
  var messageOfType4: [UInt8]? {
    guard let (container, file) = type4Message,
      let length = MessageLength(file, in: container.message)
    else { return nil }
    let start = container.message.lengthByteCount
    switch length {
    case .empty: return []
    case .message(let count):
      return file.count >= start + count ? Array(file[start..<start + count]) : nil
    case .reserved, .tooLong: return nil
    }
  }
}
