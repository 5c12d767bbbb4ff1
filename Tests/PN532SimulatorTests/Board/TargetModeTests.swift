import PN532
import TagMemory
import Testing

@testable import PN532Simulator

/// A board that plays a tag, and a host of few lines that answers for it.
@Suite("The chip as a tag")
struct TargetModeTests {
  private static let arm =
    "8c05" + "0400" + "123456" + "20" + String(repeating: "00", count: 18 + 10) + "00" + "00"

  /// Answers every selection until nobody is left, as the chip's host; the statuses that ended
  /// contacts.
  private func serve(_ bench: Bench, _ message: [UInt8], isWritable: Bool = false) throws
    -> [UInt8]
  {
    var tag = try #require(Type4Responder(message: message, isWritable: isWritable))
    var ends: [UInt8] = []
    for _ in 0..<200 {
      guard bench.ask(Self.arm) == "8d08e080" else { return ends }
      tag.activate()
      while true {
        guard case .answer(let got) = bench.chip.process(command: [0x86]) else {
          Issue.record("no answer to TgGetData")
          return ends
        }
        guard got[1] == 0 else {
          ends.append(got[1])
          break
        }
        let answer = tag.answer(Array(got.dropFirst(2)))
        guard case .answer(let sent) = bench.chip.process(command: [0x8E] + answer) else {
          Issue.record("no answer to TgSetData")
          return ends
        }
        guard sent[1] == 0 else {
          ends.append(sent[1])
          break
        }
      }
    }
    Issue.record("no end")
    return ends
  }

  private func bench(_ phones: [SimulatedPhone]) -> (Bench, PhoneQueue) {
    let bench = Bench()
    // As libnfc has it for a card: automatic RATS, and the firmware's own ISO-DEP.
    #expect(bench.ask("1230") == "13")
    #expect(bench.ask("0863013f") == "09")
    let queue = PhoneQueue(phones)
    bench.field.initiator = queue
    return (bench, queue)
  }

  private let message = (0..<700).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  @Test("is read whole by every telephone", arguments: PhoneKind.allCases)
  func whole(kind: PhoneKind) throws {
    let phone = SimulatedPhone(kind)
    let (bench, queue) = bench([phone])
    let ends = try serve(bench, message)
    #expect(queue.isEmpty && phone.hasLeft)
    #expect(ends.count == phone.selectionCount)
    #expect(ends.allSatisfy { $0 == 0x29 })
    if kind != .writer { #expect(phone.message == message) }
  }

  @Test(
    "is free for the next telephone wherever one leaves, and whatever is reported",
    arguments: PhoneKind.allCases, [0x29, 0x2B, 0x0A, 0x25] as [UInt8])
  func leaving(kind: PhoneKind, status: UInt8) throws {
    let whole = SimulatedPhone(kind)
    let (first, _) = bench([whole])
    _ = try serve(first, message)
    #expect(whole.frameCount > 10)
    for place in 0..<whole.frameCount {
      let phone = SimulatedPhone(kind, leavesAt: place, leaving: StatusCode(rawValue: status))
      let next = SimulatedPhone(.iPhone)
      let (bench, queue) = bench([phone, next])
      _ = try serve(bench, message)
      #expect(queue.isEmpty && phone.hasLeft, "frame \(place)")
      #expect(phone.frameCount == place)
      #expect(next.message == message, "frame \(place)")
    }
  }

  @Test("hides behind FeliCa from telephones that look for it first, unless the host forbids it")
  func feliCa() throws {
    for (register, sees) in [("0863013b", true), ("0863013f", false)] {
      let phone = SimulatedPhone(.samsung)
      let (bench, _) = bench([phone])
      _ = bench.ask(register)
      _ = try serve(bench, message)
      #expect(phone.sawFeliCa == sees && (phone.message == nil) == sees)
    }
  }

  @Test("hands RATS to a host that has not asked for ISO-DEP, and is left")
  func withoutCard() {
    let phone = SimulatedPhone(.iPhone)
    let (bench, _) = bench([phone])
    _ = bench.ask("1214")
    #expect(bench.ask(Self.arm) == "8d00e080")
    #expect(bench.ask("86") == "8725")
    #expect(bench.ask("88") == "8929")
    #expect(phone.hasLeft && phone.message == nil)
  }

  @Test("sleeps while it waits: bytes wake it, an ACK ends the wait, InRelease ends the tag")
  func waiting() {
    let (bench, _) = bench([])
    #expect(bench.ask(Self.arm) == "pending")
    #expect(bench.chip.powerMode == .powerDown && bench.ask("02") == "deaf")
    #expect(bench.send("5555000000000000") == "")
    #expect(bench.chip.powerMode == .awake && bench.chip.isPending)
    #expect(bench.send("0000ff00ff00") == "")
    #expect(!bench.chip.isPending)
    bench.field.initiator = PhoneQueue([SimulatedPhone(.iPhone)])
    #expect(bench.chip.resume() == nil)
    #expect(bench.ask("8a") == "8b0000")
    #expect(bench.ask(Self.arm) == "8d08e080")
    #expect(bench.ask("8a") == "8b0100" && bench.ask("04").hasPrefix("05" + "25" + "01") == false)
    #expect(bench.ask("04").dropFirst(4).hasPrefix("01"))
    #expect(bench.ask("5200") == "5300")
    #expect(bench.ask("86") == "8727" && bench.ask("8a") == "8b0000")
  }

  @Test("refuses a wrong number of parameters, and data out of turn")
  func wrong() {
    let (bench, _) = bench([SimulatedPhone(.iPhone)])
    #expect(bench.ask("8c0504001234562000") == "syntax error")
    #expect(bench.ask(Self.arm + "00") == "syntax error")
    #expect(bench.ask(Self.arm) == "8d08e080")
    #expect(bench.ask("8e9000") == "8f25")
    #expect(bench.ask("86").hasPrefix("8700"))
    #expect(bench.ask("86") == "8725")
  }

  @Test("takes what a telephone writes")
  func written() throws {
    let phone = SimulatedPhone(.writer, writes: [0xD1, 0x01, 0x01, 0x54, 0x00])
    let reader = SimulatedPhone(.android)
    let (bench, _) = bench([phone, reader])
    _ = try serve(bench, message, isWritable: true)
    #expect(reader.message == [0xD1, 0x01, 0x01, 0x54, 0x00])
  }

  @Test("answers as the simulated Type 4 tag does, whatever a reader sends")
  func sameAsSilicon() throws {
    let silicon = try #require(Type4Silicon.all.first { $0.name == "type4" })
    var layout = Type4Layout(size: 2048)
    layout.rights = .free
    let chip = VirtualType4(silicon, uid: [4, 1, 2, 3, 4, 5, 6], layout: layout)
    chip.select()
    var tag = try #require(Type4Responder(message: [], isWritable: true))
    tag.activate()
    chip.forget()
    var random = SplitMix64(state: 7)
    func pick<Value>(_ values: [Value]) -> Value {
      values[Int(random.next() % UInt64(values.count))]
    }
    for round in 0..<20_000 {
      let head: [UInt8] = [
        pick([0, 0, 0, 0, 0, 0x90]), pick([0xA4, 0xA4, 0xB0, 0xB0, 0xD6, 0xCA]),
      ]
      let command: [UInt8]
      switch head[1] {
      case 0xA4:
        command =
          pick([
            [0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00],
            [0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x00],
            [0x00, 0x0C, 0x02, 0xE1, 0x03], [0x00, 0x0C, 0x02, 0xE1, 0x04],
            [0x00, 0x0C, 0x02, 0xE1, 0x05], [0x02, 0x0C, 0x02, 0xE1, 0x04], [0x00], [],
          ])
      case 0xD6:
        let count = UInt8(pick([1, 2, 0xF6, 0xF7]))
        command =
          [UInt8(pick([0, 0, 7, 8])), UInt8(pick([0, 2, 0xFE])), count]
          + (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      default:
        command =
          [UInt8(pick([0, 0, 7, 0x7F, 0x80])), UInt8(pick([0, 2, 0xFE]))]
          + pick([[2], [0x0F], [0xF6], []])
      }
      let expected = chip.receive(head + command)
      #expect(expected == .data(tag.answer(head + command)), "\(round): \(head + command)")
    }
  }
}
