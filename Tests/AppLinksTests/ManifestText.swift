@testable import AppLinks

/// Parts of a manifest of com.example.app.
enum ManifestText {
  static let link =
    #"<data android:scheme="https" android:host="example.com" android:pathPrefix="/t/"/>"#
  static let launcher = """
    <activity android:name=".Main" android:exported="true"><intent-filter>
      <action android:name="android.intent.action.MAIN"/>
      <category android:name="android.intent.category.LAUNCHER"/></intent-filter></activity>
    """
  static let view = activity("android.intent.action.VIEW", link, verify: true)
  static let ndef = activity("android.nfc.action.NDEF_DISCOVERED", link)
  static let guardedNDEF = activity(
    "android.nfc.action.NDEF_DISCOVERED", link,
    attributes: #"android:permission="android.permission.DISPATCH_NFC_MESSAGE""#)

  static func activity(
    _ action: String, _ data: String, attributes: String = "", categories: [String]? = nil,
    verify: Bool = false, exported: String = "true", filter: String = ""
  ) -> String {
    let isView = action.hasSuffix("VIEW")
    let categories = categories ?? (isView ? ["DEFAULT", "BROWSABLE"] : ["DEFAULT"])
    return """
      <activity android:name=".A" android:exported="\(exported)" \(attributes)>
        <intent-filter android:autoVerify="\(verify)" \(filter)><action android:name="\(action)"/>
        \(categories.map { #"<category android:name="android.intent.category.\#($0)"/>"# }.joined())
        \(data)</intent-filter></activity>
      """
  }

  static func manifest(_ parts: String..., target: Int? = 36, minimum: Int? = nil) throws
    -> AppManifest
  {
    let target = target.map { #"android:targetSdkVersion="\#($0)""# } ?? ""
    let minimum = minimum.map { #"android:minSdkVersion="\#($0)""# } ?? ""
    return try AppManifest(
      parsing: Array(
        """
        <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.app">
        <uses-sdk \(target) \(minimum)/><application>\(parts.joined())</application></manifest>
        """.utf8))
  }
}
