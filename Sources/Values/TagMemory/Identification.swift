import Bytes

/// Finds out which product a tag is: a decision without input or output.
///
/// Whoever holds the reader looks at `next`, sends the probe it asks for, hands what came back to
/// `take(_:)`, and looks again. Nothing that a probe sends changes the tag.
///
///     var identification = Identification(target)
///     while case .probe(let probe) = identification.next {
///       if identification.needsSelection { /* select the tag again */ }
///       identification.take(/* what the tag answers to probe.command */)
///     }
package struct Identification: Hashable, Sendable {
  /// What to do now.
  package enum Step: Hashable, Sendable {
    /// Ask the tag this.
    case probe(Probe)
    /// The tag is this product.
    case identified(Product)
    /// Nothing here can deal with the tag; a sentence says why.
    case unknown(reason: String)
  }

  /// What came back from a probe.
  package enum Reply: Hashable, Sendable {
    /// Bytes, without CRC.
    case answer([UInt8])
    /// A NAK: four bits other than Ah.
    case refused
    /// No answer in time.
    case silence
  }

  /// What is to be done now.
  package private(set) var next: Step
  /// Is true if the tag has to be selected again before it takes another command: after a NAK, a
  /// command it does not know, and an authentication that was begun, a Type 2 tag falls back to
  /// IDLE or HALT.
  package private(set) var needsSelection = false
  /// The tag's answer to GET_VERSION, if it gave one.
  package private(set) var version: VersionAnswer?
  /// Sentences about what is odd, without deciding anything.
  package internal(set) var remarks: [String] = []

  let target: Target
  /// Pages 2 to 5 of a Type 2 tag, as far as they show; empty where nobody has asked for them.
  let head: [UInt8]
  /// Is true if the tag, asked for them, does not show its capability container: a chip without a
  /// password does.
  let hidesHead: Bool

  /// Starts with what the tag said of itself when it was activated, and with its pages 2 to 5 as
  /// far as they show; nil where nobody has asked for them.
  package init(_ target: Target, head: [UInt8]? = nil) {
    self.target = target
    self.head = head ?? []
    hidesHead = head.map { $0.count < 2 * Page.byteCount } ?? false
    if let sak = target.sak, let stranger = Family.strangers[sak] {
      remarks = [
        "SAK \(Hex.byte(sak).uppercased()) belongs to \(stranger); the program treats it as a MIFARE Classic."
      ]
    }
    if let sak = target.sak, sak & 0x60 == 0x60 {
      remarks.append(
        "It also supports NFC-DEP (SAK \(Hex.byte(sak).uppercased())): it is a phone or another device that emulates a card."
      )
    }
    next =
      switch Family(target) {
      case .classic(let product), .feliCa(let product): .identified(product)
      case .type2: .probe(.getVersion)
      case .type4: .identified(.type4)
      case .unknown(let reason): .unknown(reason: reason)
      }
  }

  /// Takes what came back from the probe that `next` asked for. Without a probe, does nothing.
  package mutating func take(_ reply: Reply) {
    guard case .probe(let probe) = next else { return }
    needsSelection = probe.upsetsSelection(reply)
    switch probe {
    case .getVersion:
      if case .answer(let bytes) = reply, let answer = try? VersionAnswer(parsing: bytes) {
        version = answer
        next = answer.product.map(Step.identified) ?? .probe(.read(0))
      } else {
        next = .probe(isLikeST25TN ? .read(44) : .authenticateUltralightC)
      }
    case .authenticateUltralightC, .read(41), .read(43), .read(44), .read(16), .read(15):
      next = stepOfSilentChip(after: probe, reply)
    case .read:
      next = stepOfUnknownChip(reply)
    }
    if case .identified(let product) = next { remark(on: product) }
  }

  private mutating func remark(on product: Product) {
    remarks += Self.remarks(on: product, of: target)
  }

  /// Says so when the UID names another maker than the product's.
  package static func remarks(on product: Product, of target: Target) -> [String] {
    guard let maker = target.uid.manufacturer else { return [] }
    if case .nxp = product.manufacturer, maker != .nxp {
      return [
        "It answers as \(product.displayName), but the first byte of its UID belongs to \(maker): probably a copy."
      ]
    }
    guard product.manufacturer != .nxp, product.copies else { return [] }
    return ["It is a copy by \(product.manufacturer); the program treats it as the chip it copies."]
  }
}
