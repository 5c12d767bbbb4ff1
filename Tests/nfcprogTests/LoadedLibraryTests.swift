import Foundation
import Testing

@Suite("What is declared of libraries that are loaded")
struct LoadedLibraryTests {
  /// A library whose functions a shim declares by itself.
  struct Library: CustomTestStringConvertible, Sendable {
    var name: String
    /// Where its own header may stand; Debian: in the package `package`.
    var headers: [String]
    var package: String
    /// The shim's record of functions, and what each is in the library.
    var record: String
    var functions: [String: String]
    /// The shim's constants, and what each is in the library.
    var numbers: [String: String] = [:]

    var testDescription: String { name }
    var header: String? { headers.first { FileManager.default.fileExists(atPath: $0) } }

    /// A program in C that compiles where shim and header agree.
    var check: String {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      let includes = [root.appending(path: "Sources/System/C\(name)/shim.h").path, header ?? ""]
      return
        (includes.map { "#include \"\($0)\"" }
        + functions.map {
          "_Static_assert(__builtin_types_compatible_p(__typeof__(((\(record) *)0)->\($0)), __typeof__(&\($1))), \"\($1)\");"
        } + numbers.map { "_Static_assert((int)\($0) == (int)\($1), \"\($1)\");" })
        .joined(separator: "\n")
    }
  }

  static let libraries = [
    Library(
      name: "libpq",
      headers: ["/usr/include/postgresql", "/opt/homebrew/opt/libpq/include"]
        .map { $0 + "/libpq-fe.h" },
      package: "libpq-dev", record: "pq_library",
      functions: [
        "connect": "PQconnectdbParams", "error": "PQerrorMessage", "finish": "PQfinish",
        "uses_ssl": "PQsslInUse", "socket": "PQsocket", "consume_input": "PQconsumeInput",
        "is_busy": "PQisBusy", "send_query": "PQsendQuery", "send_prepare": "PQsendPrepare",
        "send_prepared": "PQsendQueryPrepared",
        "result_field": "PQresultErrorField", "rows": "PQntuples", "columns": "PQnfields",
        "value": "PQgetvalue", "is_null": "PQgetisnull", "length": "PQgetlength",
        "clear": "PQclear", "put_copy_data": "PQputCopyData", "put_copy_end": "PQputCopyEnd",
        "next_result": "PQgetResult",
      ],
      numbers: [
        "PQ_CONNECTION_OK": "CONNECTION_OK", "PQ_COMMAND_OK": "PGRES_COMMAND_OK",
        "PQ_EMPTY_QUERY": "PGRES_EMPTY_QUERY", "PQ_TUPLES_OK": "PGRES_TUPLES_OK",
        "PQ_COPY_IN": "PGRES_COPY_IN",
        "PQ_SQLSTATE": "PG_DIAG_SQLSTATE", "PQ_MESSAGE": "PG_DIAG_MESSAGE_PRIMARY",
        "PQ_CONSTRAINT": "PG_DIAG_CONSTRAINT_NAME",
        "sizeof(int)": "sizeof(ConnStatusType)", "sizeof(unsigned int)": "sizeof(ExecStatusType)",
      ]),
    Library(
      name: "libzip", headers: ["/usr/include/zip.h", "/opt/homebrew/opt/libzip/include/zip.h"],
      package: "libzip-dev", record: "zip_library",
      functions: [
        "open": "zip_fdopen", "discard": "zip_discard", "open_part": "zip_fopen",
        "read": "zip_fread", "close_part": "zip_fclose",
      ]),
    Library(
      name: "libqrencode",
      headers: ["/usr/include/qrencode.h", "/opt/homebrew/opt/qrencode/include/qrencode.h"],
      package: "libqrencode-dev", record: "qr_library", functions: [:],
      numbers: [
        "QR_LEVEL_Q": "QR_ECLEVEL_Q", "sizeof(qr_code)": "sizeof(QRcode)",
        "__builtin_offsetof(qr_code, width)": "__builtin_offsetof(QRcode, width)",
        "__builtin_offsetof(qr_code, data)": "__builtin_offsetof(QRcode, data)",
      ]),
  ]

  @Test("is what its own header declares", arguments: libraries)
  func declarations(_ library: Library) throws {
    guard library.header != nil else {
      try Test.cancel(
        "The header of \(library.name) is not installed (Debian: \(library.package)): its declarations are NOT compared."
      )
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).c")
    try Data(library.check.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = ["clang", "-fsyntax-only", file.path]
    try compiler.run()
    compiler.waitUntilExit()
    #expect(compiler.terminationStatus == 0)
  }
}
