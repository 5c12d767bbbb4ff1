import TagMemory
import Testing

@testable import TagProgramming

/// The tags of one family in every state, the jobs that it knows, and how a reader that shares no
/// code with them reads its memory: a row for each family, which the tests of plans go through.
struct TagTrials: Sendable {
  let tags: [PreparedTag]
  let jobs: [(name: String, job: Job)]
  /// What the operator may know of such a tag, besides nothing.
  let knowing: @Sendable (PreparedTag) -> [(name: String, credentials: Credentials)]
  let content: @Sendable (_ memory: [UInt8], _ product: String) -> TagImage.Content

  static let all = [classic, type2, felica, type4]

  private static let classic = TagTrials(
    tags: PreparedTag.classics, jobs: PreparedTag.classicJobs,
    knowing: { tag in
      guard tag.name.contains("closed") || tag.name.contains("key B") else { return [] }
      return [("the keys", Credentials(keys: [FaultCase.ownKeyB, PreparedTag.strangeKey]))]
    },
    content: { memory, _ in TagImage.content(ofClassic: memory) })

  private static let type2 = TagTrials(
    tags: PreparedTag.type2, jobs: PreparedTag.type2Jobs,
    knowing: { tag in
      guard tag.name.hasPrefix("protected") else { return [] }
      return [
        ("the password", Credentials(password: PreparedTag.password)),
        ("a wrong password", Credentials(password: [1, 2, 3, 4])),
      ]
    },
    content: { memory, _ in TagImage.content(ofType2: memory) })

  private static let felica = TagTrials(
    tags: PreparedTag.felica, jobs: PreparedTag.felicaJobs, knowing: { _ in [] },
    content: { memory, _ in
      // The attribute block of an NDEF tag may be none, or say that a message is being written.
      let isNDEF = memory[21 * 16 + 3] & 1 == 1
      let content = TagImage.content(ofFeliCa: memory)
      return isNDEF && (content == .none || memory[9] != 0) ? .rubbish : content
    })

  private static let type4 = TagTrials(
    tags: PreparedTag.type4, jobs: PreparedTag.type4Jobs,
    knowing: { tag in
      guard tag.name.contains("key") else { return [] }
      return [("the key", Credentials(cardKeys: [PreparedTag.cardKey]))]
    },
    content: { TagImage.content(ofType4: $0, product: $1) })
}

/// One tag of a family.
struct TagTrial: CustomTestStringConvertible, Sendable {
  let tag: PreparedTag
  let family: TagTrials

  var testDescription: String { tag.testDescription }

  static let all = TagTrials.all.flatMap { family in
    family.tags.filter { Exhaustive.includes($0.testDescription) }
      .map { TagTrial(tag: $0, family: family) }
  }

  /// Each job that is tried on it, with all that the operator may know.
  var jobs: [(name: String, job: Job, credentials: Credentials)] {
    let knowing =
      [("", Credentials())] + family.knowing(tag).map { (" with \($0.name)", $0.credentials) }
    return tag.some(of: family.jobs).flatMap { name, job in
      knowing.map { (name + $0.0, job, $0.1) }
    }
  }
}
