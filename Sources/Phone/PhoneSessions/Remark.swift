import Bytes

/// A mistake in an app that a phone would keep to itself, or something that is not here as it is on
/// a phone.
package enum Remark: Hashable, Sendable {
  /// A command was sent, or the session was ended, before the handler of the command before it had
  /// run.
  case handlerPending(call: String)
  /// A tag lies there that the session does not deliver, and why.
  case notDelivered(tag: String, reason: String)
  /// A URI record whose payload does not begin with a prefix code; `index` counts from 0.
  case noURIPrefix(index: Int, byte: UInt8?)
  /// `connect` failed, and polling was not restarted.
  case noRestart
  /// SELECT of an application that the app has not declared.
  case undeclaredApplication([UInt8])
  /// A FeliCa system that the app has not declared.
  case undeclaredSystem([UInt8])
  /// The message that is delivered has no record with content.
  case emptyMessage
  /// ISO/IEC 15693 was asked for.
  case noVicinity
  /// PACE was asked for, beside other tags.
  case noPACE
  /// The entitlements name a format that App Store Connect refuses.
  case refusedAtUpload
  /// Two tags lie there.
  case severalTags
  /// A blank tag was formatted, or not.
  case began(again: Bool)
  /// A declaration that is none.
  case unusableDeclaration(String)
  /// The session ended because of what the app did not declare.
  case missingDeclaration(String)
  /// The tag was pulled away between being found and being looked at.
  case lostWhileFound

  /// Stable, for programs.
  package var code: String {
    switch self {
    case .handlerPending: "handler-pending"
    case .notDelivered: "not-delivered"
    case .noURIPrefix: "uri-prefix"
    case .noRestart: "no-restart"
    case .undeclaredApplication: "undeclared-aid"
    case .undeclaredSystem: "undeclared-system"
    case .emptyMessage: "empty-message"
    case .noVicinity: "no-iso15693"
    case .noPACE: "no-pace"
    case .refusedAtUpload: "refused-at-upload"
    case .severalTags: "several-tags"
    case .began: "begin-again"
    case .unusableDeclaration: "unusable-declaration"
    case .missingDeclaration: "missing-declaration"
    case .lostWhileFound: "lost-while-found"
    }
  }

  /// Full sentences.
  package var text: String {
    switch self {
    case .handlerPending(let call):
      """
      \(call) was called before the handler of the command before it had run. What a handler sets is not there yet: \
      go on inside the handler, or use the async form.
      """
    case .notDelivered(let tag, let reason):
      """
      \(tag) lies on the reader and is not delivered: \(reason) The delegate hears nothing of it, so there is no \
      tags.first! to take.
      """
    case .noURIPrefix(let index, let byte):
      """
      Record \(index) is a URI record, and its payload begins with \
      \(byte.map { "\(Hex.byte($0).uppercased())h, which is no prefix code" } ?? "nothing"): a phone does not read it as a link. \
      Put a prefix code in front (00h for none), or use wellKnownTypeURIPayload(string:).
      """
    case .noRestart:
      """
      connect failed, and the app continued without restartPolling(): the session finds no other tag until it is called.
      """
    case .undeclaredApplication(let id):
      """
      The app selects \(Hex.string(id).uppercased()), which is not in \(AppGrants.Key.applicationIDs) of its Info.plist: \
      a phone refuses with error 2.
      """
    case .undeclaredSystem(let code):
      """
      The app polls for system code \(Hex.string(code).uppercased()), which is not in \(AppGrants.Key.systemCodes) of its \
      Info.plist, or has a wildcard: a phone refuses with error 2.
      """
    case .emptyMessage:
      "The message that is delivered has no content. records.first! and what is taken from it must allow for that."
    case .noVicinity:
      "A PN532 cannot look for ISO 15693 tags: that part of the polling is left out. A phone finds them."
    case .noPACE:
      "A phone polls for identity documents in a way of its own (PACE); here they are looked for like other cards of ISO/IEC 14443, and supportsPACE says whether a card has the file EF.CardAccess."
    case .refusedAtUpload:
      """
      The entitlements have NDEF under \(AppGrants.Key.formats): App Store Connect refuses an app with it (ITMS-90778, \
      \u{201C}NDEF is disallowed\u{201D}). Write TAG alone: a tag session reads and writes messages under it.
      """
    case .severalTags:
      "Two tags lie on the reader. A PN532 cannot see more than two; a phone may."
    case .began:
      "begin() was called on a session that was begun before: it does nothing. Make a new session."
    case .unusableDeclaration(let text): "Info.plist: \(text)."
    case .missingDeclaration(let text): text
    case .lostWhileFound:
      "A tag was removed before it could be read. The session continues to look for tags."
    }
  }
}
