/// The filters with which an app gets links from tags on every version of Android.
package enum IntentFilterText {
  /// The text of the manifest, a line each.
  package static func lines(host: String) -> [String] {
    """
    In AndroidManifest.xml, for https://\(host)/t/…; put your own path and activity in place of /t/ and .MainActivity:

    <uses-permission android:name="android.permission.NFC" />
    <activity android:name=".MainActivity" android:exported="true">
      <!-- From Android 16 on, and for links that are tapped. -->
      <intent-filter android:autoVerify="true">
        <action android:name="android.intent.action.VIEW" />
        <category android:name="android.intent.category.DEFAULT" />
        <category android:name="android.intent.category.BROWSABLE" />
        <data android:scheme="https" android:host="\(host)" android:pathPrefix="/t/" />
      </intent-filter>
    </activity>
    <!-- For tags with an application record, and up to Android 15. -->
    <activity-alias android:name=".TagActivity" android:targetActivity=".MainActivity" android:exported="true"
        android:permission="android.permission.DISPATCH_NFC_MESSAGE">
      <intent-filter>
        <action android:name="android.nfc.action.NDEF_DISCOVERED" />
        <category android:name="android.intent.category.DEFAULT" />
        <data android:scheme="https" android:host="\(host)" android:pathPrefix="/t/" />
      </intent-filter>
    </activity-alias>
    """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
