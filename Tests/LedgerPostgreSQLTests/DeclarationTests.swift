import Foundation
import Testing

@Suite("What is declared of libpq")
struct DeclarationTests {
  static let header = ["/usr/include/postgresql", "/opt/homebrew/opt/libpq/include"]
    .map { $0 + "/libpq-fe.h" }.first { FileManager.default.fileExists(atPath: $0) }

  @Test(
    "is what its own header declares",
    .enabled(
      if: header != nil,
      "libpq's header is not installed (Debian: libpq-dev): its declarations are NOT compared"))
  func declarations() throws {
    let shim = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/System/Clibpq/shim.h").path
    let functions = [
      "connect": "PQconnectdbParams", "error": "PQerrorMessage", "finish": "PQfinish",
      "uses_ssl": "PQsslInUse", "socket": "PQsocket", "consume_input": "PQconsumeInput",
      "is_busy": "PQisBusy", "send_query": "PQsendQuery", "send_prepare": "PQsendPrepare",
      "send_prepared": "PQsendQueryPrepared",
      "result_field": "PQresultErrorField", "rows": "PQntuples", "columns": "PQnfields",
      "value": "PQgetvalue", "is_null": "PQgetisnull", "length": "PQgetlength",
      "clear": "PQclear", "put_copy_data": "PQputCopyData", "put_copy_end": "PQputCopyEnd",
      "next_result": "PQgetResult",
    ]
    let numbers = [
      "PQ_CONNECTION_OK": "CONNECTION_OK", "PQ_COMMAND_OK": "PGRES_COMMAND_OK",
      "PQ_EMPTY_QUERY": "PGRES_EMPTY_QUERY", "PQ_TUPLES_OK": "PGRES_TUPLES_OK",
      "PQ_COPY_IN": "PGRES_COPY_IN",
      "PQ_SQLSTATE": "PG_DIAG_SQLSTATE", "PQ_MESSAGE": "PG_DIAG_MESSAGE_PRIMARY",
      "sizeof(int)": "sizeof(ConnStatusType)", "sizeof(unsigned int)": "sizeof(ExecStatusType)",
    ]
    let checks =
      functions.map {
        "_Static_assert(__builtin_types_compatible_p(__typeof__(((pq_library *)0)->\($0)), __typeof__(&\($1))), \"\($1)\");"
      } + numbers.map { "_Static_assert((int)\($0) == (int)\($1), \"\($1)\");" }
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
