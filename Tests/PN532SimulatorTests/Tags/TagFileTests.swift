import PN532Simulator
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Tag files")
struct TagFileTests {
  @Test("every product survives the way through text, byte for byte", arguments: TagCatalog.names)
  func roundTrip(name: String) throws {
    var random = SplitMix64(state: 5)
    let tag = try TagCatalog.tag(name, index: 7)
    var image = tag.eeprom.bytes
    for offset in tag.userMemory where name != "felica-lite-s" || offset < 224 {
      image[offset] = UInt8(truncatingIfNeeded: random.next())
    }
    tag.eeprom.load(image)
    // The number of rows is the memory's own.
    for register in tag.storedRegisters where register.name != "Rows" {
      tag.store(register.maximum - 1, in: register.name)
    }

    let text = TagFile(tag).serialize()
    let file = try TagFile(parsing: Array(text.utf8))
    #expect(file.serialize() == text)
    let copy = try file.makeTag()
    #expect((copy.product, copy.uid) == (name, tag.uid))
    #expect(copy.eeprom.bytes == image)
    #expect(copy.storedRegisters == tag.storedRegisters)
    #expect(TagFile(copy).serialize() == text)
  }

  @Test("a card of another size keeps it, its rows and its rights")
  func sizes() throws {
    for text in ["type4,mapping=3,size=40000", "desfire-ev1,size=8192", "type4,size=5"] {
      let spec = try SimulatedTagSpec(parsing: text)
      let tag = try spec.tag(at: 0)
      let copy = try TagFile(parsing: Array(TagFile(tag).serialize().utf8)).makeTag()
      #expect(copy.eeprom.bytes == tag.eeprom.bytes, "\(text)")
    }
  }

  @Test("a register that a file may leave out has the value that a new tag has")
  func leftOut() throws {
    for name in TagCatalog.names {
      let tag = try TagCatalog.tag(name)
      let text = TagFile(tag).serialize()
      for register in tag.storedRegisters {
        guard let usual = register.usual else { continue }
        #expect(register.value == usual)
        #expect(!text.contains("\n\(register.name): "))
        var lines = text.split(separator: "\n")
        lines.insert("\(register.name): \(usual)", at: 3)
        let file = try TagFile(parsing: Array(lines.joined(separator: "\n").utf8))
        #expect(try file.makeTag().storedRegisters == tag.storedRegisters)
      }
    }
  }

  @Test(
    "a value that the tag cannot have is refused",
    arguments: [("desfire-ev1", "File memory: 1234"), ("type4", "Rows: 1")])
  func impossible(name: String, line: String) throws {
    var lines = TagFile(try TagCatalog.tag(name)).serialize().split(separator: "\n")
    lines.insert(line[...], at: 3)
    let text = lines.joined(separator: "\n")
    #expect(throws: VirtualTagError.damagedFile(line: 4, "\(name) cannot have this value")) {
      try TagFile(parsing: Array(text.utf8))
    }
  }

  @Test("a file reads like this")
  func text() throws {
    let tag = try TagCatalog.tag("ultralight-ev1-11", uid: [4, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66])
    let expected = """
      nfcprog virtual tag, version 1
      Product: ultralight-ev1-11
      UID: 04 11 22 33 44 55 66
      Counter 0: 0
      Counter 1: 0
      Counter 2: 0
      Failed authentications: 0
      Page 0: 04 11 22 BF
      Page 1: 33 44 55 66
      Page 2: 44 48 00 00
      Page 3: 00 00 00 00

      """
    #expect(TagFile(tag).serialize().hasPrefix(expected))
  }

  @Test("what lies outside the pages lives on: a password counted out stays so")
  func lockedOut() throws {
    let tag = try TagCatalog.tag("ntag213")
    tag.select()
    #expect(tag.receive([0xA2, 42, 0x01, 0x05, 0, 0]) == .nibble(0xA))
    #expect(tag.receive([0x1B, 0, 0, 0, 0]) == .nibble(0x0))
    let copy = try TagFile(parsing: Array(TagFile(tag).serialize().utf8)).makeTag()
    copy.select()
    #expect(copy.receive([0x1B, 0xFF, 0xFF, 0xFF, 0xFF]) == .nibble(0x4))
  }

  @Test(
    "comments, blank lines, order and line ends other than ours are understood, and comments stay")
  func comments() throws {
    let tag = try TagCatalog.tag("mini")
    var lines = TagFile(tag).serialize().split(separator: "\n").map(String.init)
    lines.insert("  # found on the bench", at: 1)
    lines.insert("", at: 4)
    lines[6] += "   # the MAD"
    lines.swapAt(8, 12)
    let text = lines.joined(separator: "\n") + "\n"
    var file = try TagFile(parsing: Array(text.utf8))
    #expect(file.serialize() == text)

    let windows = try TagFile(parsing: Array(lines.joined(separator: "\r\n").utf8))
    #expect(windows.serialize() == text)

    var image = tag.eeprom.bytes
    image[16] = 0xAB
    tag.eeprom.load(image)
    file.update(from: tag)
    let changed = file.serialize().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      changed.contains("Block 1: AB 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00   # the MAD"))
    #expect(changed[1] == "  # found on the bench")
    #expect(
      zip(changed, text.split(separator: "\n", omittingEmptySubsequences: false)).count { $0 != $1 }
        == 1)
  }

  /// Which line of an NTAG210's file is replaced by what, and what is said about it.
  static let damages = [
    (1, "nfcprog virtual tag, version 2", "Line 1: it is not “nfcprog virtual tag, version 1”."),
    (
      2, "Product: ntag999",
      "Line 2: There is no virtual tag “ntag999”; there are \(TagSpecTests.known)."
    ),
    (2, "UID: 04112233445566", "Line 2: the product comes first."),
    (3, "UID: 0411", "Line 3: The UID of ntag210 has 7 bytes, not 2."),
    (3, "UID: 04 11 2", "Line 3: the number of hexadecimal digits is odd."),
    (3, "Page 0: 00000000", "Line 3: the UID comes before it."),
    (3, "Product: ntag210", "Line 3: “Product” appears twice."),
    (4, "Failed authentications: -1", "Line 4: the value is not from 0 to 7."),
    (4, "Failed authentications: 8", "Line 4: the value is not from 0 to 7."),
    (4, "Failed authentications", "Line 4: it has no colon after the name."),
    (4, "# gone", "The tag file is not complete: “Failed authentications” is missing."),
    (9, "Page 4: 00 00 00", "Line 9: 4 bytes are needed, there are 3."),
    (9, "Page 4: 00 00 00 0G", "Line 9: “G” is not a hexadecimal digit."),
    (9, "Page 4: 00 0 00 00 0", "Line 9: a separator stands between the two digits of a byte."),
    (9, "Page 04: 00000000", "Line 9: ntag210 has no “Page 04”."),
    (9, "Page 20: 00000000", "Line 9: ntag210 has no “Page 20”."),
    (9, "Block 4: 00000000", "Line 9: ntag210 has no “Block 4”."),
    (9, "Page 3: 00000000", "Line 9: “Page 3” appears twice."),
    (9, "Counter 2: 0", "Line 9: ntag210 has no “Counter 2”."),
    (9, "# gone", "The tag file is not complete: Page 4 is missing."),
  ]

  @Test("a damaged line is named", arguments: damages)
  func damaged(line: Int, text: String, sentence: String) throws {
    let tag = try TagCatalog.tag("ntag210", uid: [4, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66])
    var lines = TagFile(tag).serialize().split(separator: "\n").map(String.init)
    lines[line - 1] = text
    let bytes = Array(lines.joined(separator: "\n").utf8)
    let error = #expect(throws: VirtualTagError.self) { try TagFile(parsing: bytes) }
    #expect(error?.description == sentence)
  }

  @Test("rubbish and truncated files throw and never trap")
  func rubbish() throws {
    let whole = Array(TagFile(try TagCatalog.tag("ntag213")).serialize().utf8)
    for count in stride(from: 0, to: whole.count - 1, by: 13) {
      #expect(throws: VirtualTagError.self) { try TagFile(parsing: Array(whole[..<count])) }
    }
    var random = SplitMix64(state: 3)
    for _ in 0..<200 {
      var bytes = whole
      for _ in 0...random.below(3) {
        bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      _ = try? TagFile(parsing: bytes).makeTag()
    }
    #expect(throws: VirtualTagError.self) { try TagFile(parsing: [0xFF, 0xFE, 0x00]) }
    let long = [UInt8](repeating: 0x23, count: 2_000_000)
    #expect(throws: VirtualTagError.self) { try TagFile(parsing: long) }
  }

  @Test("the rows must bear the UID that the file names", arguments: ["ntag213", "classic1k7b"])
  func wrongUID(name: String) throws {
    let text = TagFile(try TagCatalog.tag(name, uid: [4, 1, 2, 3, 4, 5, 6])).serialize()
      .replacing("UID: 04 01", with: "UID: 04 02")
    let file = try TagFile(parsing: Array(text.utf8))
    let error = #expect(throws: VirtualTagError.self) { try file.makeTag() }
    #expect(
      error?.description
        == "The memory in the file is not that of the \(name) with the UID 04020203040506.")
  }
}

@Suite("Tag files on disk")
struct TagFileStorageTests {
  @Test("a tag is saved, found again and changed; nothing else is left behind")
  func saveAndLoad() throws {
    try inFolder { folder in
      let path = "\(folder)/tag.txt"
      let spec = try SimulatedTagSpec(parsing: "ntag213,file=\(path)")
      let tag = try spec.storedTag(at: 0)
      tag.select()
      #expect(tag.receive([0xA2, 4, 1, 2, 3, 4]) == .nibble(0xA))
      try spec.save(tag)
      let again = try spec.storedTag(at: 0)
      #expect(again.eeprom.bytes == tag.eeprom.bytes)
      #expect(again.uid == tag.uid)
      try spec.save(again)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["tag.txt"])
    }
  }

  @Test("a tag with its own UID comes back with it, and another UID is refused")
  func ownUID() throws {
    try inFolder { folder in
      let path = "\(folder)/tag.txt"
      let spec = try SimulatedTagSpec(parsing: "mini,uid=01020304,file=\(path)")
      try spec.save(try spec.storedTag(at: 0))
      let bare = try SimulatedTagSpec(parsing: "mini,file=\(path)")
      #expect(try bare.storedTag(at: 0).uid == [1, 2, 3, 4])
      let other = try SimulatedTagSpec(parsing: "mini,uid=01020305,file=\(path)")
      let error = #expect(throws: VirtualTagError.self) { try other.storedTag(at: 0) }
      #expect(
        error?.description
          == "The file \(path) holds a tag with the UID 01020304, not 01020305.")
    }
  }

  @Test("another product's file is refused and left alone")
  func otherProduct() throws {
    try inFolder { folder in
      let path = "\(folder)/tag.txt"
      let spec = try SimulatedTagSpec(parsing: "mini,file=\(path)")
      try spec.save(try spec.storedTag(at: 0))
      let before = try Data(contentsOf: URL(filePath: path))
      let other = try SimulatedTagSpec(parsing: "ntag213,file=\(path)")
      let error = #expect(throws: VirtualTagError.self) { try other.storedTag(at: 0) }
      #expect(error?.description == "The file \(path) holds the product mini, not ntag213.")
      #expect(throws: VirtualTagError.self) { try other.save(try other.tag(at: 0)) }
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test("a damaged file is neither loaded nor overwritten")
  func damaged() throws {
    try inFolder { folder in
      let path = "\(folder)/tag.txt"
      let rubbish = Data("nfcprog virtual tag, version 1\nProduct: mini\nwhat\n".utf8)
      try rubbish.write(to: URL(filePath: path))
      let spec = try SimulatedTagSpec(parsing: "mini,file=\(path)")
      let error = #expect(throws: VirtualTagError.self) { try spec.storedTag(at: 0) }
      #expect(
        error?.description
          == "The tag file \(path) cannot be used and was left alone. Line 3: it has no colon after the name."
      )
      #expect(throws: VirtualTagError.self) { try spec.save(try spec.tag(at: 0)) }
      #expect(try Data(contentsOf: URL(filePath: path)) == rubbish)
    }
  }

  @Test("what cannot be read or written says why")
  func impossible() throws {
    try inFolder { folder in
      let directory = try SimulatedTagSpec(parsing: "mini,file=\(folder)")
      let unreadable = #expect(throws: VirtualTagError.self) { try directory.storedTag(at: 0) }
      #expect(unreadable?.description == "The file \(folder) cannot be read: Is a directory.")
      let nowhere = try SimulatedTagSpec(parsing: "mini,file=\(folder)/none/tag.txt")
      let unwritable = #expect(throws: VirtualTagError.self) {
        try nowhere.save(try nowhere.tag(at: 0))
      }
      #expect(
        unwritable?.description
          == "The file \(folder)/none/tag.txt cannot be written: No such file or directory.")
    }
  }

  @Test("a link stays a link, and the file keeps its permissions")
  func link() throws {
    try inFolder { folder in
      let (path, link) = ("\(folder)/tag.txt", "\(folder)/link")
      let spec = try SimulatedTagSpec(parsing: "mini,file=\(path)")
      try spec.save(try spec.tag(at: 0))
      let files = FileManager.default
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      try files.createSymbolicLink(atPath: link, withDestinationPath: path)
      let linked = try SimulatedTagSpec(parsing: "mini,file=\(link)")
      let tag = try linked.storedTag(at: 0)
      var image = tag.eeprom.bytes
      image[20] = 0x77
      tag.eeprom.load(image)
      try linked.save(tag)
      #expect(try files.destinationOfSymbolicLink(atPath: link) == path)
      #expect(try spec.storedTag(at: 0).eeprom.bytes[20] == 0x77)
      let mode = try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test("a folder keeps what every programming cycle leaves, and gives it to the next reel")
  func folder() throws {
    try inFolder { folder in
      let spec = try SimulatedTagSpec(parsing: "ntag213*3,save=\(folder)")
      let tag = try spec.keptTag(at: 1) { Issue.record($0) }
      _ = tag.eeprom.program([9, 8, 7, 6], at: 16)
      // Nobody takes leave of the tag: its process may have been killed.
      let next = try spec.keptTag(at: 1) { Issue.record($0) }
      #expect(next.uid == tag.uid && Array(next.eeprom.bytes[16..<20]) == [9, 8, 7, 6])
      #expect(try spec.keptTag(at: 2) { Issue.record($0) }.eeprom.bytes[16] == 1)
    }
  }

  @Test("a seed gives every tag of the longest reel another UID")
  func seeds() throws {
    func uid(_ seed: Int, _ index: Int) throws -> [UInt8] {
      try SimulatedTagSpec(parsing: "ntag213*1000000,seed=\(seed)").tag(at: index).uid
    }
    let uids = try (0...15).flatMap { [try uid($0, 0), try uid($0, 999_999)] }
    #expect(Set(uids).count == 32)
    #expect(try SimulatedTagSpec(parsing: "ntag213*9").shifted(by: 4).tag(at: 1).uid == uid(0, 5))
  }

  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tag-files-\(UInt64.random(in: 0...UInt64.max))").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }
}
