import CoreNFC
import Foundation
import Testing

extension SessionTests {
  private static let ndef = "D2760000850101"

  @Suite("Smart cards")
  struct Cards {
    @Test("a declared application is selected, and the card takes APDUs")
    func apdus() throws {
      Bench.lay(
        "type4", infoPlist: Bench.declaring(applications: ["A000000001", SessionTests.ndef]))
      try Bench.onTag(.iso14443) { _, tag in
        let card = try #require(tag.iso7816)
        #expect(card.initialSelectedAID == SessionTests.ndef)
        #expect(card.identifier.count == 7 && card.applicationData == nil)
        #expect(!card.proprietaryApplicationDataCoding)
        let select = try #require(NFCISO7816APDU(data: Data(hex: "00A4000C02E103")))
        let (data, sw1, sw2): (Data, UInt8, UInt8) = try await card.sendCommand(apdu: select)
        #expect(data.isEmpty && sw1 == 0x90 && sw2 == 0x00)
        let read = NFCISO7816APDU(
          instructionClass: 0, instructionCode: 0xB0, p1Parameter: 0, p2Parameter: 0, data: Data(),
          expectedResponseLength: 15)
        let answer: NFCISO7816ResponseAPDU = try await card.sendCommand(apdu: read)
        #expect(answer.payload?.count == 15 && answer.statusWord1 == 0x90)
        let unknown = try #require(NFCISO7816APDU(data: Data(hex: "00FF0000")))
        let refusal: NFCISO7816ResponseAPDU = try await card.sendCommand(apdu: unknown)
        #expect(refusal.statusWord1 == 0x6D && refusal.payload == nil)
        // As on a phone: the tuple, where nobody asks for anything else.
        let plain = try await card.sendCommand(apdu: read)
        #expect(plain.0.count == 15 && plain.1 == 0x90 && plain.2 == 0x00)
      }
    }

    @Test("an application that is not declared is refused with 2, by SELECT by name alone")
    func undeclared() throws {
      Bench.lay("type4", infoPlist: Bench.declaring(applications: [SessionTests.ndef]))
      let said = Box<String>()
      NFCBench.diagnosticHandler = { name, _ in said.value = name }
      let code = Bench.code {
        _ = try Bench.onTag(.iso14443) { _, tag in
          let select = try #require(NFCISO7816APDU(data: Data(hex: "00A4040005A000000001")))
          return try await tag.iso7816!.sendCommand(apdu: select).statusWord1
        }
      }
      #expect(code == .readerErrorSecurityViolation)
      #expect(said.value == "undeclared-aid")
    }

    @Test("a command that is longer than the chip takes is 105")
    func tooLong() throws {
      Bench.lay("type4")
      let code = Bench.code {
        _ = try Bench.onTag(.iso14443) { _, tag in
          let long = NFCISO7816APDU(
            instructionClass: 0, instructionCode: 0xD6, p1Parameter: 0, p2Parameter: 0,
            data: Data(count: 300), expectedResponseLength: -1)
          return try await tag.iso7816!.sendCommand(apdu: long).statusWord1
        }
      }
      #expect(code == .readerTransceiveErrorPacketTooLong)
    }

    @Test("a card without a declared application is not delivered to a phone's app")
    func notDeclared() {
      Bench.lay("type4", infoPlist: Bench.declaring(applications: ["A000000001"]))
      NFCBench.timeLimit = .seconds(4)
      let said = Box<String>()
      NFCBench.diagnosticHandler = { name, _ in said.value = name }
      let client = TagClient { session, _ in session.invalidate() }
      NFCTagReaderSession(pollingOption: .iso14443, delegate: client, queue: client.queue)?.begin()
      client.heard.waitForEnd()
      // The virtual card says of itself what a DESFire says, so it may be found as one.
      #expect(client.heard.all.contains("ended 201") == (said.value == "not-delivered"))
    }

    @Test("a blank DESFire is a MIFARE tag; its frames are followed to the end")
    func desfire() throws {
      Bench.lay("desfire-ev1")
      try Bench.onTag(.iso14443) { _, tag in
        let card = try #require(tag.miFare)
        #expect(card.mifareFamily == .desfire)
        #expect(card.historicalBytes == Data([0x80]))
        let version = try await card.sendMiFareCommand(commandPacket: Data([0x60]))
        #expect(version.count == 1 + 28 && version.first == 0x00)
        let wrapped = try await card.sendMiFareCommand(commandPacket: Data(hex: "9060000000"))
        #expect(
          wrapped.dropLast(2) == version.dropFirst() && wrapped.suffix(2) == Data(hex: "9100"))
        let apdu = try #require(NFCISO7816APDU(data: Data(hex: "9060000000")))
        let (data, sw1, sw2): (Data, UInt8, UInt8) = try await card.sendMiFareISO7816Command(apdu)
        #expect(data.count == 7 && sw1 == 0x91 && sw2 == 0xAF)
        // The command before was left in its middle, and is over by that.
        let aborted = try await card.sendMiFareCommand(commandPacket: Data(hex: "5A112233"))
        #expect(aborted == Data([0xCA]))
        let missing = try await card.sendMiFareCommand(commandPacket: Data(hex: "5A112233"))
        #expect(missing == Data([0xA0]))
      }
    }

    @Test(
      "a DESFire with the NDEF application is a smart card where that is declared, else a MIFARE tag"
    )
    func formattedDESFire() throws {
      Bench.lay("ntag424", infoPlist: Bench.declaring(applications: [SessionTests.ndef]))
      try Bench.onTag(.iso14443) { _, tag in #expect(tag.iso7816 != nil) }
      NFCBench.infoPlist = Bench.declaring()
      try Bench.onTag(.iso14443) { _, tag in #expect(tag.miFare?.mifareFamily == .desfire) }
    }

    @Test("a card of type B is a smart card")
    func typeB() throws {
      Bench.lay("typeb", mode: .bench)
      try Bench.onTag(.iso14443) { _, tag in
        let card = try #require(tag.iso7816)
        #expect(card.identifier.count == 4 && card.applicationData?.count == 4)
        #expect(card.historicalBytes == nil)
      }
    }

    @Test("a configuration names applications in code")
    func configuration() throws {
      Bench.lay(
        "type4", infoPlist: Bench.declaring(applications: [SessionTests.ndef, "A000000001"]))
      let client = TagClient { session, tags in
        #expect(tags[0].iso7816?.initialSelectedAID == SessionTests.ndef)
        session.invalidate()
      }
      NFCTagReaderSession(
        configuration: .init(
          pollingOption: .iso14443, iso7816SelectIdentifiers: [SessionTests.ndef, "A000000099"]),
        delegate: client, queue: client.queue
      ).begin()
      client.heard.waitForEnd()
      #expect(client.heard.all == ["active", "tags 1", "ended 200"])
    }
  }

  @Suite("FeliCa")
  struct FeliCa {
    @Test("blocks are read and written, and flags tell a refusal")
    func blocks() throws {
      Bench.lay("felica-lite-s", infoPlist: Bench.declaring(systems: ["12FC"]))
      try Bench.onTag(.iso18092) { _, tag in
        let card = try #require(tag.feliCa)
        #expect(card.currentSystemCode == Data(hex: "12FC") && card.currentIDm.count == 8)
        let services = [Data(hex: "0900")]
        let block = Data((0..<16).map { UInt8($0) })
        let written = try await card.writeWithoutEncryption(
          serviceCodeList: services, blockList: [Data(hex: "8005")], blockData: [block])
        #expect(written == (0, 0))
        let (flag1, flag2, blocks) = try await card.readWithoutEncryption(
          serviceCodeList: [Data(hex: "0B00")], blockList: [Data(hex: "8005"), Data(hex: "8000")])
        #expect((flag1, flag2) == (0, 0) && blocks.count == 2 && blocks[0] == block)
        let refused = try await card.readWithoutEncryption(
          serviceCodeList: [Data(hex: "0B00")], blockList: [Data(hex: "8060")])
        #expect(refused.0 != 0 && refused.2.isEmpty)
      }
    }

    @Test("polling asks a declared system, and no other")
    func polling() throws {
      Bench.lay("felica-lite-s", infoPlist: Bench.declaring(systems: ["12FC"]))
      try Bench.onTag(.iso18092) { _, tag in
        let card = try #require(tag.feliCa)
        let (pmm, data) = try await card.polling(
          systemCode: Data(hex: "12FC"), requestCode: .systemCode, timeSlot: .max1)
        #expect(pmm.count == 8 && data == Data(hex: "12FC"))
        for code in ["88B4", "FFFF"] {
          do {
            _ = try await card.polling(
              systemCode: Data(hex: code), requestCode: .noRequest, timeSlot: .max1)
            Issue.record("not refused")
          } catch let error as NFCReaderError {
            #expect(error.code == .readerErrorSecurityViolation)
          }
        }
      }
    }

    @Test("a whole packet goes without its length, and lists are checked")
    func packets() throws {
      Bench.lay("felica-lite-s")
      try Bench.onTag(.iso18092) { _, tag in
        let card = try #require(tag.feliCa)
        let packet = Data([0x06]) + card.currentIDm + Data(hex: "010B00018000")
        let answer = try await card.sendFeliCaCommand(commandPacket: packet)
        #expect(answer.first == 0x07 && answer.count == 12 + 16)
        for (services, blocks) in [
          ([Data](), [Data(hex: "8000")]), ([Data(hex: "0B")], [Data(hex: "8000")]),
        ] {
          await #expect(throws: NFCReaderError.self) {
            _ = try await card.readWithoutEncryption(serviceCodeList: services, blockList: blocks)
          }
        }
      }
    }

    @Test("a tag of another system is not delivered")
    func otherSystem() {
      Bench.lay("felica-lite-s", infoPlist: Bench.declaring(systems: ["0003"]))
      NFCBench.timeLimit = .seconds(4)
      let client = TagClient { session, _ in session.invalidate() }
      NFCTagReaderSession(pollingOption: .iso18092, delegate: client, queue: client.queue)?.begin()
      client.heard.waitForEnd()
      #expect(client.heard.all == ["active", "ended 201"])
    }
  }

  @Suite("What the app declares")
  struct Declarations {
    private func end(_ plist: [String: Any], _ polling: NFCTagReaderSession.PollingOption)
      -> String?
    {
      Bench.lay("ntag213", infoPlist: plist)
      let client = TagClient { session, _ in session.invalidate() }
      NFCTagReaderSession(pollingOption: polling, delegate: client, queue: client.queue)?.begin()
      client.heard.waitForEnd()
      return client.heard.all.last
    }

    @Test("a key that is missing ends the session with 2, as on a phone")
    func missing() {
      #expect(end([:], .iso14443) == "ended 2")
      #expect(end(["NFCReaderUsageDescription": "Reads tags."], .iso14443) == "ended 2")
      #expect(end(Bench.declaring(formats: ["NDEF"]), .iso14443) == "ended 2")
      #expect(end(Bench.declaring(), [.iso14443, .iso18092]) == "ended 2")
      #expect(end(Bench.declaring(systems: ["FFFF"]), .iso18092) == "ended 2")
      #expect(end(Bench.declaring(), .iso14443) == "ended 200")
    }

    @Test("an Info.plist in XML or binary and the entitlements beside it are read")
    func files() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let plist = folder.appendingPathComponent("Info.plist")
      for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
        let info = ["NFCReaderUsageDescription": "Reads tags & cards."]
        try PropertyListSerialization.data(fromPropertyList: info, format: format, options: 0)
          .write(to: plist)
        try PropertyListSerialization.data(
          fromPropertyList: ["com.apple.developer.nfc.readersession.formats": ["TAG"]],
          format: .xml, options: 0
        ).write(to: folder.appendingPathComponent("App.entitlements"))
        Bench.lay("ntag213")
        NFCBench.infoPlist = plist.path
        try Bench.onTag(.iso14443) { _, tag in #expect(tag.miFare != nil) }
      }
      NFCBench.infoPlist = folder.appendingPathComponent("missing.plist")
      let client = TagClient { _, _ in }
      NFCTagReaderSession(pollingOption: .iso14443, delegate: client, queue: client.queue)?.begin()
      client.heard.waitForEnd()
      #expect(client.heard.all == ["ended 2"])
    }
  }

  @Suite("What the app's developer hears")
  struct Diagnostics {
    /// The names of what is said while `body` works on a tag.
    private func said(
      _ tags: String = "ntag213", _ body: @escaping (NFCTagReaderSession, [NFCTag]) -> Void
    ) -> [String] {
      Bench.lay(tags)
      let names = Heard()
      NFCBench.diagnosticHandler = { name, _ in names.add(name) }
      let client = TagClient(body)
      NFCTagReaderSession(pollingOption: .iso14443, delegate: client, queue: client.queue)?.begin()
      client.heard.waitForEnd()
      return names.all
    }

    @Test("a result that is used before its handler has run")
    func handlerPending() {
      let names = said { session, tags in
        session.connect(to: tags[0]) { _ in
          tags[0].miFare?.sendMiFareCommand(commandPacket: Data(hex: "3000")) { _, _ in }
          session.invalidate()
        }
      }
      #expect(names == ["handler-pending"])
    }

    @Test("nothing is said of a chain of handlers")
    func chain() {
      let names = said { session, tags in
        session.connect(to: tags[0]) { _ in
          tags[0].miFare?.sendMiFareCommand(commandPacket: Data(hex: "3000")) { _, _ in
            tags[0].miFare?.queryNDEFStatus { _, _, _ in session.invalidate() }
          }
        }
      }
      #expect(names == [])
    }

    @Test("a URI record without its prefix code")
    func uriPrefix() {
      let names = said { session, tags in
        let payload = NFCNDEFPayload(
          format: .nfcWellKnown, type: Data("U".utf8), identifier: Data("12345678".utf8),
          payload: Data("content".utf8))
        session.connect(to: tags[0]) { _ in
          tags[0].miFare?.writeNDEF(NFCNDEFMessage(records: [payload])) { _ in session.invalidate()
          }
        }
      }
      #expect(names == ["uri-prefix"])
    }

    @Test("a connect that failed, and no restartPolling after it")
    func noRestart() throws {
      Bench.rules()
      let board = try Board("ntag213")
      let names = Heard()
      NFCBench.diagnosticHandler = { name, _ in names.add(name) }
      NFCBench.timeLimit = .seconds(4)
      let client = TagClient { session, tags in
        board.clear()
        session.connect(to: tags[0]) { error in #expect((error as NSError?)?.code == 100) }
      }
      NFCTagReaderSession(pollingOption: .iso14443, delegate: client, queue: client.queue)?.begin()
      client.heard.waitForEnd()
      #expect(names.all == ["no-restart"])
    }

    @Test("two tags, of which a PN532 sees no more")
    func several() {
      #expect(said("ntag213+ntag213") { session, _ in session.invalidate() } == ["several-tags"])
    }
  }
}
