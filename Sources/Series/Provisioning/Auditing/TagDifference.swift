import LedgerSQLite
import TagMemory

/// One thing in which a tag is not what a journal says of it.
package enum TagDifference: Hashable, Sendable {
  case content
  /// The data of its memory are those of its job, and access conditions are not.
  case access
  /// Not all of it can be read.
  case unread
  /// The tag is of another type, by the names of `sim:`.
  case type(is: String, was: String)
  /// The journal has it locked, and it is not.
  case unlocked
  case locked
  /// The journal has it protected by a password, and it is not.
  case unprotected
  case protected
  /// It needs its password to be read, as its job does not ask for.
  case readProtected
  /// It can be read without its password, and its job asks for that.
  case readOpen
  /// Its configuration is frozen, as its job does not ask for.
  case frozen
  case notFrozen
  /// What the tag fills in, a mirror of an NTAG 21x, is not what its job asks for.
  case mirror(ASCIIMirror.Content?)
  /// The tag was given keys, and its message proves nothing.
  case noProof
  /// The proof in its message was not made with the keys that were given to compare.
  case wrongProof
}

extension TagDifference {
  /// Stable, for programs.
  package var code: String {
    switch self {
    case .content: "content"
    case .access: "access"
    case .unread: "unread"
    case .type: "type"
    case .unlocked: "unlocked"
    case .locked: "locked"
    case .unprotected: "unprotected"
    case .protected: "protected"
    case .readProtected: "read-protected"
    case .readOpen: "read-open"
    case .frozen: "frozen"
    case .notFrozen: "not-frozen"
    case .mirror: "mirror"
    case .noProof: "no-proof"
    case .wrongProof: "wrong-proof"
    }
  }

  /// What differs, in a clause; `when`: the time at which the tag was written.
  package func clause(since when: String) -> String {
    switch self {
    case .content: "its content differs from what was written on \(when)"
    case .access:
      "its access conditions differ from those that it was given on \(when), and its data do not"
    case .unread: "not all of its memory can be read"
    case .type(let found, let written):
      "it is of the type \(Self.name(found)), and the job was written on the type \(Self.name(written))"
    case .unlocked: "it is not locked, and it was when it was written"
    case .locked: "it is locked, and it was not when it was written"
    case .unprotected: "it has no password, and it had one when it was written"
    case .protected: "it has a password, and it had none when it was written"
    case .readProtected: "it needs its password to be read, as its job does not ask for"
    case .readOpen: "it can be read without its password, and its job asks for that"
    case .frozen: "its configuration is permanently frozen, as its job does not ask for"
    case .notFrozen: "its configuration is not frozen, and its job asks for that"
    case .mirror(nil): "it no longer fills anything in"
    case .mirror(let content?): "it fills in \(content.words), as its job does not ask for"
    case .noProof: "its message no longer proves the tag"
    case .wrongProof: "its message is not proved by these keys"
    }
  }

  /// All of `differences`, in one clause.
  package static func clause(_ differences: [TagDifference], since when: String) -> String {
    differences.map { $0.clause(since: when) }.joined(separator: "; ")
  }

  private static func name(_ type: String) -> String { Product.named(type)?.displayName ?? type }
}
