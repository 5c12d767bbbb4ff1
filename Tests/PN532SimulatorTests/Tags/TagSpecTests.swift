import PN532Simulator
import Testing

@Suite("Tags as sim: names them")
struct TagSpecTests {
  @Test("the catalogue has every name of the command line")
  func names() {
    let wanted: Set = [
      "classic1k", "classic1k7b", "classic4k", "mini", "ultralight", "ultralight-ev1-11",
      "ultralight-ev1-21", "ultralight-c", "ultralight-aes", "ntag203", "ntag210", "ntag212",
      "ntag213", "ntag215",
      "ntag216", "type4", "ntag424", "ntag424tt", "desfire-ev1", "desfire-ev2", "desfire-ev3",
      "felica-lite",
      "felica-lite-s",
    ]
    #expect(wanted.isSubset(of: TagCatalog.names))
  }

  /// Name, ATQA, SAK, UID length, bytes of memory (MF1S50YYX_V1 9.4, MF1S70YYX_V1 9.4,
  /// NTAG213/215/216 9.4).
  static let identities: [(String, UInt16, UInt8, Int, Int)] = [
    ("mini", 0x0004, 0x09, 4, 320), ("classic1k", 0x0004, 0x08, 4, 1024),
    ("classic1k7b", 0x0044, 0x08, 7, 1024), ("classic2k", 0x0004, 0x19, 4, 2048),
    ("classic4k", 0x0002, 0x18, 4, 4096), ("ultralight", 0x0044, 0x00, 7, 64),
    ("ultralight-ev1-11", 0x0044, 0x00, 7, 80), ("ultralight-ev1-21", 0x0044, 0x00, 7, 164),
    ("ultralight-aes", 0x0044, 0x00, 7, 240), ("ultralight-c", 0x0044, 0x00, 7, 192),
    ("ntag203", 0x0044, 0x00, 7, 168),
    ("ntag210", 0x0044, 0x00, 7, 80), ("ntag212", 0x0044, 0x00, 7, 164),
    ("ntag213", 0x0044, 0x00, 7, 180), ("ntag215", 0x0044, 0x00, 7, 540),
    ("ntag216", 0x0044, 0x00, 7, 924), ("ntag213f", 0x0044, 0x00, 7, 180),
    ("ntag215f", 0x0044, 0x00, 7, 540), ("ntag216f", 0x0044, 0x00, 7, 924),
    ("ntag213tt", 0x0044, 0x00, 7, 184), ("ntag213c", 0x0044, 0x00, 7, 180),
    ("ntag223", 0x0044, 0x00, 7, 240), ("ntag224", 0x0044, 0x00, 7, 304),
    ("ultralight-nano", 0x0044, 0x00, 7, 56), ("st25tn512", 0x0044, 0x00, 7, 256),
    ("st25tn01k", 0x0044, 0x00, 7, 256), ("fm11nt021", 0x0044, 0x00, 7, 180),
    ("mikron", 0x0044, 0x00, 7, 164), ("feiju", 0x0044, 0x00, 7, 180),
    ("ntag-i2c-1k", 0x0044, 0x00, 7, 4 * 229), ("ntag-i2c-2k", 0x0044, 0x00, 7, 4 * 483),
    ("ntag-i2c-plus-1k", 0x0044, 0x00, 7, 4 * 234),
    ("ntag-i2c-plus-2k", 0x0044, 0x00, 7, 4 * 490), ("type4", 0x0344, 0x20, 7, 2064),
    ("st25ta512", 0x0042, 0x20, 7, 144), ("st25ta02k", 0x0042, 0x20, 7, 336),
    ("ntag424", 0x0344, 0x20, 7, 608), ("ntag424tt", 0x0344, 0x20, 7, 608),
    ("st25ta16k", 0x0042, 0x20, 7, 2128), ("desfire-ev1", 0x0344, 0x20, 7, 4352),
    ("desfire-ev2", 0x0344, 0x20, 7, 4352), ("desfire-ev3", 0x0344, 0x20, 7, 4352),
    ("felica-lite", 0x0000, 0x00, 8, 352), ("felica-lite-s", 0x0000, 0x00, 8, 352),
    ("felica-standard", 0x0000, 0x00, 8, 656),
    ("topaz96", 0x0C00, 0x00, 7, 120), ("topaz512", 0x0C00, 0x00, 7, 512),
    ("plus-sl3", 0x0044, 0x20, 7, 16), ("plus-ev1", 0x0044, 0x20, 7, 16),
    ("plus-ev2", 0x0044, 0x20, 7, 16),
    ("typeb", 0x0000, 0x00, 4, 16), ("phone", 0x0004, 0x60, 4, 16),
  ]

  @Test("each product is what it says", arguments: identities)
  func identity(name: String, atqa: UInt16, sak: UInt8, uidSize: Int, size: Int) throws {
    let tag = try TagCatalog.tag(name)
    #expect(tag.product == name)
    #expect((tag.atqa, tag.sak, tag.uid.count) == (atqa, sak, uidSize))
    #expect(tag.eeprom.bytes.count == size)
    #expect(tag.rows.numbers.count * tag.rows.size == size)
    #expect(tag.bearsUID(tag.eeprom.bytes))
    #expect(tag.state == .idle)
    #expect(tag.ats.isEmpty == (sak & 0x20 == 0))
    #expect((tag.technology == .f) == name.hasPrefix("felica"))
    #expect((tag.technology == .topaz) == name.hasPrefix("topaz"))
    #expect((tag.technology == .b) == (name == "typeb"))
  }

  @Test("a 4K with a 7-byte UID says so in its ATQA")
  func longUID() throws {
    #expect(try TagCatalog.tag("classic4k", uid: [4, 1, 2, 3, 4, 5, 6]).atqa == 0x0042)
  }

  @Test("default UIDs are all different, the same every time, and of the maker's form")
  func uids() throws {
    for (name, lead) in [("ntag213", 0x04), ("classic1k", 0x5A), ("felica-lite-s", 0x01)] {
      let uids = try (0..<2000).map { try TagCatalog.tag(name, index: $0).uid }
      #expect(Set(uids).count == 2000)
      #expect(uids.allSatisfy { $0[0] == lead && $0[3] != 0x88 || $0.count != 7 })
      #expect(try TagCatalog.tag(name, index: 1999).uid == uids[1999])
    }
  }

  @Test("tags in turn: options of their own, one row of default UIDs")
  func turns() throws {
    let turns = try SimulatedTagSpec.turns(
      parsing: "sim:ntag213,file=a,then=ntag213*2,then=mini+ntag215,content=blank,then=ntag213")
    #expect(turns.map(\.tagCount) == [1, 2, 2, 1])
    #expect(turns.map(\.file) == ["a", nil, nil, nil])
    #expect(turns.map(\.content) == [.factory, .factory, .blank, .factory])
    let uids = try turns.flatMap { turn in
      try (0..<turn.tagCount).map { try turn.tag(at: $0).uid }
    }
    #expect(Set(uids).count == 6)
    #expect(try uids[0] == TagCatalog.tag("ntag213").uid)
    #expect(
      try SimulatedTagSpec.turns(parsing: "ntag213") == [SimulatedTagSpec(parsing: "ntag213")])
    #expect(throws: VirtualTagError.unknownProduct("")) {
      try SimulatedTagSpec.turns(parsing: "ntag213,then=")
    }
  }

  @Test("one tag, several in the field, a reel")
  func arrangements() throws {
    let one = try SimulatedTagSpec(parsing: "sim:ntag213")
    #expect(one.arrangement == .together(["ntag213"]))
    #expect((one.tagCount, one.content, one.file) == (1, .factory, nil))

    let two = try SimulatedTagSpec(
      parsing: "ntag213+classic1k,uid=04:11:22:33:44:55:66+01020304,content=blank")
    #expect(two.arrangement == .together(["ntag213", "classic1k"]))
    #expect(try two.tag(at: 0).uid == [4, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66])
    #expect(try two.tag(at: 1).uid == [1, 2, 3, 4])
    #expect(try two.tag(at: 0).eeprom.bytes[12..<16] == [0, 0, 0, 0])

    let reel = try SimulatedTagSpec(parsing: "ntag213*500,bad=2%,wrong=1%")
    #expect(reel.arrangement == .series(product: "ntag213", count: 500))
    #expect(reel.tagCount == 500)
    let tags = try (0..<500).map { try reel.tag(at: $0) }
    #expect(Set(tags.map(\.uid)).count == 500)
    #expect(tags.count { $0.product != "ntag213" } == 5)
    #expect(Set(tags.map(\.product)).count == 4)
    #expect(tags.count { $0.eeprom.defects != nil } == 10)
  }

  @Test("two tags of a kind in the field have two UIDs")
  func pair() throws {
    let spec = try SimulatedTagSpec(parsing: "ntag213+ntag213")
    #expect(try spec.tag(at: 0).uid != spec.tag(at: 1).uid)
  }

  @Test("a bad tag refuses to be written in its user memory and keeps what it holds")
  func bad() throws {
    let spec = try SimulatedTagSpec(parsing: "ntag213*1,bad=100%")
    let tag = try spec.tag(at: 0)
    tag.select()
    #expect(tag.receive([0xA2, 0x04, 0, 0, 0, 0]) == .nibble(0x5))
    #expect(tag.eeprom.bytes[16] == 0x01)
  }

  @Test("options about other things are kept for others")
  func others() throws {
    let spec = try SimulatedTagSpec(
      parsing: "ntag213,speed=115200,content=blank", otherKeys: ["speed", "drop"])
    #expect(spec.otherOptions == ["speed": "115200"])
    #expect(spec.content == .blank)
  }

  static let known =
    "mini, classic1k, classic1k7b, classic1k-ev1, classic2k, classic4k, ultralight, ultralight-ev1-11, ultralight-ev1-21, ultralight-c, ultralight-aes, ntag203, ntag210, ntag212, ntag213, ntag215, ntag216, ntag213f, ntag215f, ntag216f, ntag213tt, ntag213c, ntag223, ntag224, ultralight-nano, st25tn512, st25tn01k, fm11nt021, mikron, feiju, ntag-i2c-1k, ntag-i2c-2k, ntag-i2c-plus-1k, ntag-i2c-plus-2k, type4, st25ta512, st25ta02k, st25ta16k, ntag424, ntag424tt, desfire-ev1, desfire-ev2, desfire-ev3, felica-lite, felica-lite-s, felica-standard, topaz96, topaz512, plus-sl3, plus-ev1, plus-ev2, typeb and phone"

  static let errors = [
    ("", "There is no virtual tag “”; there are \(known)."),
    ("ntag214", "There is no virtual tag “ntag214”; there are \(known)."),
    ("ntag213+", "There is no virtual tag “”; there are \(known)."),
    ("NTAG213", "There is no virtual tag “NTAG213”; there are \(known)."),
    ("ntag213*0", "In “ntag213*0” a number from 1 to 1000000 must follow the *."),
    ("ntag213*", "In “ntag213*” a number from 1 to 1000000 must follow the *."),
    ("ntag213*2*2", "In “ntag213*2*2” a number from 1 to 1000000 must follow the *."),
    (
      "ntag213*99999999999999999999",
      "In “ntag213*99999999999999999999” a number from 1 to 1000000 must follow the *."
    ),
    ("ntag213*-1", "In “ntag213*-1” a number from 1 to 1000000 must follow the *."),
    (
      "ntag213+mini*2",
      "In “ntag213+mini*2” tags are joined by + and multiplied by *; it can be one or the other."
    ),
    ("mini,uid", "“uid” is not an option: it has no =. A path cannot contain a comma."),
    ("mini,", "“” is not an option: it has no =. A path cannot contain a comma."),
    (
      "mini,color=red",
      "A virtual tag has no option “color”; it has uid, file, content, bad, wrong, save, seed, pace, pull, stay, phone, pause, chip, auth14, polls, answers, baudmax, longframes, reader, ack, firstbyte, ram, wakes, leaves, typeb, seeks, pairs, naks, commands, parts, otherbaud, straywake, halts, fastread, com, sak, rows, page0, password, edge, auth0, mirrors, rats, mifare, misses, torn, stuck, mapping, size, mle, mlc, rights, fsc, wtx, longread, tears, cardaccess and loop."
    ),
    ("mini,content=blank,content=blank", "The option content is given twice."),
    ("mini,chip=cheap", "The option chip takes genuine or clone, not “cheap”."),
    ("mini,halts=maybe", "The option halts takes yes or no, not “maybe”."),
    ("mini,answers=8", "The option answers takes a number of bytes from 16 to 262, not “8”."),
    ("mini,baudmax=1200", "The option baudmax takes a speed from 9600 to 921600, not “1200”."),
    ("mini,sak=1", "The option sak takes two hexadecimal digits, such as 18, not “1”."),
    ("mini,stuck=1:8:0", "The option stuck takes ADDRESS:BIT:VALUE, such as 65:0:1, not “1:8:0”."),
    ("mini,fsc=64", "The option fsc needs a card that has it, such as type4."),
    ("st25ta02k,mle=64", "The option mle needs a card that has it, such as type4."),
    ("type4,mapping=4", "The option mapping takes 1, 2 or 3, not “4”."),
    (
      "type4,fsc=60",
      "The option fsc takes 16, 24, 32, 40, 48, 64, 96, 128 or 256, not “60”."
    ),
    (
      "type4,rights=none",
      "The option rights takes free, readonly, password or closed, not “none”."
    ),
    ("mini,ack=40,ack=40", "The option ack is given twice."),
    ("mini,content=old", "The option content takes factory or blank, not “old”."),
    ("mini,file=", "The option file takes a path, not “”."),
    (
      "mini,uid=0102030",
      "The UID “0102030” is not a hexadecimal number: the number of hexadecimal digits is odd."
    ),
    (
      "mini+mini,uid=01020304+zz",
      "The UID “zz” is not a hexadecimal number: “z” is not a hexadecimal digit."
    ),
    ("mini,uid=010203", "The UID of mini has 4 or 7 bytes, not 3."),
    ("classic1k,uid=04010203040506", "The UID of classic1k has 4 bytes, not 7."),
    ("ntag213,uid=", "The UID of ntag213 has 7 bytes, not 0."),
    ("mini+mini,uid=01020304", "2 tags need 2 UIDs joined by +, there is 1."),
    ("mini+mini,uid=01020304+01020304", "Two tags in the field cannot have the same UID."),
    ("mini*3,uid=01020304", "The option uid needs tags that are not on a reel."),
    ("mini*3,file=a", "The option file needs one tag that is not on a reel."),
    ("mini+mini,file=a", "The option file needs one tag alone."),
    ("mini,bad=2%", "The option bad needs a reel, such as mini*500."),
    ("mini,pull=2", "The option pull needs a reel, such as mini*500."),
    ("mini,stay=2s", "The option stay needs a reel, such as mini*500."),
    ("mini*3,stay=2", "The option stay takes 0s to 60s, such as 5s, not “2”."),
    (
      "mini*3,pull=0",
      "The option pull takes every how many tags one is pulled, such as 5, not “0”."
    ),
    ("mini,wrong=2%", "The option wrong needs a reel, such as mini*500."),
    (
      "mini*3,bad=2",
      "The option bad takes a percentage from 0% to 100%, such as 2%, not “2”."
    ),
    (
      "mini*3,wrong=101%",
      "The option wrong takes a percentage from 0% to 100%, such as 2%, not “101%”."
    ),
  ]

  @Test("what cannot be made is said in a sentence", arguments: errors)
  func refuses(text: String, sentence: String) {
    let error = #expect(throws: VirtualTagError.self) { try SimulatedTagSpec(parsing: text) }
    #expect(error?.description == sentence)
  }

  @Test("percentages", arguments: ["0%", "0.01%", "2%", "12.5%", "100%", "100.00%"])
  func shares(text: String) throws {
    let share = try #require(Share(parsing: text))
    let value = try #require(Double(text.dropLast()))
    #expect(Double(share.perTenThousand) == (value * 100).rounded())
  }

  @Test(
    "no percentages", arguments: ["", "%", "2", ".5%", "5.%", "-1%", "1.234%", "1e1%", "100.01%"])
  func noShares(text: String) { #expect(Share(parsing: text) == nil) }
}
