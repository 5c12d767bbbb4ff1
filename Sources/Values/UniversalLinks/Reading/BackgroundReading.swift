import NDEF
import WebAddress

/// A reading says what an iPhone does with a tag while no app reads tags: background tag reading.
///
/// It takes the first record of well-known type `U` and shows a notification; a tap on it opens
/// what `handler` says. It does so on iPhone XS, XR and later, with the screen on, once unlocked
/// since it was started, and not while a Core NFC session, Wallet or the camera is in use or in
/// airplane mode. developer.apple.com, Adding support for background tag reading.
public struct BackgroundReading: Hashable, Sendable {
  /// A handler opens the URI.
  public enum Handler: Hashable, Sendable {
    /// The app that a site association names for it, otherwise the browser.
    case webLink
    /// An app of the system, by its name.
    case system(String)
  }

  /// The carrier is what is known of the tag beside its message.
  public struct Carrier: Hashable, Sendable {
    /// Is true if the tag is of one of the NFC Forum's types, which a MIFARE Classic is not.
    package var isForumTag: Bool
    /// Says whether the tag puts its UID or counter over a part of the URI when it is read.
    package var mirrorOverlapsURI: Bool
    /// Is true if a record of the message was in chunks, which are joined in a `Message`.
    package var wasChunked: Bool
    /// What stands on it where a message belongs.
    package var holding: Holding
    /// What to do with it where that is not to format it, because it may be a card that somebody
    /// uses for something else: a bank card, a key card, a telephone.
    package var caution: String?

    /// Without arguments, a tag of the NFC Forum that holds nothing but its message.
    public init(
      isForumTag: Bool = true, mirrorOverlapsURI: Bool = false, wasChunked: Bool = false,
      isNDEF: Bool = true
    ) {
      self.isForumTag = isForumTag
      self.mirrorOverlapsURI = mirrorOverlapsURI
      self.wasChunked = wasChunked
      holding = isNDEF ? .message : .unformatted
    }
  }

  /// What stands where a message belongs, as far as a telephone can tell.
  package enum Holding: Hashable, Sendable {
    /// A message, an empty one too.
    case message
    /// The tag is not formatted for NDEF.
    case unformatted
    /// It is not, and cannot be: a card that no command gives an NDEF application.
    case unformattable
    /// It is not, and holds data of another kind.
    case otherData
    /// The tag does not show it; `reason`: a sentence without its stop.
    case unreadable(reason: String)
    /// Nobody has looked.
    case unknown
  }

  /// The record that is taken; the first is 0.
  package private(set) var recordIndex: Int?
  /// The URI in that record.
  public private(set) var uri: String?
  /// This is the URI, split into its parts.
  package private(set) var link: Address?
  /// The handler is what opens the URI; nil when nothing does.
  public private(set) var handler: Handler?
  /// Why not, and what may go wrong. The link's own findings are among them.
  public private(set) var findings: [Finding] = []
  /// Says whether somebody gives the link, or a tag holds it.
  private var origin = Address.Origin.tag

  /// Judges what an iPhone does with a tag that holds `message`; nil for a tag that holds none.
  public init(_ message: Message?, carrier: Carrier = Carrier()) {
    self.init(message, carrier, .tag)
  }

  private init(_ message: Message?, _ carrier: Carrier, _ origin: Address.Origin) {
    self.origin = origin
    guard carrier.holding == .message else {
      reportMissing(carrier)
      return
    }
    guard let records = message?.records, records != [Record.empty] else {
      report(.emptyTag, .tag, "The tag is empty, so an iPhone does nothing. Write a URI record.")
      return
    }
    guard let index = records.firstIndex(where: Self.isURI) else {
      report(.noURIRecord, .tag, Self.noURIMessage)
      findings += records.enumerated().map { finding(about: $1, at: $0) }
      return
    }
    recordIndex = index
    read(records, at: index)
    judge(carrier)
  }

  /// Judges what an iPhone does with a tag that holds the message in `bytes`, none when they are
  /// empty: as they lie, with chunks noticed, and the URI named that a damaged message still shows.
  public init(parsing bytes: some Collection<UInt8>, carrier: Carrier = Carrier()) {
    let raw = RawMessage(parsing: bytes)
    var carrier = carrier
    if raw.isChunked { carrier.wasChunked = true }
    guard carrier.holding == .message, !bytes.isEmpty else {
      self.init(nil, carrier: carrier)
      return
    }
    if raw.faults.isEmpty, let message = try? Message(parsing: bytes) {
      self.init(message, carrier: carrier)
      return
    }
    let reason = raw.faults.first.map { "\($0)" } ?? "its records break the rules"
    let records = raw.joinedRecords()
    self.init(damaged: reason)
    guard let index = records.firstIndex(where: Self.isURI) else { return }
    read(records, at: index)
    // Who refuses the message as a whole never comes to the link.
    handler = nil
  }

  /// Judges what an iPhone does with a tag whose message is damaged; `reason`: a clause.
  public init(damaged reason: String) {
    report(
      .malformedMessage, .tag,
      """
      The message on the tag is damaged (\(reason)). An iPhone is not sure to find anything in it: \
      write the message again.
      """)
  }

  /// Says why there is no message to go by.
  private mutating func reportMissing(_ carrier: Carrier) {
    let caution = carrier.caution
    switch carrier.holding {
    case .message: break
    case .unreadable(let reason):
      report(
        .unreadableTag, .tag,
        """
        The tag does not show what it holds to an iPhone, which gives no password and no key: \(reason).\
        \(caution.map { " \($0)" } ?? "")
        """)
    case .unknown:
      report(.unreadableTag, .tag, "Nobody has looked what the tag holds.")
    case .unformatted:
      report(
        .notNDEF, .tag,
        "The tag is not formatted for NDEF, so an iPhone finds nothing on it. \(caution ?? "Format it first.")"
      )
    case .unformattable:
      report(
        .notNDEF, .tag,
        """
        The card has no NDEF application that a telephone can use, and no command here gives it one, so an iPhone \
        finds nothing on it. \(caution ?? "Use another tag.")
        """)
    case .otherData:
      report(
        .foreignData, .tag,
        """
        The tag holds data that are not NDEF, so an iPhone finds nothing on it. Another program may use them: \
        formatting the tag for NDEF destroys them.
        """)
    }
  }

  /// Judges what an iPhone does with a tag that is to hold one URI record, for `uri`: what no
  /// command would write is no link.
  public init(uri: String, carrier: Carrier = Carrier()) {
    do throws(NDEFError) {
      let record = try URIRecord(uri).record
      self.init(Message(record), carrier, .given)
    } catch {
      self.init(unwritable: uri, error)
    }
  }

  private init(unwritable uri: String, _ error: NDEFError) {
    self.uri = uri
    report(.notAURL, .url, "The URI cannot be written: \(error.fault).")
  }

  /// The App Clip that the link names, where it is one that Apple makes for App Clips.
  package var defaultClip: String? {
    handler == .webLink ? link.flatMap(LinkCheck.defaultClip) : nil
  }

  static func isURI(_ record: Record) -> Bool {
    record.typeNameFormat == .wellKnown && record.typeName == "U"
  }

  private mutating func report(_ code: Finding.Code, _ place: Finding.Place, _ message: String) {
    findings.append(Finding(code, place, message))
  }
}

// MARK: The URI record

extension BackgroundReading {
  private mutating func read(_ records: [Record], at index: Int) {
    let uri: String
    do throws(NDEFError) {
      uri = try URIRecord(parsing: records[index]).uri
    } catch {
      self.uri = URIRecord.salvage(records[index])
      report(
        .uriMalformed, .record(index),
        """
        The first URI record is malformed (\(error)). What an iPhone makes of it is not known: \
        write the record again.
        """)
      return
    }
    self.uri = uri
    if index > 0 {
      report(
        .uriNotFirst, .record(index),
        """
        The URI is record \(index + 1). Apple's text says that the first URI record is used, some \
        say that only the first record is looked at: put the URI first.
        """)
    }
    if let other = records.indices.dropFirst(index + 1).first(where: { Self.isURI(records[$0]) }) {
      report(
        .furtherURIs, .record(other),
        "There are several URI records. The first is used, this one is not: keep one.")
    }
    do throws(AddressError) {
      let link = try Address(parsing: uri, from: origin)
      self.link = link
      choose(link)
    } catch {
      findings.append(Lint.finding(for: error))
    }
  }

  private mutating func choose(_ link: Address) {
    guard let row = SchemeTable.row(for: link.scheme) else {
      report(
        .unsupportedScheme, .url,
        """
        Background reading does not support \(link.scheme): links; no notification appears. An app \
        is woken by an https link that its domain's site association names.
        """)
      return
    }
    if let opener = row.opener ?? (link.host == SchemeTable.mapsHost ? "Maps" : nil) {
      handler = .system(opener)
      report(
        .notAWebLink, .url,
        "This link opens \(opener), an app of the system, and wakes no other.")
      if !row.isDocumented {
        report(
          .undocumentedScheme, .url,
          """
          \(link.scheme): links are reported to work, but Apple's table does not list them: this \
          may change.
          """)
      }
      return
    }
    findings += Lint.findings(link)
    if link.host?.isEmpty == false { handler = .webLink }
  }

  /// What is said of a link on a MIFARE Classic.
  package static let classicCarrier = Finding(
    .classicCarrier, .tag,
    """
    The tag is a MIFARE Classic. Apple documents NFC Forum tags of types 1 to 5, which it is not, \
    and reports of iPhones that read it contradict each other: use an NTAG.
    """)

  private mutating func judge(_ carrier: Carrier) {
    if carrier.wasChunked {
      handler = nil
      report(
        .chunked, .tag,
        """
        A record of the message is in chunks. An iPhone hands chunks on as they are and finds no \
        whole URI record: write the message again, in one piece.
        """)
    }
    if !carrier.isForumTag { findings.append(Self.classicCarrier) }
    if carrier.mirrorOverlapsURI {
      report(
        .mirrorInURI, .tag,
        """
        The tag writes its UID or counter over a part of the URI whenever it is read, so each tag \
        gives another link. Check the link as a reader sees it, or see that a pattern takes it.
        """)
    }
  }
}
