import Foundation
import Ledger
import Pace
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL

#if canImport(Glibc)
  import Glibc
#endif

/// A PostgreSQL of the distribution's, in a folder of its own, on loopback, for as long as this
/// process lives.
///
/// PostgreSQL does not run as root: then it runs as the user that its package has made.
final class PostgresServer: Sendable {
  /// Where the server's programs are; nil where it is not installed.
  static let programs: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let newest = versions.compactMap { Int($0) }.max().map { "\(root)/\($0)/bin" }
    let places = [newest, "/opt/homebrew/opt/postgresql/bin", "/usr/local/opt/postgresql/bin"]
    return places.compactMap(\.self).first {
      FileManager.default.fileExists(atPath: $0 + "/initdb")
    }
  }()

  /// For tests that need it.
  static let isInstalled = programs != nil
  static let isMissing: Comment =
    "PostgreSQL is not installed (Debian: postgresql; Tests/prepare --peers installs it): pools are NOT tested"

  static let shared = Result { try PostgresServer() }

  let folder: String
  let port: Int
  /// Of the databases' owner, and of the role `bench`.
  static let password = "s3cret/of:the@bench"
  /// Ends the server when this process ends, however it does.
  private let lifeline = Pipe()

  /// `number` tells the servers of one process from each other.
  init(_ number: Int = 0) throws {
    let process = Int(ProcessInfo.processInfo.processIdentifier)
    folder = "/tmp/nfcprog-pg-\(process)-\(number)"
    port = 20_000 + process * 2 % 12_000 + number
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = fcntl(lifeline.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    if geteuid() == 0, unsafe system("chown postgres \(folder)") != 0 {
      throw Failed(command: "chown")
    }
    let bin = Self.programs ?? ""
    try shell(
      "\(bin)/initdb -D \(folder)/data -U owner -A trust --no-sync -E UTF8 --locale=C >\(folder)/init.log"
    )
    // A certificate that nobody has signed but itself.
    try shell(
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout \(folder)/data/server.key -out \(folder)/data/server.crt >/dev/null 2>&1; chmod 600 \(folder)/data/server.key; cp \(folder)/data/server.crt \(folder)/root.crt; chmod 755 \(folder); echo ssl=on >>\(folder)/data/postgresql.conf"
    )
    // Who comes over TCP needs a password; the socket is for this test's own work.
    try shell(
      "printf 'local all all trust\\nhost all all 127.0.0.1/32 scram-sha-256\\n' >\(folder)/data/pg_hba.conf"
    )
    try start()
    try sql("CREATE ROLE bench LOGIN PASSWORD '\(Self.password)'", in: "postgres")
    try sql("ALTER ROLE owner PASSWORD '\(Self.password)'", in: "postgres")
    // A watcher that outlives a killed test.
    let watcher = Process()
    watcher.executableURL = URL(filePath: "/bin/sh")
    watcher.arguments = [
      "-c",
      "cat >/dev/null; kill -9 $(head -1 \(folder)/data/postmaster.pid); sleep 1; rm -rf \(folder)",
    ]
    watcher.standardInput = lifeline
    try watcher.run()
  }

  /// Starts the server and waits until it answers.
  func start() throws {
    try shell(
      "\(Self.programs ?? "")/pg_ctl -D \(folder)/data -w -t 60 -l \(folder)/log -o \"-p \(port) -c listen_addresses=127.0.0.1 -c unix_socket_directories=\(folder) -c max_connections=200\" start >/dev/null 2>&1"
    )
  }

  /// Kills the server with all its processes, as a power cut does, and starts it again.
  func crash() throws {
    try shell("kill -9 $(head -1 \(folder)/data/postmaster.pid)")
    // Its children see that it has gone and end; the new one waits for them.
    for attempt in 1...20 {
      usleep(200_000)
      do { return try start() } catch  where attempt < 20 { continue }
    }
  }

  /// The address of a batch in a new database that has the tables.
  func pool(_ batch: String, through port: Int? = nil) throws -> PoolAddress {
    let name = "orders\(UInt32.random(in: 1...UInt32.max))"
    try sql("CREATE DATABASE \(name)", in: "postgres")
    try PoolStore.prepare(socket(name, as: "owner", batch), benches: ["bench"])
    return try address(name, batch, port)
  }

  /// As a bench comes: over TCP, with a password.
  func address(_ database: String, _ batch: String, _ port: Int? = nil) throws -> PoolAddress {
    try PoolAddress(parsing: addressText(database, batch, port))
  }

  /// The same as somebody writes it.
  func addressText(_ database: String, _ batch: String, _ port: Int? = nil) -> String {
    "postgresql://bench:s3cret%2Fof%3Athe%40bench@127.0.0.1:\(port ?? self.port)/\(database)?batch=\(batch)"
  }

  /// The same over the socket, where no user needs a password.
  func socket(_ database: String, as user: String, _ batch: String) throws -> PoolAddress {
    try PoolAddress(
      parsing:
        "postgresql:///\(database)?host=\(folder)&port=\(port)&user=\(user)&batch=\(batch)")
  }

  /// The same as the owner, who may do anything.
  func owner(of address: PoolAddress) throws -> PQConnection {
    try PQConnection(socket(address.database, as: "owner", "x"))
  }

  /// A backup of a database, as a database of its own.
  func backUp(_ database: String) throws -> String {
    try copy(database, to: database + "_backup")
    return database + "_backup"
  }

  func drop(_ database: String) throws {
    try sql("DROP DATABASE \(database) WITH (FORCE)", in: "postgres")
  }

  /// Makes a database what it was when its backup was made.
  func restore(_ database: String, from backup: String) throws {
    try drop(database)
    try copy(backup, to: database)
  }

  private func copy(_ database: String, to name: String) throws {
    try sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)'",
      in: "postgres")
    try sql("CREATE DATABASE \(name) TEMPLATE \(database) STRATEGY FILE_COPY", in: "postgres")
  }

  private func sql(_ text: String, in database: String) throws {
    let connection = try PQConnection(socket(database, as: "owner", "x"))
    // A database is copied after a checkpoint, for which a busy disk needs a while.
    connection.isPatient = true
    try connection.run(text)
  }

  /// Foundation's `Process` takes a program for ended only when those that it has started have
  /// ended, too, and a server does not.
  private func shell(_ command: String) throws {
    let script = folder + ".sh"
    try "cd /; \(command)\n".write(toFile: script, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: script) }
    let user = geteuid() == 0 ? "runuser -u postgres -- " : ""
    guard unsafe system("\(user)/bin/sh \(script) </dev/null") == 0 else {
      throw Failed(command: command)
    }
  }

  struct Failed: Error { let command: String }
}

/// The error of a feed that cannot fail by itself.
struct LoadFailure: Error {
  let error: PoolError
}

extension PoolStore {
  /// Loads a batch of jobs for any tag; `code` makes their rows.
  static func load(
    _ count: Int, at address: PoolAddress, code: String = "CODE", waiting: () -> Void = {}
  ) throws {
    let list = PoolList(
      kind: "codes", source: "codes.txt", settings: "[]",
      digest: Array(repeating: UInt8(truncatingIfNeeded: code.utf8.count), count: 32), jobs: count)
    try load(
      list, identity: EventID().bytes, at: address, waiting: waiting, LoadFailure.init
    ) { (take) throws(LoadFailure) in
      for number in 1...count {
        try take(
          PoolJob(
            number: number, name: "\(code)-\(number)", wantedTag: nil,
            digest: (0..<32).map { UInt8(truncatingIfNeeded: number >> (($0 % 8) * 8)) })
        ) { nil }
      }
    }
  }
}

/// The event that a test sends with a command.
func told(_ kind: String, _ tag: [UInt8]? = nil) -> Event {
  Event(
    Happening(
      kind: kind, job: 1, tag: tag,
      message: MessageFacts(digest: Array(repeating: 0, count: 32))),
    station: "1", reader: "sim", started: 1_800_000_000_000, duration: 60_000)
}

let noLocks = TagLocks(isLocked: false, isProtected: false)

/// Runs `body` on as many threads at the same time, whatever the machine has.
func together(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let ended = DispatchSemaphore(value: 0)
  for index in 0..<count {
    Thread.detachNewThread {
      body(index)
      ended.signal()
    }
  }
  for _ in 0..<count { ended.wait() }
}

/// Waits until `condition` holds.
func waitFor(_ condition: () throws -> Bool) throws {
  let holds = try Pace.wait(until: condition)
  #expect(holds)
}
