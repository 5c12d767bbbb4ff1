extension AppLinkCheck {
  /// How every version starts the app with the link, by the tag and by the app's manifest; and
  /// what nobody can see from here.
  package var advice: [String] {
    [
      "For all versions: put the link first and an application record of \(app.packageName) behind it, and give the app two filters for the link, VIEW with autoVerify, and NDEF_DISCOVERED in an activity or alias of its own with the permission DISPATCH_NFC_MESSAGE; `make-assetlinks` prints both.",
      "Not seen from here: the phone must be unlocked, the app installed and opened once, and allowed under Settings, Apps, Special app access, Launch via NFC (Android 16 and later); an app in front may take the tag, and some makers' phones take it themselves, or ask before they open a link.",
    ]
  }
}
