/// The abbreviations that a URI record begins with.
///
/// NFC Forum URI RTD 1.0, 3.2.2, table 3. Codes 24h to FFh are reserved.
package enum URIPrefix {
  /// The text that each code stands for, at the code's index.
  package static let table: [String] = [
    "",  // 00
    "http://www.",  // 01
    "https://www.",  // 02
    "http://",  // 03
    "https://",  // 04
    "tel:",  // 05
    "mailto:",  // 06
    "ftp://anonymous:anonymous@",  // 07
    "ftp://ftp.",  // 08
    "ftps://",  // 09
    "sftp://",  // 0A
    "smb://",  // 0B
    "nfs://",  // 0C
    "ftp://",  // 0D
    "dav://",  // 0E
    "news:",  // 0F
    "telnet://",  // 10
    "imap:",  // 11
    "rtsp://",  // 12
    "urn:",  // 13
    "pop:",  // 14
    "sip:",  // 15
    "sips:",  // 16
    "tftp:",  // 17
    "btspp://",  // 18
    "btl2cap://",  // 19
    "btgoep://",  // 1A
    "tcpobex://",  // 1B
    "irdaobex://",  // 1C
    "file://",  // 1D
    "urn:epc:id:",  // 1E
    "urn:epc:tag:",  // 1F
    "urn:epc:pat:",  // 20
    "urn:epc:raw:",  // 21
    "urn:epc:",  // 22
    "urn:nfc:",  // 23
  ]

  /// The text that `code` stands for; nil when it is reserved.
  package static func text(of code: UInt8) -> String? {
    table.indices.contains(Int(code)) ? table[Int(code)] : nil
  }

  /// The code of the longest text that `uri` begins with, compared byte by byte: a scheme in upper
  /// case is not abbreviated.
  package static func code(for uri: String) -> UInt8 {
    var best = 0
    for (code, text) in table.enumerated()
    where text.utf8.count > table[best].utf8.count && uri.utf8.starts(with: text.utf8) {
      best = code
    }
    return UInt8(best)
  }
}
