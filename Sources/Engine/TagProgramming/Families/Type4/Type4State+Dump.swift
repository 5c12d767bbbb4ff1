import TagMemory

extension Type4State {
  /// The files of a dump; nil for a dump of another kind of tag.
  init?(_ dump: TagDump) {
    guard case .type4 = dump.image.layout else { return nil }
    self.init(
      uid: dump.image.uid, atqa: dump.atqa, sak: dump.sak, product: dump.product, version: nil,
      parameters: ISODEPParameters(ats: []))
    var found = Application(naming: .current)
    for (file, bytes) in dump.image.files { found.others[file] = bytes }
    found.bytes = found.others.removeValue(forKey: .capability) ?? []
    do throws(CapabilityError) {
      let container = try CapabilityFile(parsing: found.bytes)
      found.known = found.others.removeValue(forKey: container.message.file) ?? []
      found.container = container
    } catch {
      found.fault = error
    }
    application = found
  }
}

extension Type4Family {
  static func describe(_ dump: TagDump, counters: Bool) -> TagDescription? {
    guard let state = Type4State(dump), let application = state.application else { return nil }
    var description = TagDescription(state)
    description.details = [
      TagDescription.Detail("manufacturer", state.uid.manufacturer.map { "\($0)" } ?? "unknown")
    ]
    description.addFiles(of: application, state)
    if dump.image.isMirrored {
      description.findings.append(
        TagDescription.Finding(
          "dump-mirrored",
          "The tag fills in a part of the message at each reading: the dump holds what it was at one."
        ))
    }
    return description
  }
}
