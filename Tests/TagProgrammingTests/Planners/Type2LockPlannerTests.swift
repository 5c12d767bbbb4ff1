import TagMemory
import Testing

@testable import TagProgramming

/// NTAG213/215/216, 8.5.2 and 8.5.3: page 2 bytes 2 and 3, page 40 bytes 0 to 2. MF0ICU1, 7.5.2.
@Suite("The steps of locking a Type 2 tag")
struct Type2LockPlannerTests {
  private static let rows = [
    PlanRow(
      "an NTAG213: capability container, pages 16 to 39, pages 3 to 15, each with its block-locking bits",
      { () throws(JobFailure) in try plan(Pages.ntag213) },
      gives: """
        write p3 e110120f lock
        read p3 e110120f
        write p40 ff0f3f00 lock
        read p40 ff0f3f??
        write p2 0000ffff lock
        read p2 0448ffff
        """),
    PlanRow(
      "an Ultralight, whose writes may be torn: all lock bits before a block-locking bit freezes any",
      { () throws(JobFailure) in
        try plan(Pages.with(Pages.ultralight, [3: "e1100600"]))
      },
      gives: """
        write p3 e110060f lock
        read p3 e110060f
        write p2 0000f8ff lock
        read p2 0448f8ff
        write p2 0000ffff lock
        read p2 0448ffff
        """),
    PlanRow(
      "what is locked already is not written",
      { () throws(JobFailure) in
        try plan(Pages.with(Pages.ntag213, [3: "e110120f", 40: "ff0f3fbd"]))
      },
      gives: """
        write p2 0000ffff lock
        read p2 0448ffff
        """),
    PlanRow(
      "one that is locked needs nothing",
      { () throws(JobFailure) in
        try plan(
          Pages.with(Pages.ntag213, [2: "0448ffff", 3: "e110120f", 40: "ff0f3fbd"]))
      }, gives: ""),
    PlanRow(
      "a page that is open for good: its block-locking bit is set, its lock bit is not",
      { () throws(JobFailure) in try plan(Pages.with(Pages.ntag213, [2: "04480200"])) },
      isRefused: .refused),
  ]

  private static func plan(_ state: Type2State) throws(JobFailure) -> TagProgram {
    try Type2LockPlanner(state: state, meaning: state).plan()
  }

  @Test("by the table", arguments: rows) func table(_ row: PlanRow) { row.check() }
}
