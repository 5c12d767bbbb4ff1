import PN532Simulator
import Testing

/// Frames at random, of the kinds a confused or hostile host sends, at every product: nothing
/// traps, and the memory changes only as its rules allow.
@Suite("Random frames")
struct RandomFrameTests {
  static let seeds: [UInt64] = [1, 2]

  @Test("never trap, and break no rule of the memory", arguments: TagCatalog.names, seeds)
  func hold(name: String, seed: UInt64) throws {
    let tag = try TagCatalog.tag(name, content: seed == 2 ? .blank : .factory)
    let rules = MemoryRules(tag)
    var host = RandomHost(seed: seed &* 0x1000 &+ UInt64(name.utf8.reduce(0) { $0 + Int($1) }))
    let new = tag.eeprom.bytes
    for step in 0..<250 {
      for action in host.actions(for: tag) {
        let before = tag.eeprom.bytes
        let cycles = tag.eeprom.programmingCycles
        action(tag)
        let after = tag.eeprom.bytes
        guard after != before else { continue }
        #expect(tag.eeprom.programmingCycles > cycles, "changed without a cycle, step \(step)")
        #expect(tag.bearsUID(after))
        for complaint in rules.complaints(before, after) {
          Issue.record("step \(step): \(complaint)")
        }
      }
    }
    #expect(tag.eeprom.bytes != new || tag.eeprom.bytes.count == 16, "nothing was written")
  }

  @Test("never trap, whatever the memory holds", arguments: TagCatalog.names)
  func survive(name: String) throws {
    var host = RandomHost(seed: 3)
    let tag = try TagCatalog.tag(name)
    for _ in 0..<20 {
      tag.powerOff()
      tag.eeprom.load(host.random.bytes(tag.eeprom.bytes.count))
      for _ in 0..<10 { for action in host.actions(for: tag) { action(tag) } }
      for register in tag.storedRegisters { #expect((0...register.maximum) ~= register.value) }
    }
  }

  @Test("are met with silence while a type A tag is not selected", arguments: TagCatalog.names)
  func idle(name: String) throws {
    var host = RandomHost(seed: 4)
    let tag = try TagCatalog.tag(name)
    guard tag.technology == .a else { return }
    for _ in 0..<100 {
      for frame in host.frames(for: tag) { #expect(tag.receive(frame) == .silence) }
      #expect(!tag.authenticate(command: 0x60, block: 0, key: RandomHost.key, uid: tag.uid))
    }
    #expect(tag.eeprom.programmingCycles == 0)
  }
}

/// A host that knows every command and has no plan.
private struct RandomHost {
  var random: SplitMix64
  static let key = [UInt8](repeating: 0xFF, count: 6)

  init(seed: UInt64) { random = SplitMix64(state: seed) }

  /// An activation, perhaps an authentication, a few exchanges; now and then the field goes, or a
  /// cycle is torn.
  mutating func actions(for tag: any StoredTag) -> [(any StoredTag) -> Void] {
    var actions: [(any StoredTag) -> Void] = [{ $0.select() }]
    if random.below(10) == 0 { actions.insert({ $0.powerOff() }, at: 0) }
    if random.below(10) == 0 { actions.insert({ $0.halt() }, at: 0) }
    let (tears, count) = (random.below(10) == 0, random.below(17))
    let mixed = random.bytes(1)[0]
    // Silicon protects only some pages against tearing, so their rules hold for whole cycles.
    let mayTear = tears && tag is VirtualClassic
    actions.append {
      $0.eeprom.fate = mayTear ? { _ in .tears(afterBytes: count, mixed: mixed) } : nil
    }
    let block = UInt8(random.below(min(256, tag.rows.numbers.count)))
    if tag is VirtualClassic {
      let command: UInt8 = random.below(6) == 0 ? 0x61 : 0x60
      actions.append {
        _ = $0.authenticate(
          command: command, block: block, key: Self.key, uid: Array($0.uid.suffix(4)))
      }
    }
    for _ in 0...random.below(3) {
      for frame in frames(for: tag, near: block) { actions.append { _ = $0.receive(frame) } }
    }
    return actions
  }

  /// One command of the tag's family with random arguments, in all its parts; sometimes noise.
  mutating func frames(for tag: any StoredTag, near block: UInt8 = 4) -> [[UInt8]] {
    if random.below(10) == 0 { return [random.bytes(random.below(40))] }
    let page =
      random.below(8) == 0 ? random.bytes(1)[0] : block & 0xFC | UInt8(random.below(4))
    let choices: [[[UInt8]]]
    switch tag {
    case is VirtualClassic:
      choices = [
        [[0x30, page]], [[0xA0, page], random.bytes(16)], [[0xA0, page], random.bytes(4)],
        [[0xA0, page], [10, 0, 0, 0, 0xF5, 0xFF, 0xFF, 0xFF, 10, 0, 0, 0, 4, 0xFB, 4, 0xFB]],
        [[0xC0 + page % 3, page], random.bytes(4), [0xB0, page]],
        [[0xA0, page | 3], Self.key + [0xFF, 0x07, 0x80, 0x69] + Self.key],
      ]
    case is VirtualType4:
      let application: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
      let open = [
        [0x00, 0xA4, 0x04, 0x00, 0x07] + application,
        [0x00, 0xA4, 0x00, 0x0C, 0x02] + (tag.product == "type4" ? [0xE1, 0x04] : [0x00, 0x01]),
      ]
      let update = [0x00, 0xD6, page % 9, page, 0x03] + random.bytes(3)
      choices = [
        open + [update], open + [[0x00, 0xB0, page % 9, page, page]], [update],
        [open[0], [0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x03], update],
      ]
    case is VirtualNTAG424:
      let open: [[UInt8]] = [
        [0, 0xA4, 4, 0, 7, 0xD2, 0x76, 0, 0, 0x85, 1, 1], [0, 0xA4, 0, 0xC, 2, 0xE1, 2 + page % 4],
      ]
      choices = [
        open + [[0x00, 0xD6, 0, page, 2, 1, page]], open + [[0x00, 0xB0, page % 2, page, 0]],
        open + [[0x90, 0x8D, 0, 0, 9, page % 4, page, 0, 0, 2, 0, 0, 7, page, 0]],
        [[0x90, 0x60, 0, 0, 0], [0x90, 0xAF, 0, 0, 0]],
        open + [[0x90, 0xF5, 0, 0, 1, page % 5, 0]],
        open + [[0x90, 0xAD, 0, 0, 7, page % 4, page, 0, 0, 0, 0, 0, 0]],
      ]
    case is VirtualDESFire:
      let application: [[UInt8]] = [
        [0xCA, 1, 0, 0, 0x0F, 0x21, 0x10, 0xE1, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01],
        [0x5A, 1, 0, 0],
      ]
      let file: [UInt8] = [0xCD, page % 4, 0x04, 0xE1, 0, 0xEE, 0xEE, page, 0, 0]
      choices = [
        application + [file], application + [[0x3D, page % 4, 1, 0, 0, 3, 0, 0, 1, 2, page]],
        application + [[0xBD, page % 4, 0, 0, 0, 0, 0, 0], [0xAF]],
        [[0x60], [0xAF], [0xAF]], [[0x0A, 0], [0xAF] + random.bytes(16)],
        [[0x1A, 0], [0xAF] + random.bytes(16)], [[0x90, 0x6E, 0, 0, 0]], [[0x6A]], [[0x45]],
        [[0xC4, 0] + random.bytes(24)], [[0xFC]], [[0x5C, 0] + random.bytes(8)],
        application + [[0x5F, page % 4, 0, 0xEE, 0xEE]], application + [[0xDF, page % 4]],
        [
          [0x00, 0xA4, 0x04, 0x00, 0x07] + application[0].suffix(7), [0, 0xA4, 0, 0xC, 2, 0xE1, 4],
        ]
          + [[0x00, 0xD6, 0, page, 2, 1, page], [0x00, 0xB0, 0, page, 0]],
        [random.bytes(1) + random.bytes(random.below(30))],
      ]
    case is VirtualTopaz:
      let (end, byte) = (Array(tag.uid[..<4]), random.bytes(1)[0])
      choices = [
        [[0x78, 0, 0, 0, 0, 0, 0]], [[0, 0, 0] + end], [[0x01, page, 0] + end],
        [[0x53, page, byte] + end], [[0x1A, page, byte] + end],
        [[0x54, page] + random.bytes(8) + end], [[0x1B, page] + random.bytes(8) + end],
        [[0x10, page << 4] + random.bytes(8) + end], [[0x02, page] + random.bytes(8) + end],
      ]
    case is VirtualFeliCaLite, is VirtualFeliCaStandard:
      // The system of NDEF may have an IDm of its own.
      let idm = tag.poll(systemCode: 0x12FC, requestCode: 0).map { Array($0[1...8]) } ?? tag.uid
      let read = [0x06] + idm + [0x01, 0x0B, 0x00, 0x01, 0x80, page]
      let number = random.below(3) == 0 ? 0x80 | page & 0x0F : page
      let write =
        [0x08] + idm + [0x01, 0x09, 0x00, 0x01, 0x80, number] + random.bytes(16)
      let encrypted =
        [0x08] + idm + [0x01, 0x09, 0x00, 0x02, 0x80, number, 0x80, 0x91] + random.bytes(32)
      choices = [
        [[UInt8(read.count + 1)] + read], [[UInt8(write.count + 1)] + write],
        [[UInt8(encrypted.count + 1)] + encrypted],
      ]
    default:
      choices = [
        [[0x30, page]], [[0xA2, page] + random.bytes(4)], [[0xA2, page, 0, 0, 0, 0]],
        [[0xA0, page], random.bytes(16)], [[0x3A, page, page &+ 3]], [[0x60]],
        [[0x1B, 0xFF, 0xFF, 0xFF, 0xFF]], [[0x1B] + random.bytes(4)], [[0x39, page % 4]],
        [[0xA5, page % 4] + random.bytes(4)], [[0x3E, page % 4]], [[0x3C, 0]],
        [[0xC2, 0xFF], [page % 4, 0, 0, 0], [0xA2, page] + random.bytes(4)], [[0xA4, 0]],
        [[0x4B] + random.bytes(20)], [[0x1A, 0], [0xAF] + random.bytes(16)], [[0x50, 0]],
      ]
    }
    return choices[random.below(choices.count)]
  }
}

/// What a memory must never do, product family by product family.
private struct MemoryRules {
  let tag: any StoredTag

  init(_ tag: any StoredTag) { self.tag = tag }

  func complaints(_ before: [UInt8], _ after: [UInt8]) -> [String] {
    switch tag {
    case let tag as VirtualType2: type2(tag.silicon, before, after)
    case is VirtualNTAGI2C: i2c(before, after)
    case is VirtualClassic: classic(before, after)
    case is VirtualType4:
      before[..<16] == after[..<16] ? [] : ["the capability container changed"]
    case is VirtualTopaz: topaz(before, after)
    case is VirtualNTAG424:
      before[..<32] + before[288...] == after[..<32] + after[288...]
        ? [] : ["more than the NDEF file changed"]
    // Whatever it is told to, a card without keys does.
    case is VirtualDESFire: []
    // The blocks of its NDEF system are anybody's.
    case is VirtualFeliCaStandard: []
    default: felica(before, after)
    }
  }

  private func type2(_ chip: Type2Silicon, _ before: [UInt8], _ after: [UInt8]) -> [String] {
    var complaints: [String] = []
    if before[..<10] != after[..<10] { complaints.append("the UID pages changed") }
    let lockPage = [
      "ultralight-c": 40, "ultralight-aes": 40, "ntag203": 40, "ntag212": 36,
      "ultralight-ev1-21": 36, "ntag213": 40,
      "ntag215": 130, "ntag216": 226, "ntag213f": 40, "ntag213tt": 40, "ntag213c": 40,
      "ntag215f": 130, "ntag216f": 226, "fm11nt021": 40, "feiju": 40, "mikron": 36,
    ][chip.name]
    var oneWay = Array(10..<16)
    if let lockPage { oneWay += Array(lockPage * 4..<lockPage * 4 + 4) }
    for offset in oneWay where before[offset] & ~after[offset] != 0 {
      complaints.append("a bit of byte \(offset) was cleared")
    }
    let locks = Int(before[10]) | Int(before[11]) << 8
    for page in 3..<min(16, before.count / 4) where locks >> page & 1 == 1 {
      if before[page * 4..<page * 4 + 4] != after[page * 4..<page * 4 + 4] {
        complaints.append("page \(page) changed, it is locked")
      }
    }
    let changed = Set(before.indices.filter { before[$0] != after[$0] }.map { $0 / 4 })
    if changed.count > 1 { complaints.append("one command changed pages \(changed)") }
    return complaints
  }

  private func i2c(_ before: [UInt8], _ after: [UInt8]) -> [String] {
    var complaints = before[..<10] == after[..<10] ? [] : ["the UID pages changed"]
    for offset in 10..<16 where before[offset] & ~after[offset] != 0 {
      complaints.append("a bit of byte \(offset) was cleared")
    }
    let locks = Int(before[10]) | Int(before[11]) << 8
    for page in 3..<min(16, before.count / 4) where locks >> page & 1 == 1 {
      if before[page * 4..<page * 4 + 4] != after[page * 4..<page * 4 + 4] {
        complaints.append("page \(page) changed, it is locked")
      }
    }
    return complaints
  }

  private func classic(_ before: [UInt8], _ after: [UInt8]) -> [String] {
    let changed = Set(before.indices.filter { before[$0] != after[$0] }.map { $0 / 16 })
    var complaints = changed.contains(0) ? ["block 0 changed"] : []
    if changed.count > 1 { complaints.append("one command changed blocks \(changed)") }
    for block in changed {
      let trailer = block < 128 ? block / 4 * 4 + 3 : (block - 128) / 16 * 16 + 143
      let bits = before[trailer * 16 + 6..<trailer * 16 + 9].map { $0 }
      let isValid =
        bits[0] & 0xF == ~(bits[1] >> 4) & 0xF && bits[0] >> 4 == ~bits[2] & 0xF
        && bits[1] & 0xF == ~(bits[2] >> 4) & 0xF
      if !isValid { complaints.append("block \(block) changed in a blocked sector") }
    }
    return complaints
  }

  private func topaz(_ before: [UInt8], _ after: [UInt8]) -> [String] {
    var complaints = before[..<8] == after[..<8] ? [] : ["the UID block changed"]
    let otp = 112..<120
    if zip(before[otp], after[otp]).contains(where: { $0 & ~$1 != 0 }) {
      complaints.append("a one-time bit was cleared")
    }
    return complaints
  }

  private func felica(_ before: [UInt8], _ after: [UInt8]) -> [String] {
    var complaints: [String] = []
    // Blocks 83h and 85h: D_ID and SYS_C. SER_C, between them, is the issuer's until MC is closed.
    if before[256..<272] != after[256..<272] || before[288..<304] != after[288..<304] {
      complaints.append("a block of Sony's changed")
    }
    for index in 336...337 where after[index] & ~before[index] != 0 {
      complaints.append("a read-only block was opened again")
    }
    let mc = Array(before[336..<352])
    if mc[2] != 0xFF {
      // Sony's manual, MC_ALL: the rights in MC close apart from the rest, by their own bit 15.
      let rights = mc[1] & 0x80 != 0 ? Array(336..<338) + Array(342..<349) : []
      let changed = before.indices.filter { $0 >= 240 && before[$0] != after[$0] }
      if !changed.allSatisfy(rights.contains) { complaints.append("a system block changed") }
    }
    let writable = Int(mc[0]) | Int(mc[1]) << 8
    for block in 0...14 where writable >> block & 1 == 0 {
      if before[block * 16..<block * 16 + 16] != after[block * 16..<block * 16 + 16] {
        complaints.append("block \(block) changed, it is read-only")
      }
    }
    return complaints
  }
}

extension SplitMix64 {
  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
