import Clibqrencode

/// A QR code (ISO/IEC 18004) as a picture of a page.
enum QRCode {
  private static let library: qr_library? = {
    var library = qr_library()
    return unsafe qr_library_open(&library) == nil ? library : nil
  }()

  /// The code of `text`, ASCII, with the quiet zone of four modules that readers need; nil where
  /// libqrencode is not installed.
  static func svg(_ text: String) -> String? {
    guard let library, let code = unsafe library.encode(text, 0, CInt(QR_LEVEL_Q))
    else { return nil }
    defer { unsafe library.free(code) }
    let width = Int(unsafe code.pointee.width)
    var path = ""
    for place in 0..<width * width where unsafe code.pointee.data[place] & 1 == 1 {
      path += "M\(4 + place % width) \(4 + place / width)h1v1h-1z"
    }
    let side = width + 8
    return
      "<svg class=\"qr\" viewBox=\"0 0 \(side) \(side)\" role=\"img\" aria-label=\"\(HTML.text(text))\"><path d=\"\(path)\"/></svg>"
  }
}
