import PN532
import Readers

/// The board as a tag, with nobody there who would read it.
extension BoardQuestions {
  static let targetPoint = BringUpPoint(
    name: "target-mode",
    question: "Does the chip wait as a tag for other readers, and look for tags again afterwards?",
    expected:
      "it takes TgInitAsTarget as an ISO-DEP card without FeliCa, waits, and obeys as a reader once it is woken",
    wish: .nothing,
    place: .init(
      module: "LibNFCReaders", file: "LibNFCLink+Target.swift", type: "LibNFCLink.becomeTag"),
    isAboutLooks: true,
    ask: { bench throws(ReaderError) in
      if let obstacle = bench.targetObstacle { return Evidence(obstacle: obstacle) }
      try bench.send("field off", .rfField(on: false))
      try bench.send("card", .playCard)
      try bench.send("type A alone", .writeRegister([(.mode, onlyTypeA)]))
      try bench.send("register", .readRegister([.mode]))
      var evidence = Evidence()
      let end = try bench.wait("tag", .tgInitAsTarget([0x12, 0x34, 0x56]), limit: patience)
      evidence.numbers["waited"] = end == .waited ? 1 : 0
      // The first command after a wait may be lost with it: emulate sends it again.
      try bench.send("woken", .releaseAll)
      try bench.send("release", .releaseAll)
      try bench.send("reader", .setParameters(automaticRATS: true))
      try bench.send("every mode", .writeRegister([(.mode, everyMode)]))
      try bench.lookAnew()
      return evidence
    },
    judge: { evidence in
      let advice = "The command emulate does not work with this board. Nothing else is affected."
      for name in ["field off", "card", "type A alone"] where evidence[name]?.answer == nil {
        return .failed("\(name): \(evidence[name]?.outcome ?? "nothing")", advice)
      }
      let waited = evidence.numbers["waited"] == 1
      // Whoever lies there, a telephone or another reader, may have selected it at once.
      let isSelected = evidence["tag"]?.answer.map { $0.first.map { $0 & 0x08 != 0 } ?? false }
      guard waited || isSelected == true else {
        return .failed("TgInitAsTarget: \(evidence["tag"]?.outcome ?? "nothing")", advice)
      }
      for name in ["release", "reader", "every mode", "look"] where evidence[name]?.answer == nil {
        return .failed(
          "afterwards, \(name): \(evidence[name]?.outcome ?? "nothing")",
          "Unplug the board once after emulate, so that it looks for tags again.")
      }
      guard evidence["register"]?.answer == [onlyTypeA] else {
        return .failed(
          "CIU_Mode holds \(evidence["register"]?.outcome ?? "nothing")",
          "Telephones that look for FeliCa first may find an empty tag of that kind in emulate.")
      }
      return .passed(
        waited
          ? "it waited as a tag, and looks for tags again; whether telephones read it only emulate shows"
          : "a reader selected it as a tag, and it looks for tags again")
    })

  /// The chip is given this long to refuse.
  private static let patience = Duration.milliseconds(300)
  /// CIU_Mode with the mode detector off, and as it is at reset.
  private static let (onlyTypeA, everyMode): (UInt8, UInt8) = (0x3F, 0x3B)
}
