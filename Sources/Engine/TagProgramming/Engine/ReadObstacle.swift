import TagMemory

/// Why a tag does not show what stands where its message belongs, and what would open it.
public struct ReadObstacle: Hashable, Sendable {
  /// What it does not show.
  package enum Extent: Hashable, Sendable {
    /// From this page on.
    case pages(from: Page)
    case sectors([Sector])
    case blocks([UInt16])
    /// Sector 1, where its user memory is not next to that of sector 0.
    case nextSector
    /// The file of the message, or what leads to it.
    case file
  }

  /// An opener is what would take an obstacle away.
  public enum Opener: String, Hashable, Sendable, CaseIterable {
    /// A password.
    case password
    /// The chip's key: of an Ultralight C or AES.
    case key
    /// A key A or B that was not given.
    case sectorKey
    /// The public key A in place of the one that the sector has, which was found.
    case publicKey
    /// Key A.
    case keyA
    /// Key B.
    case keyB
    /// A key of the file or of its application.
    case fileKey
    /// The card key of a FeliCa Lite-S.
    case cardKey
    /// Other rights than what the tag says of itself gives readers.
    case rights
    /// Nothing: nobody can read it, ever.
    case nothing
    /// Not known.
    case unknown
  }

  /// The opener is what would take the obstacle away.
  public let opener: Opener
  package let extent: Extent
  /// The length in bytes that the message has, by what was read of it; nil where that is not known.
  public let length: Int?
  /// What the tag said: a clause.
  package let answer: String?

  init(_ extent: Extent, _ opener: Opener, length: Int? = nil, answer: String? = nil) {
    (self.extent, self.opener, self.length, self.answer) = (extent, opener, length, answer)
  }
}

extension ReadObstacle: CustomStringConvertible {
  /// The description says what does not show, and what would open it: a sentence without its stop.
  public var description: String {
    "\(what) \(how)" + (answer.map { " (\($0))" } ?? "")
  }

  private var isOne: Bool {
    switch extent {
    case .pages: false
    case .sectors(let sectors): sectors.count == 1
    case .blocks(let blocks): blocks.count == 1
    case .file, .nextSector: true
    }
  }

  private var what: String {
    switch extent {
    case .pages(let page): "\(page) and later pages"
    case .sectors(let sectors): ClassicWords.list(sectors).lowercased()
    case .blocks(let blocks):
      "\(isOne ? "block" : "blocks") "
        + blocks.map(LiteMemory.text).joined(separator: ", ")
    case .nextSector: "the rest of the message, which lies in sector 1 of the tag's memory,"
    case .file: "the file of the message"
    }
  }

  private var how: String {
    if extent == .nextSector { return "is not read by this program" }
    return switch opener {
    case .password: "can be read only with the tag's password"
    case .key: "can be read only with the tag's key"
    case .sectorKey:
      isOne ? "opens with none of the keys tried" : "open with none of the keys tried"
    case .publicKey:
      "\(isOne ? "opens" : "open") with another key than the public one that readers try"
    case .keyA: "can be read only with key A"
    case .keyB: "can be read only with key B"
    case .fileKey: "can be read only with a key of the tag"
    case .cardKey: "can be read only with the card key"
    case .rights: "\(isOne ? "is" : "are") closed to readers by what the tag says of itself"
    case .nothing:
      "can be read by nobody: \(extent == .file ? "its access rights forbid" : "the access bits forbid") it"
    case .unknown:
      "\(isOne ? "does" : "do") not show, and what would open \(isOne ? "it" : "them") is not known: a password, perhaps"
    }
  }

  /// What is said of a tag that does not show its message: full sentences.
  package var sentence: String {
    "The tag does not show what it holds: \(self)."
  }
}
