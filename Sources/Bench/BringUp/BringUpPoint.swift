import Readers

/// One question to a board that nobody of ours has seen before: what is asked, what the code takes
/// for granted, and where in the code it does.
package struct BringUpPoint: Sendable {
  /// What `--point` takes.
  package var name: String
  /// A full sentence.
  package var question: String
  /// What a genuine board and tag answer: a clause.
  package var expected: String
  /// What has to lie on the reader.
  package var wish: TagWish
  /// The source that assumes the expected answer.
  package var place: CodePlace
  /// Is true if it is left out unless it is asked for by name, and why.
  package var onlyByName: String?
  /// Is true if it is about looks that may find nothing. Elsewhere a tag that was not found
  /// explains what looks like an answer.
  package var isAboutLooks = false
  /// Asks the board. Throws what ends the whole run.
  package var ask: @Sendable (BringUpBench) throws(ReaderError) -> Evidence
  /// Judges the answers: a pure function.
  package var judge: @Sendable (Evidence) -> Judgement

  /// What the answers mean, where the tag was found each time.
  package func judgement(of evidence: Evidence) -> Judgement {
    let isLost = !isAboutLooks && evidence.replies.contains { $0.found == 0 }
    let lost = "a look did not find the tag: see \(wish.fieldReset)"
    if let obstacle = evidence.obstacle { return .skipped(isLost ? lost : obstacle) }
    let judgement = judge(evidence)
    return isLost && judgement.verdict == .failed
      ? .unclear("\(judgement.seen); but \(lost)") : judgement
  }

  /// A place in the code.
  package struct CodePlace: Hashable, Sendable {
    package var module: String
    package var file: String
    package var type: String

    /// `Readers/Care.swift: Care`.
    package var text: String { "\(module)/\(file): \(type)" }
  }
}

/// What has to lie on the reader for a question.
package enum TagWish: Hashable, Sendable, CaseIterable {
  /// Nothing is needed.
  case nothing
  /// An Ultralight or NTAG, which is only read.
  case type2
  /// One that was given to be written, and holds nothing.
  case blankType2
  /// A MIFARE Classic, which is only read.
  case classic
  /// One that was given to be written, and holds nothing.
  case blankClassic
  /// One that was given to be written, holds nothing, and may be lost.
  case expendableClassic
  /// A card that speaks ISO-DEP and MIFARE Classic: SAK 28h or 38h.
  case smartMIFARE
  /// A card that speaks ISO-DEP, which is only read.
  case isoDEP
  /// A FeliCa tag, which is only read.
  case feliCa
  /// A card of type B, which is only read.
  case typeB
  /// A Topaz tag, which is only read.
  case topaz
  /// Two tags of type A at once.
  case twoTags
  /// A Type 2 tag and a MIFARE Classic at once.
  case mixedTags

  /// Is true if the tag is written, and put back as it was.
  package var isWritten: Bool {
    self == .blankType2 || self == .blankClassic || self == .expendableClassic
  }

  /// The point that asks whether such a tag is found each time.
  fileprivate var fieldReset: String {
    switch self {
    case .classic, .blankClassic, .expendableClassic, .smartMIFARE: "classic-field-reset"
    case .isoDEP: "type4-field-reset"
    case .feliCa: "felica-field-reset"
    case .typeB: "type-b-field-reset"
    case .topaz: "topaz-field-reset"
    case .nothing, .type2, .blankType2, .twoTags, .mixedTags: "field-reset"
    }
  }

  /// What a person is asked to do.
  package var request: String {
    switch self {
    case .nothing: "Leave the reader empty."
    case .type2: "Put an NTAG213, 215 or 216 on the reader, alone. It is only read."
    case .blankType2:
      "Put a BLANK NTAG213, 215 or 216 on the reader, alone. It is WRITTEN, then put back as it was."
    case .classic: "Put a MIFARE Classic 1K or 4K on the reader, alone. It is only read."
    case .blankClassic:
      "Put a BLANK MIFARE Classic on the reader, alone. It is WRITTEN, then put back as it was."
    case .expendableClassic:
      "Put a BLANK MIFARE Classic that may be DESTROYED on the reader, alone. It is WRITTEN, and you take it away five times meanwhile."
    case .smartMIFARE:
      "Put a smart card with MIFARE Classic in it (SAK 28 or 38) on the reader, alone. It is only read."
    case .isoDEP:
      "Put a Type 4 tag, such as a DESFire or an NTAG 424 DNA, on the reader, alone. It is only read."
    case .feliCa: "Put a FeliCa tag on the reader, alone. It is only read."
    case .typeB: "Put a card of type B on the reader, alone. It is only read."
    case .topaz: "Put a Topaz tag (Type 1) on the reader, alone. It is only read."
    case .twoTags: "Put two NTAG or MIFARE Classic tags on the reader together. They are only read."
    case .mixedTags:
      "Put an NTAG and a MIFARE Classic on the reader together. They are only read."
    }
  }

  /// Returns whether a look that found `tags` found what is wanted.
  package func isMet(by tags: [SeenTag]) -> Bool {
    switch self {
    case .nothing: true
    case .type2, .blankType2: tags.count == 1 && tags[0].kind == .type2
    case .classic, .blankClassic, .expendableClassic:
      tags.count == 1 && (tags[0].kind == .classic || tags[0].kind == .smartMIFARE)
    case .smartMIFARE: tags.count == 1 && tags[0].kind == .smartMIFARE
    case .isoDEP: tags.count == 1 && tags[0].kind == .isoDEP
    case .feliCa: tags.count == 1 && tags[0].kind == .feliCa
    case .typeB: tags.count == 1 && tags[0].kind == .typeB
    case .topaz: tags.count == 1 && tags[0].kind == .topaz
    case .twoTags: Set(tags.map(\.uid)).count == 2
    case .mixedTags: Set(tags.map(\.kind)).isSuperset(of: [.type2, .classic])
    }
  }
}

/// A tag as a look shows it.
package struct SeenTag: Hashable, Sendable {
  /// The UID of type A; the IDm of FeliCa, the PUPI of type B, the ID of a Topaz.
  package var uid: [UInt8]
  package var kind: Kind
  /// 0 where the tag is not of type A.
  package var sak: UInt8 = 0

  /// What can be asked of it.
  package enum Kind: Hashable, Sendable {
    case type2, classic, smartMIFARE, isoDEP, feliCa, typeB, topaz, other

    /// Of a tag of type A, by its SAK (AN10833).
    package init(sak: UInt8) {
      self =
        switch sak {
        case 0x00: .type2
        // A Fudan FM11RF08SH; Infineon's first ones.
        case 0x53, 0x01: .classic
        case _ where sak & 0x28 == 0x28: .smartMIFARE
        case _ where sak & 0x20 != 0: .isoDEP
        case _ where sak & 0x08 != 0: .classic
        default: .other
        }
    }
  }

  /// A tag of type A.
  package init(uid: [UInt8], sak: UInt8) {
    (self.uid, self.sak, kind) = (uid, sak, Kind(sak: sak))
  }

  /// A tag of another technology.
  package init(_ kind: Kind, uid: [UInt8]) { (self.kind, self.uid) = (kind, uid) }
}
