import Bench
import NDEF
import TagMemory
import UniversalLinks

/// What every link that a board plays is held to; the files that say so are read once.
struct LinkDemands: Sendable {
  private let link: LinkPolicy?
  private let android: AndroidLinkPolicy?
  private let console: Console
  private let consequence: String

  /// Fails as the policies do. `consequence`: what becomes of a link that is refused.
  init(
    _ link: LinkOptions, _ android: AndroidOptions, _ console: Console,
    otherwise consequence: String
  ) throws(BenchError) {
    self.link = link.isGiven ? try link.load() : nil
    self.android = try android.load(link)
    (self.console, self.consequence) = (console, consequence)
  }

  /// A link, checked as by `write-url`, and what stands behind it.
  func message(of url: String, _ others: [Record] = []) throws(BenchError) -> Message {
    let (message, uri, made) = try made(of: url, others)
    var remarks = made
    remarks.link = try insist(on: BackgroundReading(uri: uri))
    remarks.android = try android?.insist(on: message, otherwise: consequence)
    remarks.show(on: console)
    return message
  }

  /// A message whose link has stand-ins for what a tag fills in: only made.
  func template(of url: String, _ others: [Record]) throws(BenchError) -> Message {
    let (message, _, remarks) = try made(of: url, others)
    remarks.show(on: console)
    return message
  }

  /// What a tag shows of a template: it must wake the app whatever the tag fills in.
  func insist(on message: VaryingMessage) throws(BenchError) {
    let remarks = InputRemarks(
      LinkVerdicts(iphone: link?.check(message), android: android?.check(message)))
    try remarks.link?.insist(otherwise: consequence)
    try remarks.android?.insist(otherwise: consequence)
    remarks.show(on: console)
  }

  private func made(
    of url: String, _ others: [Record]
  ) throws(BenchError) -> (message: Message, uri: String, remarks: InputRemarks) {
    guard !SDMTemplate.isPresent(in: url) else {
      throw BenchError(
        .badInput,
        "The URL has a place that an NTAG 424 DNA fills in, such as {picc}: give it to --url, with --sdm --keys FILE. \(consequence)"
      )
    }
    guard !MirrorTemplate.isPresent(in: url) else {
      throw BenchError(
        .badInput,
        "The URL has a place that an NTAG 21x fills in, such as {mirror:uid}, and a board that plays a tag does not. \(consequence)"
      )
    }
    let (record, remarks) = try MessageArguments.link(url)
    let message: Message
    do throws(NDEFError) {
      message = try Message([record.record] + others)
    } catch {
      throw BenchError(.badInput, "\(sentence("\(error)")) \(consequence)")
    }
    return (message, record.uri, remarks)
  }

  /// A message as it lies in a file: its first link, and all of it.
  func insist(onMessage bytes: [UInt8]) throws(BenchError) {
    var remarks = InputRemarks()
    remarks.link = try insist(on: BackgroundReading(parsing: bytes))
    if let android {
      do throws(NDEFError) {
        remarks.android = try android.check(Message(parsing: bytes))
      } catch {
        throw BenchError(.badInput, "\(sentence("\(error)")) \(consequence)")
      }
      try remarks.android?.insist(otherwise: consequence)
    }
    remarks.show(on: console)
  }

  private func insist(on reading: BackgroundReading) throws(BenchError) -> LinkCheck? {
    guard let check = link?.check(reading) else { return nil }
    try check.insist(otherwise: consequence)
    return check
  }
}
