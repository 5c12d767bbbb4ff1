import JobLists
import LedgerSQLite
import TagMemory
import TagProgramming

/// What was read of a tag, to be compared with what a journal says of it. What is nil is not known.
package struct TagReading: Sendable {
  /// Says whether the proof in the tag's message is one of given keys.
  private enum Proof { case notChecked, valid, wrong }

  /// The tag's UID. Of a tag that shows a random one and proves by given keys which it is, its own.
  package private(set) var uid: UID
  /// The message by which a job is known again: none where the tag has none.
  package let message: [UInt8]
  /// The type, as `sim:` calls it.
  let type: String?
  var isLocked: Bool?
  var isProtected: Bool?
  private var isReadProtected: Bool?
  private var isFrozen: Bool?
  /// What the tag fills in of its message.
  private let filling: HeldMessage.Filling??
  private var proof = Proof.notChecked
  /// The whole memory; the inner nil: the tag showed none.
  private var memory: MemoryImage??

  /// What `report` says of its tag; `keys`: those by which it may prove itself. No command is sent.
  package init(_ report: TagReport, _ uid: UID, keys: (any ProofKeys)? = nil) {
    self.init(report.content, uid, type: report.product?.name, keys)
    (isLocked, isProtected) = (report.isLocked, report.isPasswordProtected)
    isReadProtected = report.isReadProtected
    isFrozen = report.configuration?.isLocked
    memory = .some(report.dump?.image)
  }

  /// What a first look at a tag has shown.
  package init(_ found: TagFound, keys: (any ProofKeys)? = nil) {
    self.init(found.content, found.target.uid, type: found.product?.name, keys)
    memory = found.dump.map { .some($0.image) }
  }

  /// What the row of a file says of a tag that was read before.
  init(_ tag: CollectedFile.Tag) {
    (uid, message, type, filling) = (tag.uid, tag.message, tag.type, nil)
    isProtected = tag.isProtected
  }

  private init(_ content: Content, _ uid: UID, type: String?, _ keys: (any ProofKeys)?) {
    (self.uid, self.type) = (uid, type)
    (message, filling) = (content.stored ?? [], .some(content.held?.filling))
    guard let keys, let parts = content.held?.filling?.proof else { return }
    let known = uid.isRandom ? nil : uid
    guard let proof = try? SUNProof(parts, with: keys, known: known), let own = proof.uid,
      known == nil || known == own
    else {
      self.proof = .wrong
      return
    }
    (self.uid, self.proof) = (own, .valid)
  }

  /// Returns in what the tag is not as the journal says. `hasProofs`: it was given keys; `given`:
  /// what each tag of the series was given besides its job.
  func differences(
    from written: WrittenTag, hasProofs: Bool, given: Set<SourceDescription.Gift>
  ) -> [TagDifference] {
    var found = [content(from: written)].compactMap(\.self)
    if let type, let was = written.tagType, type != was { found.append(.type(is: type, was: was)) }
    if let isLocked, isLocked != written.isLocked { found.append(isLocked ? .locked : .unlocked) }
    if let isProtected, isProtected != written.isProtected {
      found.append(isProtected ? .protected : .unprotected)
    }
    let mirrored = written.job.message.mirrored
    // Of what tags had before nothing is known that no job changes.
    if let isReadProtected, isProtected == true, given.contains(.password) {
      let isWanted = given.contains(.readPassword) && !written.job.hasPassword
      if isReadProtected != isWanted { found.append(isWanted ? .readOpen : .readProtected) }
    }
    if let isFrozen, mirrored != nil, isFrozen != given.contains(.frozenMirror) {
      found.append(isFrozen ? .frozen : .notFrozen)
    }
    guard let filling, !found.contains(.content) else { return found }
    // One that shows behind the message is nothing that any job turns on or off.
    let shown = filling?.mirror?.content
    if shown != mirrored { found.append(.mirror(shown)) }
    if hasProofs, filling?.proof == nil {
      found.append(.noProof)
    } else if hasProofs, proof == .wrong {
      found.append(.wrongProof)
    }
    return found
  }
}

/// What a tag holds of what jobs put on tags: the one comparison of the two.
extension TagReading {
  /// What the tag holds in place of `job`: its message, or the data of its memory; nil where that
  /// was not read, or not whole.
  package func content(inPlaceOf job: PlannedJob) -> [UInt8]? {
    job.message.isImage ? data : message
  }

  /// All by which a job may be known that the tag holds.
  var contents: [[UInt8]] { [message, data].compactMap(\.self).filter { !$0.isEmpty } }

  /// The data of the tag's memory; nil where not all of them were read.
  var data: [UInt8]? {
    type.flatMap(Product.named).flatMap { product in memory??.data(of: product) }
  }

  /// Is true if the whole memory was read and holds nobody's data.
  var isBlank: Bool {
    type.flatMap(Product.named).map { memory??.isBlank(of: $0) ?? false } ?? false
  }

  /// In what the tag's content differs from that of its job; nil where it does not, and where
  /// nobody looked.
  private func content(from written: WrittenTag) -> TagDifference? {
    let job = written.job
    guard job.message.isImage else {
      return digest(of: message) == written.digest ? nil : .content
    }
    guard let memory else { return nil }
    guard let memory, let data else { return .unread }
    guard digest(of: data) == written.digest else { return .content }
    return memory.has(access: job.message.imageAccess) ? nil : .access
  }
}
