extension SimulatedTagSpec {
  /// The tag at `index` as `file` keeps it, or new where there is no file (yet). Throws when the file cannot be
  /// used, or holds a tag of another product or with another UID than asked for.
  public func storedTag(at index: Int) throws(VirtualTagError) -> any StoredTag {
    let new = try tag(at: index)
    guard let path = file, let kept = try TagFile.load(path, expecting: new.product) else {
      return new
    }
    if !uids.isEmpty, kept.uid != new.uid {
      throw .otherUID(path: path, found: kept.uid, wanted: new.uid)
    }
    do throws(VirtualTagError) {
      return try kept.makeTag()
    } catch {
      throw .unusableFile(path: path, reason: error.description)
    }
  }

  /// Saves `tag` in `file`, if there is one; comments in it stay. A file that has meanwhile become unusable is
  /// not overwritten.
  public func save(_ tag: any StoredTag) throws(VirtualTagError) {
    guard let path = file else { return }
    var content = try TagFile.load(path, expecting: tag.product) ?? TagFile(tag)
    content.update(from: tag)
    try content.save(to: path)
  }
}
