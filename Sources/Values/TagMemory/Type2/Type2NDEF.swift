/// The NDEF data of a Type 2 tag, as far as its memory has been read (NFC Forum Type 2 Tag 1.1, 6).
package struct Type2NDEF: Hashable, Sendable {
  /// What a telephone can do, which has no password; nil as long as it is not known whether there
  /// is a message.
  package let status: NDEFStatus?
  /// Page 3 as it stands.
  package let container: CapabilityContainer
  /// The container that turns the tag into an NDEF tag; nil where it is one, or can never be.
  package let containerToWrite: CapabilityContainer?
  /// The data area: as the container has it, or as `containerToWrite` would, within the chip's user
  /// memory. Bytes that control TLVs reserve are not noted here: they are in `scan` and depend on
  /// `leading`.
  package let area: TLVArea
  /// What the TLVs say; nil where the tag is no NDEF tag, so that nothing says that there are any.
  package let scan: TLVScan?
  /// The bytes to stand before a new message: those that stand there now, with a wrong Lock Control
  /// TLV put right in its place; on a tag without TLVs those that the chip is delivered with.
  package let leading: [UInt8]
  /// The first TLV of somebody that a message behind `leading` would go over: what a damaged one
  /// covers, or where it ends, cannot be told. Nil where there is none.
  package let lost: TLVScan.Block?
  /// The longest message in bytes that fits behind `leading`; 0 where the tag can never carry one.
  /// Nil as long as it is not known what stands before the message.
  package let capacity: Int?
  /// Everything wrong or odd.
  package let faults: [Type2Fault]

  /// Judges what `memory` knows of a `product`; nil where page 3 is not known, or where the product
  /// is no Type 2 chip. `likely`: what a password protects, where the memory itself does not tell;
  /// `authenticated`: it has been given, so that its protection is no fault.
  package init?(
    _ product: Product, memory: Type2Memory, likely: AccessProtection? = nil,
    authenticated: Bool = false
  ) {
    guard let map = product.type2, let container = memory.capabilityContainer else { return nil }
    var faults: [Type2Fault] = []
    self.container = container

    let right = map.capabilityContainer
    let isDead = !container.isNDEF && !container.canBecome(right)
    containerToWrite = container.isNDEF || isDead ? nil : right
    if !container.isNDEF {
      faults.append(
        container.isBlank
          ? .containerBlank : isDead ? .containerSpoilt(container) : .containerForeign(container))
    }

    let claimed = (containerToWrite ?? container).areaByteCount
    let available =
      (Int(map.user.upperBound.number) + 1) * Page.byteCount - Page.firstOfArea.byteOffset
    if container.isNDEF, claimed > available + map.furtherByteCount {
      faults.append(
        .areaBeyondMemory(claimed: claimed, available: available + map.furtherByteCount))
    }
    if container.isNDEF, claimed == 0 { faults.append(.areaEmpty) }
    area = .type2(byteCount: isDead ? 0 : min(claimed, available))

    let known = memory.bytes(from: .firstOfArea)
    scan = container.isNDEF && claimed > 0 ? TLVScan(known, of: area) : nil
    leading =
      scan.map { Self.leading(of: $0, known: known, product: product, map: map) }
      ?? (isDead ? [] : map.deliveredLockControl)
    let isDecided = scan.map(Self.isDecided) ?? true
    lost = (isDecided ? scan : nil).flatMap { [leading] scan in
      scan.othersBeforeMessage.first { other in
        guard let end = other.endOffset, end <= leading.count else { return true }
        return leading[other.offset..<end] != known[other.offset..<end]
      }
    }
    capacity = isDecided ? TLVLayout.capacity(of: area, leading: leading) ?? 0 : nil

    if let scan { faults += Self.faults(of: scan, product: product, map: map) }
    let access = Access(
      container, area: area, map: map, memory: memory,
      protection: memory.protection ?? likely, authenticated: authenticated)
    self.faults = faults + access.faults
    status = !isDecided ? nil : scan.map(Self.isReadable) ?? false ? access.status : .notSupported
  }

  /// The message; nil where there is none or where more has to be read first.
  package var message: [UInt8]? { scan?.message?.value }

  /// How many bytes of the data area have to be known to tell the message; nil when that is
  /// decided. Until then `status` and `faults` are provisional.
  package var neededByteCount: Int? {
    guard let scan, scan.message?.value == nil, case .needs(let count) = scan.progress else {
      return nil
    }
    return count
  }

  /// Returns whether enough was read to tell where the message stands, or that there is none.
  private static func isDecided(_ scan: TLVScan) -> Bool {
    guard scan.message == nil, case .needs = scan.progress else { return true }
    return false
  }

  /// Returns whether there is a message TLV whose value lies in the area.
  private static func isReadable(_ scan: TLVScan) -> Bool { scan.message?.valueRuns != nil }
}
