import Bytes
import PN532
import PN532Simulator
import Testing

/// Published logs with the frames on the air, put to virtual tags by hand: the chip adds no CRC and
/// checks none, so that each frame is the log's.
@Suite("Published logs of frames on the air")
struct HardwareFrameTests {
  /// A reader that does REQA, anticollision and selection itself.
  private struct Air {
    let bench: Bench

    init(_ name: String, _ uid: String, _ bytes: [(offset: Int, hex: String)] = []) throws {
      let tag = try TagCatalog.tag(name, uid: Hex.bytes(uid))
      var memory = tag.eeprom.bytes
      for (offset, hex) in bytes {
        let new = try Hex.bytes(hex)
        memory.replaceSubrange(offset..<offset + new.count, with: new)
      }
      tag.eeprom.load(memory)
      bench = Bench(tag)
      // Switches the field on.
      _ = bench.ask("320101")
      for request in ["08630200", "08630300"] { _ = bench.ask(request) }
    }

    /// The tag's answer; nothing for silence. REQA and WUPA have seven bits.
    func send(_ frame: String) -> String {
      let isShort = frame == "26" || frame == "52"
      _ = bench.ask(isShort ? "08633d07" : "08633d00")
      let answer = bench.ask("42" + frame)
      return answer.hasPrefix("4300") ? String(answer.dropFirst(4)) : ""
    }
  }

  private static let activations: [(log: String, name: String, uid: String, frames: [String])] = [
    (
      "an Ultralight EV1", "ultralight-ev1-11", "04b7809af83880",
      [
        "52", "4400", "9320", "8804b780bb", "93708804b780bbd6fa", "04da17", "9520", "9af83880da",
        "95709af83880da68d4", "00fe51",
      ]
    ),
    (
      "a Type 2 tag with a password", "ntag213", "04a81d12de5f80",
      [
        "26", "4400", "9320", "8804a81d39", "93708804a81d39bb3b", "04da17", "9520", "12de5f8013",
        "957012de5f80135112", "00fe51", "1bdae557967088", "abda202c", "30084a24",
        "000000000000000000000000000000003749",
      ]
    ),
    (
      "an Ultralight C that is closed from page 4 on", "ultralight-c", "04942cca994f80",
      [
        "26", "4400", "9320", "8804942c34", "93708804942c34296c", "04da17", "9520", "ca994f809c",
        "9570ca994f809cba0f", "00fe51", "3002108b", "9c480f00534c544f04942c34ca994f80e5fc",
      ]
    ),
    (
      "an Ultralight AES", "ultralight-aes", "043f88c2451390",
      [
        "52", "4400", "9320", "88043f883b", "937088043f883b307a", "04da17", "9520", "c245139004",
        "9570c245139004c691", "00fe51",
      ]
    ),
    (
      "a DESFire, which says 24 and then 20", "desfire-ev1", "048d2432273b80",
      [
        "52", "4403", "9320", "88048d2425", "937088048d24256aba", "24d836", "9520", "32273b80ae",
        "957032273b80aecaf4", "20fc70", "e0803173", "06757781028002f0",
      ]
    ),
    (
      "a DESFire at a wall", "desfire-ev1", "046f169afc2e80",
      [
        "52", "4403", "9320", "88046f16f5", "937088046f16f5ec55", "24d836", "9520", "9afc2e80c8",
        "95709afc2e80c85bc6", "20fc70", "e0803173", "06757781028002f0",
      ]
    ),
  ]

  @Test("a tag is activated, and answers, as the log has it", arguments: activations.indices)
  func activation(_ index: Int) throws {
    let (log, name, uid, frames) = Self.activations[index]
    let memory: [(offset: Int, hex: String)] =
      switch name {
      case "ntag213": [(16, String(repeating: "00", count: 144)), (172, "dae55796abda")]
      case "ultralight-c":
        [(8, "9c480f00534c544f"), (160, "11ee00000000000004000000"), (172, "00000000")]
      default: []
      }
    let air = try Air(name, uid, memory)
    for pair in stride(from: 0, to: frames.count, by: 2) {
      #expect(air.send(frames[pair]) == frames[pair + 1], "\(log): \(frames[pair])")
    }
  }

  @Test("a tag in HALT heeds WUPA alone, and is selected by its whole UID at once")
  func halt() throws {
    let air = try Air("classic4k", "7caa7322")
    let select = ("93707caa732287444a", "1837cd")
    #expect(air.send("26") != "")
    #expect(air.send("9320") == "7caa732287")
    for _ in 1...2 {
      #expect(air.send(select.0) == select.1)
      #expect(air.send("500057cd") == "")
      #expect(air.send("26") == "")
      #expect(air.send("52") != "")
    }
  }

  @Test("a reader that polls with WUPA finds a tag that it has left selected again and again")
  func polling() throws {
    // The log's card says 04 and offers no second level; one that does answers the same so far.
    let air = try Air("classic1k", "0840cd8d")
    #expect(air.send("26") != "")
    #expect(air.send("9320") == "0840cd8d08")
    for _ in 1...3 {
      #expect(air.send("93700840cd8d0812d0").count == 6)
      // A request is an error to a tag that is selected; it is idle then, and answers the next.
      _ = air.send("52")
      #expect(air.send("52") != "")
    }
  }
}
