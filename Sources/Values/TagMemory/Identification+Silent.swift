/// Chips that do not know GET_VERSION: Ultralight, Ultralight C, NTAG203 and copies of them.
///
///     probe          answer                                              it is
///     1A 00          AF and eight bytes                                  Ultralight C
///     30 29 (41)     page 41, then pages 0, 1, 2: the memory ends there  NTAG203
///     30 29 (41)     pages 41 to 43, then page 0: perhaps a hidden key   ask for page 43
///     30 2B (43)     page 43, then pages 0, 1, 2: the key is hidden      Ultralight C
///     30 10 (16)     NAK, nothing, or page 0: the memory ends before     Ultralight
///     30 0F (15)     nothing, where the container claims more            hidden by a password
///     30 00          a capability container                              a tag of that size
///
/// An Ultralight and an NTAG203 show all of their pages: a chip that hides its first ones is
/// neither.
///
/// One of STMicroelectronics whose page 2 says 2C behind the check byte shows in page 45 which
/// ST25TN it is: 91 90 or 90 90 (programs that read such tags; DS13433 says no more).
extension Identification {
  var isLikeST25TN: Bool {
    target.uid.manufacturer == .stMicroelectronics && head.count > 1 && head[1] == 0x2C
  }

  func stepOfSilentChip(after probe: Probe, _ reply: Reply) -> Step {
    switch (probe, reply) {
    case (.authenticateUltralightC, .answer(let bytes)) where bytes.count == 9 && bytes[0] == 0xAF:
      return .identified(.ultralightC)
    case (.read(44), .answer(let bytes)) where bytes.count == 16 && bytes[5] == 0x90:
      switch bytes[4] {
      case 0x90: return .identified(.st25TN01K)
      case 0x91: return .identified(.st25TN512)
      default: return .probe(.authenticateUltralightC)
      }
    case (.read(44), _): return .probe(.authenticateUltralightC)
    case (.authenticateUltralightC, _):
      return .probe(.read(41))
    case (.read(41), .answer(let bytes)):
      return switch rollover(in: bytes) {
      case 1: .identified(.ntag203)
      case 3: .probe(.read(43))
      default: .probe(.read(16))
      }
    case (.read(43), .answer(let bytes)) where rollover(in: bytes) == 1:
      return .identified(.ultralightC)
    case (.read(16), .answer(let bytes)) where rollover(in: bytes) != 0:
      return .probe(.read(0))
    case (.read(16), _):
      return hidesHead || claimsMoreThanUltralight ? .probe(.read(15)) : .identified(.ultralight)
    case (.read(15), .answer(let bytes)) where rollover(in: bytes) == 1:
      return .identified(.ultralight)
    case (.read(15), _):
      return .probe(.read(0))
    default:
      return .probe(.read(16))
    }
  }

  /// Is true if the capability container, where it was read, claims a larger area than an
  /// Ultralight has: then a password may hide what is there.
  private var claimsMoreThanUltralight: Bool {
    guard head.count >= 8, let container = try? CapabilityContainer(parsing: head[4..<8]) else {
      return false
    }
    return container.isNDEF && container.areaByteCount > 48
  }

  /// The place, 0 to 3, at which an answer to READ starts again with page 0; nil when it does not.
  ///
  /// All that is known of pages 0 to 3 is compared: the UID and its check bytes, and where they
  /// were read lock bytes and capability container. At place 3 that is one page, as a message may
  /// hold it that has the UID in it: no end of the memory by itself.
  private func rollover(in bytes: [UInt8]) -> Int? {
    guard bytes.count == 16, let uid = target.uid.type2Bytes else { return nil }
    let known: [UInt8] =
      head.count >= 8 && head.first == uid.last ? uid.dropLast() + head.prefix(8) : uid
    return (0...3).first { place in
      let rest = bytes[(place * Page.byteCount)...]
      return rest.prefix(known.count).elementsEqual(known.prefix(rest.count))
    }
  }

  /// A chip that is in no table: as large as its capability container says, or as its version does.
  mutating func stepOfUnknownChip(_ reply: Reply) -> Step {
    let maker = target.uid.manufacturer ?? .other(0)
    let name =
      version.map { $0.name ?? "Type 2 tag that answers GET_VERSION with \($0)" }
      ?? "unknown Type 2 tag"
    guard !hidesHead else {
      return .unknown(
        reason:
          "The \(name) does not show its first pages: a password or a key, perhaps, hides them."
      )
    }
    guard case .answer(let bytes) = reply, bytes.count == 16,
      let container = try? CapabilityContainer(parsing: bytes[12..<16])
    else { return .unknown(reason: "The \(name) cannot be read.") }

    guard let (size, isGuess) = areaByteCount(container),
      let product = Product.unknownType2(
        name, areaByteCount: size, manufacturer: maker, sizeIsGuess: isGuess)
    else {
      return .unknown(
        reason:
          "The \(name) does not state its size: its capability container is \(container).")
    }
    remarks.append(
      "The \(name) by \(maker) is not in the product table: the program assumes \(size) bytes, and cannot lock or protect it."
    )
    return .identified(product)
  }

  /// The container's size where it is one and the version does not contradict it, else the least
  /// that the version allows: a guess, unless it tells the size exactly.
  private func areaByteCount(_ container: CapabilityContainer) -> (size: Int, isGuess: Bool)? {
    let fromVersion = version?.userByteCount
    if container.isNDEF, container.areaByteCount > 0,
      container.areaByteCount <= fromVersion?.upperBound ?? .max
    {
      return (container.areaByteCount, false)
    }
    return fromVersion.map { ($0.lowerBound, $0.count > 1) }
  }
}
