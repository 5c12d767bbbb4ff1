import TagMemory

extension TagProgram {
  /// One thing that is done on a tag: what, and where.
  ///
  /// A step is one command to the tag, or as few as the reader needs. Which they are, and what they
  /// cost, is for the tag's family to say.
  public struct Step: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
      /// Make the tag let read or write what only this credential lets.
      case authenticate(Credential)
      /// Write these bytes.
      case write([UInt8], Purpose)
      /// Read from the place on; the bytes that are not nil must be there.
      case check([UInt8?])
      /// Read from the place on: behind `skipping` bytes, `count` capital hexadecimal digits must
      /// be there, whichever they are.
      case checkDigits(skipping: Int, count: Int)
      /// Select the tag again, give no password and write the place, which holds these bytes: the
      /// tag must refuse.
      case checkRefusal([UInt8])
      /// Select the tag again and read from the place on, as whoever has no key: the bytes are
      /// there, and prove the tag.
      case prove(SUNExpectation)
      /// A change of the tag that is no plain write.
      case perform(FamilyCommand, Purpose)
    }

    package let place: Place
    package let action: Action

    package init(_ action: Action, at place: Place) {
      (self.action, self.place) = (action, place)
    }
  }

  /// What a tag asks for before it lets something be done.
  package enum Credential: Hashable, Sendable {
    /// A key of a MIFARE Classic sector.
    case key(KeyCandidate)
    /// The password of a Type 2 tag, which must answer with this acknowledge, where its bytes are
    /// not nil; a key of 16 bytes has none.
    case password([UInt8], pack: [UInt8?])
    /// A key of a DESFire application, by its number: two-key or three-key triple DES, or AES.
    case desFire(number: UInt8, key: DESFireKey)

    /// How many bytes it has that nobody may see.
    package var byteCount: Int {
      switch self {
      case .key(let candidate): candidate.key.bytes.count
      case .password(let password, _): password.count
      case .desFire(_, let key): key.bytes.count
      }
    }
  }

  /// What one family of tags does by a command of its own: create a file, change settings.
  package struct FamilyCommand: Hashable, Sendable {
    /// What it does, for people: `create file E104 of 4096 bytes`. Nothing in it is secret.
    package let name: String
    /// The commands to the tag, each as it is before a session wraps it.
    package let frames: [[UInt8]]

    package init(_ name: String, _ frames: [[UInt8]]) {
      (self.name, self.frames) = (name, frames)
    }
  }
}

extension TagProgram.Step {
  /// Is true if the step changes the tag.
  public var isWrite: Bool { purpose != nil }

  /// Says whether it only looks at what the tag holds, or refuses.
  package var isCheck: Bool {
    switch action {
    case .check, .checkDigits, .checkRefusal, .prove: true
    case .authenticate, .write, .perform: false
    }
  }

  /// What it is written for; nil for a step that writes nothing.
  package var purpose: TagProgram.Purpose? {
    switch action {
    case .write(_, let purpose), .perform(_, let purpose): purpose
    case .authenticate, .check, .checkDigits, .checkRefusal, .prove: nil
    }
  }

  /// The bytes that it writes, and where; nil for a step that is no plain write.
  package var written: (place: Place, bytes: [UInt8])? {
    if case .write(let bytes, _) = action { (place, bytes) } else { nil }
  }

  /// The bytes that must be found, and where; nil for a step that reads nothing.
  package var checked: (place: Place, bytes: [UInt8?])? {
    if case .check(let bytes) = action { (place, bytes) } else { nil }
  }

  /// Is true if this step can never be undone.
  public var isIrreversible: Bool {
    switch purpose {
    case .capabilityContainer, .lock, .raw(isIrreversible: true): true
    default: false
    }
  }

  /// Returns whether byte `index` of what it writes or reads is one of a key or password.
  package func isSecret(_ index: Int) -> Bool { purpose == .secret || place.holdsKey(at: index) }
}
