import Foundation
import PN532
import PN532Simulator
import Pace
import Readers
import TagMemory
import Testing

@testable import LibNFCReaders

extension BoardTests {
  @Suite("faults of the line", .serialized)
  struct Faults {
    /// Opens and selects; the fault strikes with what `body` does.
    private func provoke(
      _ bench: Bench, _ body: (TagReader, Target) throws -> Void
    ) throws {
      let reader = try bench.open()
      try body(reader, try reader.select())
      reader.close()
    }

    /// A bench where each of `faults`, by their order, strikes a command that follows libnfc's own
    /// opening: first comes the one that raises the line, then the one that verifies the new speed.
    private static func raisingFaults(_ faults: [CommandFault?]) throws -> Bench {
      let trial = try Bench("ntag213")
      let link = try LibNFCLink(opening: trial.path, speed: .fixed(.baud115200))
      // Behind it libnfc sets registers, and the chip is asked for its firmware and settings.
      let first = trial.board.places.commands - 4
      link.close()
      var plan = FaultPlan()
      plan.commands = faults.enumerated().compactMap { index, fault in
        fault.map { (.at(first + index), $0) }
      }
      return try Bench("ntag213", faults: plan)
    }

    @Test(
      "A line that fails its check at 921600 baud is tried at 460800, and brought home from there",
      arguments: [[nil, .lost], [nil, .corrupt], [.lost]] as [[CommandFault?]])
    func stepsDown(faults: [CommandFault?]) throws {
      let bench = try Self.raisingFaults(faults)
      let link = try LibNFCLink(opening: bench.path)
      #expect(link.speed == .baud460800 && bench.chipSpeed == .baud460800)
      link.close()
      #expect(bench.chipSpeed == .baud115200)
    }

    @Test(
      "No single frame that the line loses while libnfc opens the board keeps it from being opened")
    func lostWhileOpening() throws {
      let trial = try Bench("ntag213")
      let link = try LibNFCLink(opening: trial.path, speed: .fixed(.baud115200))
      let commands = trial.board.places.commands
      link.close()
      #expect(commands > 5)
      for place in 0..<commands {
        var plan = FaultPlan()
        plan.commands = [(.at(place), .lost)]
        let bench = try Bench("ntag213", faults: plan)
        #expect(throws: Never.self, "command \(place)") {
          try LibNFCLink(opening: bench.path, speed: .fixed(.baud115200)).close()
        }
      }
    }

    @Test(
      "A lost command is repeated when it only reads", arguments: [CommandFault.lost, .corrupt])
    func lostRead(fault: CommandFault) throws {
      try provoke(Bench.commandFault(fault)) { (reader, _) throws in
        let frames = reader.counts.frames
        #expect(try reader.readPages(from: 0).count == 16)
        #expect(reader.counts.frames == frames + 2)
      }
    }

    @Test("A lost command that writes is not, and the tag still answers")
    func lostWrite() throws {
      let bench = try Bench.commandFault(.lost)
      try provoke(bench) { (reader, _) throws in
        #expect(throws: ReaderError.boardSilent(reader: bench.path)) {
          try reader.writePage(4, [1, 2, 3, 4])
        }
        #expect(try reader.readPages(from: 4).prefix(4) != [1, 2, 3, 4])
      }
    }

    @Test("A lost or damaged answer to a write is told, and what was written can be read back")
    func lostAnswers() throws {
      let cases: [(AnswerFault, (String) -> ReaderError)] = [
        (.lost, ReaderError.boardSilent), (.corrupt, ReaderError.boardGarbled),
      ]
      for (fault, error) in cases {
        let bench = try Bench.answerFault(fault)
        try provoke(bench) { (reader, _) throws in
          #expect(throws: error(bench.path)) { try reader.writePage(4, [1, 2, 3, 4]) }
          #expect(try reader.readPages(from: 4).prefix(4) == [1, 2, 3, 4])
        }
      }
    }

    @Test("A damaged answer to a read is read again")
    func damagedRead() throws {
      try provoke(Bench.answerFault(.corrupt)) { (reader, _) throws in
        #expect(try reader.readPages(from: 3).count == 16)
      }
    }

    @Test("An answer that comes late is never taken for the next command's")
    func lateAnswer() throws {
      for lateness in [300, 400, 1800] {
        var isLate = false
        // To a host that was held up for a moment it is not late.
        for _ in 1...20 where !isLate {
          let bench = try Bench.answerFault(.late(.milliseconds(lateness)))
          try provoke(bench) { (reader, _) throws in
            // Raw exchanges are not repeated: each stands for itself.
            let first = Result { () throws(ReaderError) in try reader.transceive([0x30, 0x00]) }
            if case .success(let bytes) = first {
              #expect(bytes == Array(bench.memory().prefix(16)))
              return
            }
            isLate = true
            #expect(throws: ReaderError.boardSilent(reader: bench.path)) { try first.get() }
            for page in [3, 6, 0] {
              let expected = Array(bench.memory()[page * 4..<page * 4 + 16])
              #expect(try reader.transceive([0x30, UInt8(page)]) == expected)
            }
          }
        }
        #expect(isLate)
      }
    }

    @Test("A board that hangs is silent after few commands, and closing it takes no more")
    func hang() throws {
      let bench = try Bench.commandFault(.hang)
      let reader = try bench.open()
      _ = try reader.select()
      let working = bench.commands {
        #expect(throws: ReaderError.boardSilent(reader: bench.path)) {
          try reader.readPages(from: 0)
        }
      }
      #expect(working <= 8)
      #expect(bench.commands { reader.close() } <= 20)
    }

    @Test(
      "A board that is unplugged in the middle of an exchange is lost at once",
      arguments: [true, false])
    func unplugged(beforeObeying: Bool) throws {
      let bench =
        try beforeObeying
        ? Bench.commandFault(.unplugged) : Bench.answerFault(.unplugged)
      let reader = try bench.open()
      _ = try reader.select()
      let count = bench.commands {
        #expect(throws: ReaderError.boardLost(reader: bench.path)) {
          try reader.writePage(4, [1, 2, 3, 4])
        }
        #expect(throws: ReaderError.boardLost(reader: bench.path)) { try reader.look() }
        reader.close()
      }
      #expect(count <= 1)
    }

    @Test("A board that is unplugged between exchanges is lost")
    func unpluggedBetween() throws {
      let bench = try Bench("ntag213")
      let reader = try bench.open()
      _ = try reader.select()
      bench.board.unplug()
      #expect(throws: ReaderError.boardLost(reader: bench.path)) { try reader.readPages(from: 0) }
      reader.close()
    }

    @Test("An interruption from another thread ends a blocked exchange and every later one")
    func interruption() throws {
      let bench = try Bench.commandFault(.hang)
      let link = try LibNFCLink(opening: bench.path)
      let reader = TagReader(link: link)
      _ = try reader.select()
      let interrupter = link.interrupter
      let hasEnded = DispatchSemaphore(value: 0)
      let (sent, before) = (bench.sent, bench.sent.acknowledgedCount)
      // No task, and no queue that is shared: other tests may hold every thread that runs those.
      DispatchQueue(label: "interruption").async {
        // The board has acknowledged it, and its answer is waited for.
        #expect(Pace.wait { sent.acknowledgedCount > before })
        interrupter.interrupt()
        #expect(hasEnded.wait(timeout: .now() + Pace.limit(30) / .seconds(1)) == .success)
      }
      #expect(throws: ReaderError.interrupted) {
        try link.transceive(
          // Long after the interruption.
          Command.inDataExchange([0x30, 0x00]).bytes, timeout: Pace.limit(60))
      }
      hasEnded.signal()
      #expect(throws: ReaderError.interrupted) { try reader.look() }
      #expect(bench.commands { link.close() } <= 20)
      interrupter.interrupt()  // does nothing any more
    }
  }
}
