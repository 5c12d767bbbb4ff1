import TagMemory

/// Which keys tags were given, said without a secret.
package struct KeysJSON: Encodable {
  package var scheme: String
  /// The first bytes of a code made with the master key; absent for keys of a list's columns.
  package var masterID: String?
  /// What goes into every key; the columns of a list.
  package var name: String?
  package var version: UInt8
  package var metaRead: UInt8
  package var fileRead: UInt8
  /// How many finished tags have them.
  package var tags: Int?

  package init(_ identity: KeyRing.Identity, tags: Int? = nil) {
    (scheme, version) = (identity.scheme, identity.version)
    masterID = identity.master.isEmpty ? nil : identity.master
    name = identity.name.isEmpty ? nil : identity.name
    (metaRead, fileRead, self.tags) = (identity.metaRead, identity.fileRead, tags)
  }
}
