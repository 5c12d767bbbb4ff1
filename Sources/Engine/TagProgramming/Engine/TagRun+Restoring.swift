import TagMemory

/// A dump's message comes onto a tag whole or not at all.
extension TagRun {
  /// Refuses a dump that does not know all of its message, where the bytes that it knows and those
  /// that the tag keeps would make a message that neither of them holds.
  func requireOneMessage(_ restore: Restore, on state: Family.State) throws(Setback) {
    guard let product = course.description.product,
      restore.image.dataRows(of: product).contains(where: { restore.image.row($0) == nil }),
      let found = Family.describe(state, for: .dump).dump,
      let mixed = found.image.restored(from: restore.image, of: product)
    else { return }
    func shown(by image: MemoryImage) -> Content? {
      Family.describe(TagDump(image), counters: false)?.content
    }
    if let own = shown(by: restore.image), own.held != nil || own.isEmpty { return }
    guard let message = shown(by: mixed), message.promisesMessage, message != shown(by: found.image)
    else { return }
    throw .failure(JobFailure(.partOfMessage, remedy: .correctDump).onUntouchedTag)
  }
}

extension Content {
  /// Is true where readers look for a message that has bytes.
  fileprivate var promisesMessage: Bool {
    switch self {
    case .message, .lost: true
    case .notLookedAt, .unreadable, .empty, .unformatted, .blank, .foreign: false
    }
  }
}
