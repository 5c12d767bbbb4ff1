extension Type2NDEF {
  /// What container, lock bits and password allow.
  struct Access {
    var status: NDEFStatus
    var faults: [Type2Fault] = []

    init(
      _ container: CapabilityContainer, area: TLVArea, map: Type2Map, memory: Type2Memory,
      authenticated: Bool
    ) {
      guard container.isNDEF else {
        status = .notSupported
        return
      }
      guard container.readAccess == .free else {
        status = .notSupported
        faults = [.readAccess(container.readAccess)]
        return
      }
      status = .readWrite
      let pages = map.user.prefix(area.byteCount / Page.byteCount)
      let locked = memory.locked(pages)
      let protection = authenticated ? nil : memory.protection
      let isProtected = pages.last.map { protection?.isWriteProtected($0) ?? false } ?? false

      switch container.writeAccess {
      case .never:
        status = .readOnly
        return
      case .free: break
      case .proprietary, .reserved:
        faults.append(.writeAccess(container.writeAccess))
        // The nibble says nothing about the password: AUTH0 does, where it is known.
        if !memory.knowsProtection, !authenticated { status = .readOnly }
      }
      if !locked.isEmpty {
        status = .readOnly
        faults.append(.lockedPages(locked))
      }
      if isProtected, let protection {
        status = .readOnly
        faults.append(.passwordNeeded(protection))
      }
    }
  }
}
