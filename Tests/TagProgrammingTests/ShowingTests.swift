import TagMemory
import Testing

@testable import TagProgramming

@Suite("What a plan says that the tag shows between its steps")
struct ShowingTests {
  /// What the plan said before a step, and what a reader of its own found then.
  private struct Look {
    let step: String
    let shows: Shows?
    let found: TagImage.Content
    /// What it found before the plan was begun.
    let old: TagImage.Content
  }

  @Test("is what a reader finds", arguments: TagTrial.all)
  func truthful(_ trial: TagTrial) throws {
    for (name, job, credentials) in trial.jobs {
      try check(job, name, knowing: credentials, on: trial.tag) {
        trial.family.content($0, trial.tag.product)
      }
    }
  }

  @Test("a part that nobody can undo says so")
  func undoing() throws {
    let report = try Bench("ultralight-ev1-11").run(
      PreparedTag.write {
        $0.protection = Protection(password: [1, 2, 3, 4])
        $0.lock = true
      }
    ) { $0.dryRun = true }
    let phases = try #require(report.program?.phases)
    #expect(phases.map(\.kind) == [.message, .protection, .locks])
    // The capability container of a blank tag, and the locks.
    #expect(phases.map(\.canBeUndone) == [false, true, false])
  }

  private func check(
    _ job: Job, _ name: String, knowing credentials: Credentials, on tag: PreparedTag,
    _ content: @escaping ([UInt8]) -> TagImage.Content
  ) throws {
    let bench = try tag.bench()
    var looks: [Look] = []
    var program = TagProgram()
    var old = content(bench.memory)
    let report = bench.run(
      job, { $0.credentials = credentials },
      tell: { progress in
        switch progress {
        case .planned(let planned): (program, old) = (planned, content(bench.memory))
        case .step(let number, _, let step):
          looks.append(
            Look(
              step: "\(step)", shows: program.phase(of: number - 1)?.shows(before: number - 1),
              found: content(bench.memory), old: old))
        default: break
        }
      })
    guard report.failure == nil else { return }
    let new = content(bench.memory)
    for look in looks {
      let isTrue =
        switch look.shows {
        // What lay behind a directory or a sector that readers could not go by comes back with
        // that.
        case .oldMessage: look.found == look.old || !look.old.isMessage && look.found.isMessage
        case .newMessage: look.found == new
        case .emptyMessage: look.found == .message([])
        case .noMessage: look.found == .rubbish
        case .notNDEF: look.found == TagImage.Content.none
        case .halfDirectory, nil: true
        }
      #expect(
        isTrue,
        "\(name), \(tag.testDescription), before \(look.step): \(look.shows as Any), found \(look.found)"
      )
    }
  }
}

extension TagImage.Content {
  fileprivate var isMessage: Bool { if case .message = self { true } else { false } }
}
