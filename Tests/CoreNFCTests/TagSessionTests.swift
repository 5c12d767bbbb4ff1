import CoreNFC
import Foundation
import PhoneSessions
import Testing

extension SessionTests {
  @Suite("MIFARE Ultralight and NTAG")
  struct MiFare {
    init() { Bench.lay("ntag213") }

    @Test("a session is active, finds a tag, and ends once and last")
    func course() throws {
      let client = TagClient { session, _ in session.invalidate() }
      let session = try #require(
        NFCTagReaderSession(pollingOption: .iso14443, delegate: client, queue: client.queue))
      #expect(!session.isReady)
      session.begin()
      #expect(client.heard.all.isEmpty, "nothing is called before begin has returned")
      client.heard.waitForEnd()
      session.invalidate()
      session.begin()
      // Whatever they call comes before this.
      client.queue.sync {}
      #expect(client.heard.all == ["active", "tags 1", "ended 200"])
    }

    @Test("no polling option makes no session")
    func noOption() {
      let client = TagClient { _, _ in }
      #expect(NFCTagReaderSession(pollingOption: [], delegate: client) == nil)
    }

    @Test("an NTAG is an Ultralight with its UID, and is available while it is connected")
    func properties() throws {
      try Bench.onTag { session, tag in
        let chip = try #require(tag.miFare)
        #expect(chip.mifareFamily == .ultralight)
        #expect(chip.identifier.count == 7 && chip.identifier.first == 0x04)
        #expect(chip.historicalBytes == nil)
        #expect(
          chip.type == .miFare && chip.asNFCMiFareTag() != nil && chip.asNFCFeliCaTag() == nil)
        #expect(tag.isAvailable)
        #expect(session.connectedTag?.miFare?.identifier == chip.identifier)
        session.restartPolling()
        #expect(!tag.isAvailable)
      }
    }

    @Test("READ, WRITE and FAST_READ work with a CRC and without")
    func commands() throws {
      try Bench.onTag { _, tag in
        let chip = try #require(tag.miFare)
        let page = try await chip.sendMiFareCommand(commandPacket: Data(hex: "3003"))
        #expect(page.count == 16 && page.prefix(4) == Data(hex: "E1101200"))
        // CRC_A of 30 03 is 99 9A.
        let withCRC = try await chip.sendMiFareCommand(commandPacket: Data(hex: "3003999A"))
        #expect(withCRC == page)
        let acknowledge = try await chip.sendMiFareCommand(commandPacket: Data(hex: "A20801020304"))
        #expect(acknowledge == Data([0x0A]))
        let read = try await chip.sendMiFareCommand(commandPacket: Data(hex: "3A0809"))
        #expect(read.prefix(4) == Data(hex: "01020304") && read.count == 8)
        let version = try await chip.sendMiFareCommand(commandPacket: Data(hex: "60"))
        #expect(version.count == 8)
        let pack = try await chip.sendMiFareCommand(commandPacket: Data(hex: "1BFFFFFFFF"))
        #expect(pack.count == 2)
      }
    }

    @Test("a refused command is an answer error, and the tag goes on")
    func refusal() throws {
      try Bench.onTag { _, tag in
        let chip = try #require(tag.miFare)
        await #expect(throws: NFCReaderError.self) {
          _ = try await chip.sendMiFareCommand(commandPacket: Data(hex: "30F0"))
        }
        #expect(try await chip.sendMiFareCommand(commandPacket: Data(hex: "3003")).count == 16)
      }
    }

    @Test("an APDU to an Ultralight is a wrong parameter")
    func noAPDU() throws {
      try Bench.onTag { _, tag in
        let chip = try #require(tag.miFare)
        let apdu = try #require(NFCISO7816APDU(data: Data(hex: "00A4040000")))
        do {
          let _: (Data, UInt8, UInt8) = try await chip.sendMiFareISO7816Command(apdu)
          Issue.record("not refused")
        } catch let error as NFCReaderError {
          #expect(error.code == .readerErrorInvalidParameter)
        }
      }
    }

    @Test("commands to a tag that is not connected, or was found before polling began anew, fail")
    func stale() throws {
      let codes = Box<[Int]>()
      codes.value = []
      let client = TagClient { session, tags in
        guard let chip = tags[0].miFare else { return }
        let first = codes.value?.isEmpty == true
        chip.sendMiFareCommand(commandPacket: Data(hex: "3000")) { _, error in
          codes.value = (codes.value ?? []) + [(error as NSError?)?.code ?? 0]
          guard first else { return session.invalidate() }
          session.restartPolling()
          session.connect(to: tags[0]) { error in
            codes.value = (codes.value ?? []) + [(error as NSError?)?.code ?? 0]
          }
        }
      }
      let session = NFCTagReaderSession(
        pollingOption: .iso14443, delegate: client, queue: client.queue)
      session?.begin()
      client.heard.waitForEnd()
      #expect(codes.value == [104, 104, 104])
      #expect(client.heard.all == ["active", "tags 1", "tags 1", "ended 200"])
    }

    @Test("a tag that was pulled away is lost, and then not connected")
    func pulledAway() throws {
      let board = try Board("ntag213")
      try Bench.onTag { _, tag in
        let chip = try #require(tag.miFare)
        board.clear()
        var codes: [Int] = []
        for _ in 1...2 {
          do {
            _ = try await chip.sendMiFareCommand(commandPacket: Data(hex: "3000"))
          } catch { codes.append((error as NSError).code) }
        }
        #expect(codes == [100, 104])
        #expect(!tag.isAvailable)
      }
    }

    @Test("the handler form, the result form and the async form say the same")
    func forms() throws {
      try Bench.onTag { _, tag in
        let chip = try #require(tag.miFare)
        let byAsync = try await chip.sendMiFareCommand(commandPacket: Data(hex: "3000"))
        let byHandler = await withCheckedContinuation { done in
          chip.sendMiFareCommand(commandPacket: Data(hex: "3000")) { data, _ in
            done.resume(returning: data)
          }
        }
        let byResult = await withCheckedContinuation { done in
          chip.sendMiFareCommand(
            commandPacket: Data(hex: "3000"),
            resultHandler: { result in
              done.resume(returning: try? result.get())
            })
        }
        #expect(byHandler == byAsync && byResult == byAsync)
      }
    }

    @Test("two tags are delivered, and one is connected after the other")
    func twoTags() throws {
      Bench.lay("ntag213+ntag215")
      let read = Box<[Data]>()
      let client = TagClient { session, tags in
        Task(executorPreference: OwnThreads.shared) {
          var found: [Data] = []
          for tag in tags + [tags[0]] {
            try await session.connect(to: tag)
            let bytes = try await tag.miFare?.sendMiFareCommand(commandPacket: Data(hex: "3003"))
            found.append(bytes?.prefix(4) ?? Data())
          }
          read.value = found
          session.invalidate()
        }
      }
      let session = NFCTagReaderSession(
        pollingOption: .iso14443, delegate: client, queue: client.queue)
      session?.begin()
      client.heard.waitForEnd()
      #expect(client.heard.all.contains("tags 2"))
      let container = Set([Data(hex: "E1101200"), Data(hex: "E1103E00")])
      #expect(Set(read.value ?? []) == container)
      #expect(read.value?.first == read.value?.last)
    }
  }

  @Suite("MIFARE Classic")
  struct Classic {
    @Test("a phone does not deliver it, and the app's developer hears why")
    func phone() throws {
      Bench.lay("classic1k")
      let said = Box<String>()
      NFCBench.diagnosticHandler = { name, _ in said.value = name }
      NFCBench.timeLimit = .seconds(4)
      let client = TagClient { session, _ in session.invalidate() }
      let session = NFCTagReaderSession(
        pollingOption: .iso14443, delegate: client, queue: client.queue)
      session?.begin()
      client.heard.waitForEnd()
      #expect(client.heard.all == ["active", "ended 201"])
      #expect(said.value == "not-delivered")
    }

    @Test("a bench delivers it, formats it and writes it")
    func bench() throws {
      Bench.lay("classic1k", mode: .bench)
      try Bench.onTag { _, tag in
        let card = try #require(tag.miFare)
        #expect(card.mifareFamily == .unknown)
        #expect(try await card.queryNDEFStatus().0 == .notSupported)
        try await card.writeNDEF(link("https://example.com/classic"))
        let message = try await card.readNDEF()
        #expect(message.records[0].wellKnownTypeURIPayload()?.path == "/classic")
      }
    }
  }
}
