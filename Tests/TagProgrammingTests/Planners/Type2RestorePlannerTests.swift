import TagMemory
import Testing

@testable import TagProgramming

@Suite("The steps of a dump onto a Type 2 tag")
struct Type2RestorePlannerTests {
  private static let written = Pages.with(Pages.ntag213, [5: "340306d1 01025504 61fe0000"])
  private static let dump = Pages.image(of: written)

  private static let rows = [
    PlanRow(
      "onto one as delivered: like a message, its length last, all user memory read back",
      { () throws(JobFailure) in try plan(Pages.ntag213, dump) },
      gives: """
        write p7 61fe0000 content
        write p6 01025504 content
        write p5 340306d1 switchOn
        read p4 0103a00c340306d10102550461fe…144
        """),
    PlanRow(
      "onto another message, which is switched off first",
      { () throws(JobFailure) in
        try plan(Pages.with(Pages.ntag213, [5: "340307d1 01035504 6162fe00"]), dump)
      },
      gives: """
        write p5 340300fe switchOff
        write p7 61fe0000 content
        write p6 01025504 content
        write p5 340306d1 switchOn
        read p4 0103a00c340306d10102550461fe…144
        """),
    PlanRow(
      "the tag's own needs nothing", { () throws(JobFailure) in try plan(written, dump) },
      gives: ""),
    PlanRow(
      "locks and capability container stay without the operator's leave",
      { () throws(JobFailure) in try plan(written, protected) }, gives: ""),
    PlanRow(
      "and with it follow in the order of raw pages",
      { () throws(JobFailure) in try plan(written, protected, force: true) },
      gives: """
        write p3 e110120f rawForGood
        read p3 e110120f
        write p40 010000bd rawForGood
        read p40 010000??
        write p2 04480800 rawForGood
        read p2 ????0800
        """),
    PlanRow(
      "a password that the dump holds goes like one that is set",
      { () throws(JobFailure) in
        try plan(
          written, Pages.image(of: written, [41: "04000004 00050000 a55ac33c 01020000"]),
          force: true)
      },
      gives: """
        write p43 a55ac33c secret
        write p44 01020000 secret
        password a55ac33c 0102
        write p41 04000004 configuration
        read p41 04000004
        """),
    PlanRow(
      "protection with a password that the dump does not hold would shut the tag, and stays off",
      { () throws(JobFailure) in
        try plan(written, Pages.image(of: written, [41: "04000004"]), force: true)
      }, gives: ""),
    PlanRow(
      "a page that would have to change and is locked for good",
      { () throws(JobFailure) in
        try plan(Pages.with(Pages.ntag213, [2: "04484000"]), dump)
      }, isRefused: .refused),
    PlanRow(
      "a capability container that the tag can never have",
      { () throws(JobFailure) in
        try plan(Pages.with(written, [3: "e1103e00"]), dump, force: true)
      }, isRefused: .refused),
    PlanRow(
      "a dump of another chip",
      { () throws(JobFailure) in try plan(Pages.ultralight, dump) }, isRefused: .badInput),
  ]

  private static let protected = Pages.image(
    of: written, [2: "04480800", 3: "e110120f", 40: "010000bd"])

  private static func plan(_ state: Type2State, _ image: MemoryImage, force: Bool = false)
    throws(JobFailure) -> TagProgram
  {
    try Type2RestorePlanner(
      state: state, meaning: state, uid: Pages.uid, job: Restore(image, force: force)
    ).plan()
  }

  @Test("by the table", arguments: rows) func table(_ row: PlanRow) { row.check() }
}
