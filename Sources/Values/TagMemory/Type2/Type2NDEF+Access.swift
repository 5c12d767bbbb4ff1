extension Type2NDEF {
  /// What container, lock bits and password allow.
  struct Access {
    var status: NDEFStatus
    var faults: [Type2Fault] = []

    init(
      _ container: CapabilityContainer, area: TLVArea, map: Type2Map, memory: Type2Memory,
      protection: AccessProtection?, authenticated: Bool
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
      // A telephone writes where the container lets everyone write, and has no password.
      status = container.writeAccess == .free ? .readWrite : .readOnly
      let pages = map.user.prefix(area.byteCount / Page.byteCount)
      let locked = memory.locked(pages)
      let isProtected = pages.last.map { protection?.isWriteProtected($0) ?? false } ?? false

      switch container.writeAccess {
      case .never: return
      case .free: break
      case .proprietary, .reserved: faults.append(.writeAccess(container.writeAccess))
      }
      if !locked.isEmpty {
        status = .readOnly
        faults.append(.lockedPages(locked))
      }
      if isProtected, let protection {
        status = .readOnly
        if !authenticated { faults.append(.passwordNeeded(protection)) }
      }
    }
  }
}
