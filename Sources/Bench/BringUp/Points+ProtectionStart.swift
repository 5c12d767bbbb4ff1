import PN532
import Readers

/// A blank NTAG that was given to be written: when its protection begins to count.
extension BoardQuestions {
  static let protectionStart = BringUpPoint(
    name: "protection-start",
    question: "Does a change of AUTH0 count at once?",
    expected: "READ of page 4 is refused as soon as PROT = 1 and AUTH0 = 2 are written",
    wish: .blankType2,
    place: .init(
      module: "TagProgramming", file: "Families/Type2/Type2ProtectionPlanner.swift",
      type: "Type2ProtectionPlanner"),
    ask: { bench throws(ReaderError) in
      try withBlankTag(bench) { tag, evidence throws(ReaderError) in
        guard let delivered = try Delivered(tag, &evidence) else { return }
        // Whoever has proved the password does not feel the change.
        try bench.reset(patience: .communicationDefault)
        try bench.look()
        if try delivered.protect(tag) {
          try bench.exchange("at once", [0x30, 0x04])
          try bench.reset(patience: .communicationDefault, isUndoing: true)
          try bench.look()
          try bench.exchange("later", [0x30, 0x04])
        }
        evidence.damage = delivered.openAgain(bench)
      }
    },
    judge: { evidence in
      guard let atOnce = evidence["at once"], let later = evidence["later"] else {
        return .unclear("the configuration does not keep what is written")
      }
      let seen = "READ of page 4: \(atOnce.outcome); after a field reset: \(later.outcome)"
      guard later.data?.count != 16 else {
        return .unclear("\(seen): the tag is not protected at all")
      }
      guard atOnce.data?.count == 16 else { return .passed(seen) }
      return .failed(
        seen,
        "The tag counts its protection only once it is selected again. No choice is needed. Send this report."
      )
    })
}
