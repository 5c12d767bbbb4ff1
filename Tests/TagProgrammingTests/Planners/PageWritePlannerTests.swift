import TagMemory
import Testing

@testable import TagProgramming

/// NTAG213/215/216, 8.5: what each page is for; bits of pages 2, 3 and 40 are only ever added.
@Suite("The steps of raw pages onto a Type 2 tag")
struct PageWritePlannerTests {
  private static let rows = [
    PlanRow(
      "user memory, page by page, each read back",
      { () throws(JobFailure) in try plan(Pages.ntag213, 6, "01020304 05060708") },
      gives: """
        write p6 01020304 raw
        read p6 01020304
        write p7 05060708 raw
        read p7 05060708
        """),
    PlanRow(
      "what the page holds already is not written",
      { () throws(JobFailure) in try plan(Pages.ntag213, 5, "340300fe 05060708") },
      gives: """
        write p6 05060708 raw
        read p6 05060708
        """),
    PlanRow(
      "what can never be undone after what can, the locks last",
      { () throws(JobFailure) in
        try plan(Pages.ntag213, 2, "00000800 e1101201 01020304 05060708", force: true)
      },
      gives: """
        write p4 01020304 raw
        read p4 01020304
        write p5 05060708 raw
        read p5 05060708
        write p3 e1101201 rawForGood
        read p3 e1101201
        write p2 00000800 rawForGood
        read p2 ????0800
        """),
    PlanRow(
      "the password before what asks for it, AUTH0 last",
      { () throws(JobFailure) in
        try plan(Pages.ntag213, 41, "04000004 80050000 a55ac33c 01020000", force: true)
      },
      gives: """
        write p43 a55ac33c secret
        write p44 01020000 secret
        password a55ac33c 0102
        write p42 80050000 raw
        read p42 80050000
        write p41 04000004 raw
        read p41 04000004
        """),
    PlanRow(
      "CFGLCK freezes the configuration for good",
      { () throws(JobFailure) in try plan(Pages.ntag213, 42, "40050000", force: true) },
      gives: """
        write p42 40050000 rawForGood
        read p42 40050000
        """),
    PlanRow(
      "other pages than user memory without the operator's leave",
      { () throws(JobFailure) in try plan(Pages.ntag213, 3, "e1101201") },
      isRefused: .badInput),
    PlanRow(
      "the UID's pages, even with it",
      { () throws(JobFailure) in try plan(Pages.ntag213, 1, "01020304", force: true) },
      isRefused: .badInput),
    PlanRow(
      "pages behind the last one",
      { () throws(JobFailure) in try plan(Pages.ntag213, 44, "00000000 00000000", force: true)
      },
      isRefused: .badInput),
    PlanRow(
      "bytes that are no whole pages",
      { () throws(JobFailure) in try plan(Pages.ntag213, 6, "010203") }, isRefused: .badInput),
    PlanRow(
      "a page that is locked for good",
      { () throws(JobFailure) in
        // Lock bit of page 6.
        try plan(Pages.with(Pages.ntag213, [2: "04484000"]), 6, "01020304")
      }, isRefused: .refused),
  ]

  private static func plan(
    _ state: Type2State, _ start: Int, _ bytes: String, force: Bool = false
  ) throws(JobFailure) -> TagProgram {
    let job = PageWrite(start: start, bytes: hex(bytes), force: force)
    return try PageWritePlanner(state: state, meaning: state, job: job).plan()
  }

  @Test("by the table", arguments: rows) func table(_ row: PlanRow) { row.check() }
}
