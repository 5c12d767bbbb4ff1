import Bytes

extension SimulatedTagSpec {
  /// The tag at `index` as `file` keeps it, or new where there is no file (yet). Throws when the
  /// file cannot be used, or holds a tag of another product or with another UID than asked for.
  package func storedTag(at index: Int) throws(VirtualTagError) -> any StoredTag {
    let new = try tag(at: index)
    guard let path = file, let kept = try TagFile.load(path, expecting: new.product) else {
      return new
    }
    if !uids.isEmpty, kept.uid != new.storedUID {
      throw .otherUID(path: path, found: kept.uid, wanted: new.storedUID)
    }
    do throws(VirtualTagError) {
      return deviating(try kept.makeTag())
    } catch {
      throw .unusableFile(path: path, reason: error.description)
    }
  }

  /// The tag at `index` with the memory of a dump: what that does not hold is as delivered. Throws
  /// for a memory that such a tag cannot have, and for another UID than asked for.
  package func tag(
    at index: Int, holding memory: DumpedMemory, from path: String
  ) throws(VirtualTagError) -> any StoredTag {
    let product = try tag(at: index).product
    if !uids.isEmpty, uids[index] != memory.uid {
      throw .otherUID(path: path, found: memory.uid, wanted: uids[index])
    }
    let tag = try TagCatalog.tag(product, uid: memory.uid, content: content, options: card)
    var bytes = tag.eeprom.bytes
    for (place, number) in tag.rows.numbers.enumerated() where memory.files.isEmpty {
      guard let row = memory.rows[number], row.count == tag.rows.size else {
        throw .unusableFile(
          path: path, reason: "It has no \(tag.rows.label.lowercased()) \(number) of a \(product).")
      }
      for (index, byte) in row.enumerated() {
        if let byte { bytes[place * tag.rows.size + index] = byte }
      }
    }
    guard tag.bearsUID(bytes) else { throw .uidDisagrees(product: product, uid: memory.uid) }
    tag.eeprom.load(bytes)
    guard tag.load(files: memory.files) else {
      throw .unusableFile(path: path, reason: "A virtual \(product) cannot have its files.")
    }
    for (name, value) in memory.registers { tag.store(value, in: name) }
    return deviating(tag)
  }

  /// The tag at `index`, as the folder keeps it where it does. From now on the folder gets what
  /// every programming cycle leaves, so that the memory outlives this process; `onFailure` is told
  /// when it cannot.
  package func keptTag(
    at index: Int, onFailure: @escaping (VirtualTagError) -> Void
  ) throws(VirtualTagError) -> any StoredTag {
    let tag = try tag(at: index)
    guard let folder else { return tag }
    let path = "\(folder)/\(Hex.string(tag.storedUID)).tag"
    if let kept = try TagFile.load(path, expecting: tag.product)?.makeTag() {
      for register in kept.storedRegisters { tag.store(register.value, in: register.name) }
      tag.eeprom.load(kept.eeprom.bytes)
    }
    tag.eeprom.onProgrammed = { [unowned tag] in
      do throws(VirtualTagError) {
        try TagFile(tag).save(to: path, durable: false)
      } catch {
        onFailure(error)
      }
    }
    return tag
  }

  /// From now on `file`, where there is one, gets what every programming cycle leaves in `tag`:
  /// whatever ends this process, the memory outlives it. `onFailure` is told when it cannot.
  package func saveEachCycle(
    of tag: any StoredTag, onFailure: @escaping (VirtualTagError) -> Void
  ) {
    guard let path = file else { return }
    var content: TagFile?
    tag.eeprom.onProgrammed = { [unowned tag] in
      do throws(VirtualTagError) {
        var file = TagFile(tag)
        if let content {
          file = content
        } else if let kept = try TagFile.load(path, expecting: tag.product) {
          file = kept
        }
        file.update(from: tag)
        content = file
        try file.save(to: path, durable: false)
      } catch {
        onFailure(error)
      }
    }
  }

  /// Saves `tag` in `file`, if there is one; comments in it stay. A file that has meanwhile become
  /// unusable is not overwritten.
  package func save(_ tag: any StoredTag) throws(VirtualTagError) {
    guard let path = file else { return }
    var content = try TagFile.load(path, expecting: tag.product) ?? TagFile(tag)
    content.update(from: tag)
    try content.save(to: path)
  }
}

/// What a dump in a format of another program holds of a tag.
package struct DumpedMemory: Hashable, Sendable {
  package let uid: [UInt8]
  /// Blocks or pages by their numbers; nil where a byte is not known.
  package let rows: [Int: [UInt8?]]
  /// The files of a Type 4 tag, by their identifiers.
  package let files: [Int: [UInt8]]
  /// `storedRegisters` by their names.
  package let registers: [String: Int]

  package init(
    uid: [UInt8], rows: [Int: [UInt8?]], files: [Int: [UInt8]], registers: [String: Int]
  ) {
    (self.uid, self.rows, self.files, self.registers) = (uid, rows, files, registers)
  }
}
