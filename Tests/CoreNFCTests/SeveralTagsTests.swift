import CoreNFC
import Foundation
import PhoneSessions
import Testing

extension SessionTests {
  /// Tags that an app gets each alone, and so together.
  @Suite("Two tags in the field")
  struct SeveralTags {
    private static let kinds = [
      "ntag213", "ultralight-c", "type4", "desfire-ev1", "ntag424", "felica-lite-s",
    ]
    private static let pairs: [[String]] = kinds.indices.flatMap { first in
      kinds.indices.filter { $0 != first }.map { [kinds[first], kinds[$0]] }
    }

    /// Something that a tag of this kind answers, whatever lies beside it.
    private static func ask(_ tag: NFCTag) async throws -> String {
      switch tag {
      case .miFare(let chip):
        let pages = try await chip.sendMiFareCommand(commandPacket: Data(hex: "3000"))
        return "miFare \(pages.count) \(chip.identifier.count)"
      case .iso7816(let card):
        let (_, sw1, sw2) = try await card.sendCommand(
          apdu: try #require(NFCISO7816APDU(data: Data(hex: "00A4000C02E103"))))
        return "iso7816 \(sw1) \(sw2)"
      case .feliCa(let card):
        return "feliCa \(try await card.requestResponse())"
      case .iso15693: return "iso15693"
      }
    }

    private func heard(of tags: String) throws -> [String] {
      Bench.lay(tags)
      let answers = Box<[String]>()
      let client = TagClient { session, tags in
        Task(executorPreference: OwnThreads.shared) {
          var found: [String] = []
          // Each in its turn, and the first once more.
          for tag in tags + tags.prefix(1) {
            do {
              try await session.connect(to: tag)
              found.append(try await Self.ask(tag))
            } catch { found.append("\(error)") }
          }
          answers.value = found
          session.invalidate()
        }
      }
      let session = NFCTagReaderSession(
        pollingOption: [.iso14443, .iso18092], delegate: client, queue: client.queue)
      session?.begin()
      client.heard.waitForEnd()
      return answers.value ?? []
    }

    @Test("each is delivered, connected and answers as it does alone", arguments: pairs)
    func together(_ pair: [String]) throws {
      let alone = try pair.map { try heard(of: $0)[0] }
      let both = try heard(of: pair.joined(separator: "+"))
      #expect(both.count == 3, "\(both)")
      #expect(both.dropLast().sorted() == alone.sorted())
      #expect(both.first == both.last)
    }
  }

  @Suite("What 26.4 has added")
  struct Additions {
    @Test("the queue of a session is the one that was given, also the main one")
    func queue() throws {
      let client = TagClient { _, _ in }
      let main = try #require(
        NFCTagReaderSession(pollingOption: .iso14443, delegate: client, queue: .main))
      #expect(main.sessionQueue === DispatchQueue.main)
      #expect((main.sessionQueue == DispatchQueue.main) as Bool)
      let own = try #require(
        NFCTagReaderSession(pollingOption: .iso14443, delegate: client, queue: client.queue))
      #expect(own.sessionQueue === client.queue)
      #expect(own.sessionQueue !== DispatchQueue.main)
      let none = try #require(NFCTagReaderSession(pollingOption: .iso14443, delegate: client))
      #expect(none.sessionQueue !== DispatchQueue.main && none.sessionQueue !== client.queue)
    }

    @Test("polling is restarted for other tags, and then again for those of the beginning")
    func configuration() throws {
      Bench.lay(
        "ntag213+felica-lite-s",
        infoPlist: Bench.declaring(applications: ["D2760000850101"], systems: ["12FC"]))
      let kinds = Box<[String]>()
      kinds.value = []
      let client = TagClient { session, tags in
        let found = tags.map { if case .feliCa = $0 { "feliCa" } else { "miFare" } }
        kinds.value = (kinds.value ?? []) + [found.joined(separator: "+")]
        switch kinds.value?.count {
        case 1: session.restartPolling(configuration: .init(pollingOption: .iso18092))
        case 2:
          session.restartPolling(
            configuration: .init(
              pollingOption: [.iso14443, .iso18092], feliCaSystemCodes: ["12FC", "88B4"]))
        case 3: session.restartPolling()
        default: session.invalidate()
        }
      }
      let session = NFCTagReaderSession(
        configuration: .init(pollingOption: .iso14443), delegate: client, queue: client.queue)
      session.begin()
      client.heard.waitForEnd()
      #expect(kinds.value == ["miFare", "feliCa", "miFare+feliCa", "miFare"])
    }

    @Test("polling that the app may not restart, or nobody can, ends the session")
    func refused() throws {
      for (option, code) in [(NFCTagReaderSession.PollingOption.iso18092, 2), (.iso15693, 1)] {
        Bench.lay("ntag213", infoPlist: Bench.declaring())
        let client = TagClient { session, _ in
          session.restartPolling(configuration: .init(pollingOption: option))
        }
        let session = NFCTagReaderSession(
          pollingOption: .iso14443, delegate: client, queue: client.queue)
        session?.begin()
        client.heard.waitForEnd()
        #expect(client.heard.all == ["active", "tags 1", "ended \(code)"])
      }
    }

    @Test(
      "a card with EF.CardAccess does PACE, where the session asks for it; it is a tag as before",
      arguments: [("no", true, false), ("yes", true, true), ("yes", false, false)])
    func pace(file: String, isAsked: Bool, isSaid: Bool) throws {
      Bench.lay("type4,cardaccess=\(file)")
      try Bench.onTag(isAsked ? [.iso14443, .pace] : .iso14443) { _, tag in
        guard case .iso7816(let card) = tag else {
          Issue.record("no card")
          return
        }
        #expect(card.supportsPACE == isSaid)
        #expect(card.initialSelectedAID == "D2760000850101")
      }
    }

    @Test("NDEF among the formats is reported, and the session runs", arguments: ["NDEF", "TAG"])
    func formats(_ format: String) throws {
      Bench.lay("ntag213", infoPlist: Bench.declaring(formats: [format]))
      let said = Box<[String]>()
      said.value = []
      NFCBench.diagnosticHandler = { name, _ in said.value = (said.value ?? []) + [name] }
      let client = NDEFClient { session, _ in session.invalidate() }
      let session = NFCNDEFReaderSession(
        delegate: client, queue: nil, invalidateAfterFirstRead: false)
      session.begin()
      client.heard.waitForEnd()
      #expect(client.heard.all == ["active", "tags 1", "ended 200"])
      #expect(said.value?.contains("refused-at-upload") == (format == "NDEF"))
    }
  }
}
