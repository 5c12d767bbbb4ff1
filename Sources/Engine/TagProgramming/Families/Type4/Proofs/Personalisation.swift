import TagMemory

/// How an NTAG 424 DNA comes to prove itself by its message. The places for its proofs are in the
/// message (`SDMTemplate`). Its text shows no key.
public struct Personalisation: Hashable, Sendable {
  /// The keys that the tag gets.
  package var keys: KeyRing
  /// The keys that it has, or had before an earlier run.
  package var before: KeyRing
  /// Where the code's input begins.
  package var codeInput: SDMTemplate.CodeInput
  /// Show another random UID each time, permanently.
  public var randomUID = false
  /// Use LRP in place of AES, permanently.
  public var usesLRP = false
  /// Let a TagTamper look at its loop, permanently.
  public var watchesTamperLoop = false

  /// `before` are the keys that the tag has: those of delivery, unless an earlier job gave others.
  public init(
    keys: KeyRing, before: KeyRing = .delivered, codeInput: SDMTemplate.CodeInput = .empty
  ) {
    (self.keys, self.before, self.codeInput) = (keys, before, codeInput)
  }
}

/// What was learnt of an NTAG 424 DNA that is to get keys, or give them back.
struct NTAG424State: Hashable {
  /// The true one, where it shows a random one.
  var uid: UID
  /// Of the keys 0 to 4.
  var versions: [UInt8] = []
  /// Which keys it has, by their numbers.
  var keys: [Held] = []
  /// The settings of the message's file; nil where they make no sense.
  var settings: NTAG424FileSettings?
  /// Says whether the tag looks at its loop; nil where it has none, or does not say.
  var isLoopWatched: Bool?
  /// The message's file as somebody reads it who has no key: all of it.
  var file: [UInt8] = []

  enum Held: Hashable {
    /// The one that the job gives it.
    case wanted
    /// The one that it had before.
    case before
    /// Neither.
    case unknown
  }

  /// The key that it has there; nil where none is known.
  func key(_ number: UInt8, _ job: Personalisation) -> AESKey? {
    switch keys[Int(number)] {
    case .wanted: job.keys.key(number, of: uid)
    case .before: job.before.key(number, of: uid)
    case .unknown: nil
    }
  }
}
