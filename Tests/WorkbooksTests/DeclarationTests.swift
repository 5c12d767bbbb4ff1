import Foundation
import Testing

@Suite("What is declared of libzip")
struct DeclarationTests {
  static let header = ["/usr/include", "/opt/homebrew/opt/libzip/include"]
    .map { $0 + "/zip.h" }.first { FileManager.default.fileExists(atPath: $0) }

  @Test(
    "is what its own header declares",
    .enabled(
      if: header != nil,
      "libzip's header is not installed (Debian: libzip-dev): its declarations are NOT compared"))
  func declarations() throws {
    let shim = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/System/Clibzip/shim.h").path
    let functions = [
      "open": "zip_fdopen", "discard": "zip_discard", "open_part": "zip_fopen",
      "read": "zip_fread", "close_part": "zip_fclose",
    ]
    let checks = functions.map {
      "_Static_assert(__builtin_types_compatible_p(__typeof__(((zip_library *)0)->\($0)), __typeof__(&\($1))), \"\($1)\");"
    }
    let source = (["#include \"\(shim)\"", "#include \"\(Self.header ?? "")\""] + checks)
      .joined(separator: "\n")
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).c")
    try Data(source.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = ["clang", "-fsyntax-only", file.path]
    try compiler.run()
    compiler.waitUntilExit()
    #expect(compiler.terminationStatus == 0)
  }
}
