// The compiler imports this module wherever a file imports both Testing and UIKit (a cross-import
// overlay of Swift Testing). Apple's adds attachments of images; here there are none.
@_exported import UIKit
