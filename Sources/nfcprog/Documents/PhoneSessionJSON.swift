/// What a phone does with a tag while no app has a session: `phone`. What is nil is absent.
package struct PocketJSON: WireDocument {
  package var command = "phone"
  package var uid: String
  /// `wakes`, `browser`, `unknown` (an app or the browser), `system` or `nothing`.
  package var outcome: String
  package var uri: String?
  /// The apps that are woken.
  package var appIDs: [String]?
  /// Sentences that say why.
  package var reasons: [String]

  package init(uid: String, outcome: String, uri: String?, appIDs: [String], reasons: [String]) {
    (self.uid, self.outcome, self.uri) = (uid, outcome, uri)
    self.appIDs = appIDs.isEmpty ? nil : appIDs
    self.reasons = reasons
  }
}

/// A callback of an app's session: `phone --session`. What is nil is absent.
package struct CallbackJSON: WireDocument {
  /// A tag that the app was given.
  package struct Tag: Encodable {
    /// `miFare`, `iso7816` or `feliCa`.
    package var kind: String
    /// The family, the selected application or the system code.
    package var detail: String
    /// The UID or IDm, hexadecimal.
    package var identifier: String

    package init(kind: String, detail: String, identifier: String) {
      (self.kind, self.detail, self.identifier) = (kind, detail, identifier)
    }
  }

  package var command = "phone"
  /// The callback's name in CoreNFC.
  package var callback: String
  package var tags: [Tag]?
  package var ndefStatus: String?
  /// In bytes.
  package var capacity: Int?
  package var records: [RecordJSON]?
  /// The number is that of CoreNFC's error.
  package var error: FailureJSON?

  package init(_ callback: String) { self.callback = callback }
}
