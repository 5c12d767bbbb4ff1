import JSON

/// What a phone does with a tag while no app has a session: `phone`. What is nil is absent.
struct PocketJSON: OutputDocument {
  var command = "phone"
  var uid: String
  /// `wakes`, `browser`, `unknown` (an app or the browser), `system` or `nothing`.
  var outcome: String
  var uri: String?
  /// The apps that are woken.
  var appIDs: [String]?
  /// Sentences that say why.
  var reasons: [String]

  init(uid: String, outcome: String, uri: String?, appIDs: [String], reasons: [String]) {
    (self.uid, self.outcome, self.uri) = (uid, outcome, uri)
    self.appIDs = appIDs.isEmpty ? nil : appIDs
    self.reasons = reasons
  }
}

/// A callback of an app's session: `phone --session`. What is nil is absent.
struct CallbackJSON: OutputDocument {
  /// A tag that the app was given.
  struct Tag: Encodable {
    /// `miFare`, `iso7816` or `feliCa`.
    var kind: String
    /// The family, the selected application or the system code.
    var detail: String
    /// The UID or IDm, hexadecimal.
    var identifier: String
  }

  var command = "phone"
  /// The callback's name in CoreNFC.
  var callback: String
  var tags: [Tag]?
  var ndefStatus: String?
  /// In bytes.
  var capacity: Int?
  var records: [RecordJSON]?
  /// The number is that of CoreNFC's error.
  var error: FailureJSON?

  init(_ callback: String) { self.callback = callback }
}
