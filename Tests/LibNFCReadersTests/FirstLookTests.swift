import PN532
import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import LibNFCReaders

extension BoardTests {
  /// A tag that lies there is found, whatever frame of the first look is lost: REQA does not wake a
  /// tag in HALT.
  @Suite("the first look", .serialized)
  struct FirstLook {
    private enum Fault: String, CaseIterable {
      case commandLost, commandDamaged, answerLost, answerDamaged, answerLate

      func plan(at place: Int) -> FaultPlan {
        var plan = FaultPlan()
        switch self {
        case .commandLost: plan.commands = [(.at(place), .lost)]
        case .commandDamaged: plan.commands = [(.at(place), .corrupt)]
        case .answerLost: plan.answers = [(.at(place), .lost)]
        case .answerDamaged: plan.answers = [(.at(place), .corrupt)]
        case .answerLate: plan.answers = [(.at(place), .late(.milliseconds(450)))]
        }
        return plan
      }

      func places(_ places: FaultPlaces) -> Int {
        switch self {
        case .commandLost, .commandDamaged: places.commands
        case .answerLost, .answerDamaged, .answerLate: places.answers
        }
      }
    }

    @Test(
      "finds the tag with a fault on any of its frames, when it is the only look, too",
      arguments: ["classic1k"])
    func faults(product: String) throws {
      let trial = try Bench(product)
      let reader = try trial.open(speed: .fixed(.baud115200))
      let before = trial.board.places
      let tag = try reader.waitForTag(timeout: .zero) { false }
      let after = trial.board.places
      reader.close()
      for fault in Fault.allCases {
        let places = fault.places(before)..<fault.places(after)
        #expect(places.count >= 4)
        for place in places {
          let bench = try Bench(product, faults: fault.plan(at: place))
          let reader = try bench.open(speed: .fixed(.baud115200))
          let found = Result { try reader.waitForTag(timeout: .zero) { false } }
          #expect((try? found.get()) == tag, "\(fault) at \(place): \(found)")
          // And it is there to be worked with.
          #expect(throws: Never.self) { try reader.reselect(tag) }
          reader.close()
        }
      }
    }

    @Test("A tag that something else has left in HALT is found after some looks")
    func halted() throws {
      let bench = try Bench("classic1k")
      let reader = try bench.open()
      try reader.prepare()
      bench.board.exclusively { chip in
        _ = chip.process(command: Command.listTypeA(limit: 2).bytes)
        chip.field.present[0].halt()
      }
      // It takes the field away once; a look takes 4 ms or more, and it waits a second before that.
      let count = try bench.commands {
        _ = try reader.waitForTag(timeout: .seconds(60)) { false }
      }
      #expect(count <= 400)
      reader.close()
    }
  }
}
