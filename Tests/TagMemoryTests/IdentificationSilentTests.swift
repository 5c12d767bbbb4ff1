import Bytes
import Testing

@testable import TagMemory

@Suite("Identification of chips that do not know GET_VERSION, or answer it strangely")
struct IdentificationSilentTests {
  @Test("knows Ultralight C by its answer to AUTHENTICATE")
  func ultralightC() {
    let (identification, probes) = IdentificationTests.identify { probe in
      probe == .authenticateUltralightC
        ? .answer([0xAF, 1, 2, 3, 4, 5, 6, 7, 8]) : .silence
    }
    #expect(identification.next == .identified(.ultralightC))
    #expect(probes == [.getVersion, .authenticateUltralightC])
    #expect(identification.needsSelection)
  }

  @Test("knows Ultralight C with a mute AUTHENTICATE by the key that hides behind page 43")
  func muteUltralightC() throws {
    let memory = try IdentificationTests.memory(48)
    let (identification, _) = IdentificationTests.identify { probe in
      if case .read(let page) = probe {
        IdentificationTests.read(Int(page.number), of: memory, last: 43)
      } else {
        .refused
      }
    }
    #expect(identification.next == .identified(.ultralightC))
  }

  @Test("takes no page that holds what page 0 holds for the end of the memory")
  func copyOfPage0() throws {
    // A message with the UID in it, at page 44 and at page 16 of a silent chip with 64 pages.
    var memory = try IdentificationTests.memory(64, container: [0xE1, 0x10, 0x1C, 0x00])
    memory.replaceSubrange(176..<180, with: memory[0..<4])
    memory.replaceSubrange(64..<73, with: memory[0..<9])
    let tag = memory
    let target = Target.typeA(IdentificationTests.ultralightFamily)
    var identification = Identification(target, head: Array(tag[8..<24]))
    var probes: [Identification.Probe] = []
    while case .probe(let probe) = identification.next, probes.count < 10 {
      probes.append(probe)
      guard case .read(let page) = probe else {
        identification.take(.silence)
        continue
      }
      identification.take(IdentificationTests.read(Int(page.number), of: tag, last: 63))
    }
    guard case .identified(let product) = identification.next else {
      Issue.record("\(identification.next)")
      return
    }
    #expect(product.name == "type2" && product.type2?.areaByteCount == 224, "\(product)")
    #expect(
      probes == [
        .getVersion, .authenticateUltralightC, .read(41), .read(43), .read(16), .read(0),
      ])
  }

  @Test("names a chip whose memory no document gives, and takes its size from its container")
  func namedUnknown() throws {
    let memory = try IdentificationTests.memory(70, container: [0xE1, 0x10, 0x20, 0x00])
    for isFormatted in [true, false] {
      var pages = memory
      if !isFormatted { pages.replaceSubrange(12..<16, with: [0, 0, 0, 0]) }
      let tag = pages
      let (identification, _) = IdentificationTests.identify { probe in
        if case .read(let page) = probe {
          IdentificationTests.read(Int(page.number), of: tag, last: 69)
        } else {
          .answer([0x00, 0x04, 0x04, 0x02, 0x01, 0x01, 0x11, 0x03])
        }
      }
      guard case .identified(let product) = identification.next else {
        Issue.record("\(identification.next)")
        return
      }
      #expect(product.displayName == "NTAG NT2H1411")
      #expect(product.type2?.areaByteCount == 256)
      #expect(product.sizeIsGuess == !isFormatted && !product.canLockAndProtect)
    }
  }

  @Test("knows NTAG203 by the end of its memory", arguments: [true, false])
  func ntag203(_ nak: Bool) throws {
    let memory = try IdentificationTests.memory(42, container: [0xE1, 0x10, 0x12, 0x00])
    let (identification, probes) = IdentificationTests.identify { probe in
      if case .read(let page) = probe {
        return IdentificationTests.read(Int(page.number), of: memory, last: 41)
      }
      return nak ? .refused : .silence
    }
    #expect(identification.next == .identified(.ntag203))
    #expect(probes == [.getVersion, .authenticateUltralightC, .read(41)])
    #expect(!identification.needsSelection)
  }

  @Test("knows Ultralight by refusing page 16")
  func ultralight() throws {
    let memory = try IdentificationTests.memory(16)
    let (identification, probes) = IdentificationTests.identify { probe in
      if case .read(let page) = probe {
        IdentificationTests.read(Int(page.number), of: memory, last: 15)
      } else {
        .silence
      }
    }
    #expect(identification.next == .identified(.ultralight))
    #expect(probes == [.getVersion, .authenticateUltralightC, .read(41), .read(16)])
    #expect(identification.needsSelection)
  }

  @Test("knows a copy of Ultralight by its addresses starting again at page 16")
  func wrappingUltralight() throws {
    let memory = try IdentificationTests.memory(16)
    let (identification, _) = IdentificationTests.identify { probe in
      if case .read(let page) = probe {
        IdentificationTests.read(Int(page.number) % 16, of: memory, last: 15)
      } else {
        .silence
      }
    }
    #expect(identification.next == .identified(.ultralight))
    #expect(!identification.needsSelection)
  }

  @Test("sizes a mute chip with more pages by its capability container")
  func muteLargeChip() throws {
    let memory = try IdentificationTests.memory(135, container: [0xE1, 0x10, 0x3E, 0x00])
    let (identification, probes) = IdentificationTests.identify { probe in
      if case .read(let page) = probe {
        IdentificationTests.read(Int(page.number), of: memory, last: 134)
      } else {
        .refused
      }
    }
    guard case .identified(let product) = identification.next else {
      Issue.record("\(identification.next)")
      return
    }
    #expect(product.name == "type2")
    #expect(product.type2?.user == 4...127)
    #expect(product.capacity == 492)
    #expect(!product.canLockAndProtect)
    #expect(probes.last == .read(0))
    #expect(
      identification.remarks == [
        "The unknown Type 2 tag by NXP is not in the product table: the program assumes 496 bytes, and cannot lock or protect it."
      ])
  }

  @Test(
    "sizes an unknown version by the container, or else by the size byte",
    arguments: [
      // version, container, bytes of the data area, whether that is told and no guess
      ("0004040299000F03", "E1101200", 144, true), ("0004040299000F03", "00000000", 128, false),
      ("0004040299000F03", "E1106D00", 128, false), ("0004040299000F03", "12345678", 128, false),
      ("0004040299000B03", "00000000", 32, false), ("0004040299001003", "E1102000", 256, true),
      ("0004040299001303", "E1106D00", 872, true), ("0004040299000E03", "00000000", 128, true),
    ])
  func unknownVersion(
    _ version: String, _ container: String, _ size: Int, _ isTold: Bool
  ) throws {
    let version = try Hex.bytes(version)
    let memory = try IdentificationTests.memory(16, container: try Hex.bytes(container))
    let (identification, probes) = IdentificationTests.identify { probe in
      probe == .getVersion ? .answer(version) : IdentificationTests.read(0, of: memory, last: 15)
    }
    guard case .identified(let product) = identification.next else {
      Issue.record("\(identification.next)")
      return
    }
    #expect(probes == [.getVersion, .read(0)])
    #expect(product.name == "type2")
    #expect(product.type2?.areaByteCount == size)
    #expect(identification.remarks.count == 1)
    // The container's word, or a size byte that leaves no choice, is no guess.
    #expect(product.sizeIsGuess == !isTold)
  }

  @Test("gives up on a chip that does not say how large it is")
  func sizeless() throws {
    let memory = try IdentificationTests.memory(64)
    let (identification, _) = IdentificationTests.identify { probe in
      if case .read(let page) = probe {
        IdentificationTests.read(Int(page.number), of: memory, last: 63)
      } else {
        .silence
      }
    }
    #expect(
      identification.next
        == .unknown(
          reason:
            "The unknown Type 2 tag does not state its size: its capability container is 00 00 00 00."
        ))
  }
}
