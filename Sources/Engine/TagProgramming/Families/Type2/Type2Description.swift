import Bytes
import TagMemory

/// What `info` says of a Type 2 tag that was read as far as it can be.
struct Type2Description {
  let state: Type2State
  let uid: UID

  var description: TagDescription {
    var description = TagDescription(state)
    description.access = description.access ?? .notSupported
    let manufacturer = uid.manufacturer.map { "\($0)" } ?? "unknown"
    description.details += [
      TagDescription.Detail("manufacturer", manufacturer),
      TagDescription.Detail(
        "memory",
        "\(state.map.byteCount) bytes in \(state.map.pages.count) pages, user "
          + "pages \(state.map.user.lowerBound.number) to \(state.map.user.upperBound.number)"
          + (state.map.further.map { " and \($0.lowerBound.number) to \($0.upperBound.number)" }
            ?? "")
          + (state.map.pageCount > Page.perSector ? "; those from 256 on are sector 1's" : "")),
    ]
    if let container = state.memory.capabilityContainer {
      description.details.append(TagDescription.Detail("capability container", "\(container)"))
    }
    description.details.append(TagDescription.Detail("locked pages", lockedPages))
    if isOpenBehindContainer {
      description.details.append(
        TagDescription.Detail(
          "write access",
          "the message is read-only for writers, but its pages are still open"
            + (state.product.canLockAndProtect ? ": `nfcprog lock` finishes it" : "")))
    }
    description.details.append(TagDescription.Detail("password", protection))
    description.isLocked = isLocked
    description.isPasswordProtected = state.isPasswordProtected
    if state.knowsProtection {
      let protection = state.memory.protection
      description.isReadProtected =
        protection.map { $0.coversArea && $0.includesReading } ?? false
    }
    description.configuration = state.memory.configuration
    if let first = state.refused, first > .firstOfArea, state.hidesArea {
      description.findings.append(
        TagDescription.Finding(
          "not-known",
          "\(first) and later pages do not show: a password is needed to read them, or the tag has less memory than its type."
        ))
    }
    if let mirror = state.memory.configuration?.mirror {
      description.details.append(
        TagDescription.Detail(
          "mirror",
          "\(mirror.content.words), \(mirror.content.byteCount) characters from \(mirror.page), byte \(mirror.byte)"
            + (state.shownMirror == mirror
              ? "" : "; the counter is off or hidden and does not show")
        ))
    }
    description.memory = state.rows
    return description
  }

  private var lockedPages: String {
    let locks = [state.memory.staticLocks, state.memory.dynamicLocks].compactMap(\.self)
    guard state.memory.staticLocks != nil else { return "not known: the lock bytes cannot be read" }
    let locked = locks.flatMap(\.lockedPages).map { Int($0.number) }
    let list = locked.isEmpty ? "none" : NumberRuns.list(locked)
    guard state.map.user.contains(where: { state.isLocked($0) == nil }) else { return list }
    return "\(list) up to page 15; of later ones not known: "
      + (state.map.dynamicLocks == nil
        ? "where this chip keeps their lock bits is not known here"
        : "the dynamic lock bytes cannot be read")
  }

  /// Says whether lock bits close every page of the data area; nil where not all of them could be
  /// read.
  private var isLocked: Bool? {
    let pages = state.map.user.prefix(max(1, state.area.byteCount / Page.byteCount))
    let locks = pages.map(state.isLocked)
    return locks.contains(false) ? false : locks.contains(nil) ? nil : true
  }

  /// Is true if the capability container says that nobody may write, and pages of the data area are
  /// under neither lock bits nor a password.
  private var isOpenBehindContainer: Bool {
    guard let ndef = state.ndef, ndef.scan != nil, ndef.container.writeAccess == .never,
      state.knowsProtection
    else { return false }
    let pages = state.map.user.prefix(max(1, state.area.byteCount / Page.byteCount))
    let protection = state.memory.protection
    return pages.contains { page in
      state.isLocked(page) == false && protection?.isWriteProtected(page) != true
    }
  }

  private var protection: String {
    if let likely = state.likelyProtection { return "\(likely)" }
    guard state.knowsProtection else {
      return state.map.mayHidePassword
        ? "not known: where this chip keeps one is not known here"
        : "not known: the configuration cannot be read"
    }
    guard state.map.mayHavePassword else { return "none: this chip has no password" }
    return state.memory.protection.map { "\($0)" } ?? "off"
  }
}

extension Type2Fault {
  /// The finding's stable name.
  var code: String {
    switch self {
    case .containerBlank: "cc-blank"
    case .containerForeign: "cc-foreign"
    case .containerSpoilt: "cc-spoilt"
    case .areaBeyondMemory: "cc-size"
    case .areaEmpty: "cc-empty"
    case .readAccess: "cc-read-access"
    case .writeAccess: "cc-write-access"
    case .lockedPages: "locked-pages"
    case .passwordNeeded: "password"
    case .lockControlWrong: "lock-control"
    case .messageMissing: "message-missing"
    case .messageGarbled: "message-garbled"
    case .tlv(let fault): fault.code
    }
  }
}

extension TLVFault {
  /// The finding's stable name.
  var code: String {
    switch kind {
    case .lengthMissing, .lengthReserved: "tlv-length"
    case .beyondArea: "tlv-beyond-area"
    case .longForm: "tlv-long-form"
    case .controlLength, .controlAfterMessage: "tlv-control"
    case .secondMessage: "tlv-second-message"
    case .unknownTag: "tlv-unknown"
    case .bareRecord: "tlv-bare-record"
    case .terminatorMissing: "tlv-terminator"
    }
  }
}

extension Type2State {
  /// The memory as far as it was looked at, a row a page.
  var rows: [MemoryRow] {
    map.pages.map { MemoryRow(label: "Page \($0.number)", bytes: memory[$0]) }
  }
}
