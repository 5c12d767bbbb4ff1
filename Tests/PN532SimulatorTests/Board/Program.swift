import Foundation

/// A program of the machine's, if it is installed.
struct Program {
  let path: String

  init?(_ name: String) {
    let found = ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else { return nil }
    path = found
  }

  static func isInstalled(_ name: String) -> Bool { Program(name) != nil }

  /// A Python that has nfcpy: the one that `NFCPY_PYTHON` names, else the machine's.
  static let nfcpy: Program? = {
    let named = ProcessInfo.processInfo.environment["NFCPY_PYTHON"].map(Program.init(path:))
    guard let python = named ?? Program("python3"),
      (try? python.run(["-c", "import nfc"], port: "none"))?.status == 0
    else { return nil }
    return python
  }()

  private init(path: String) { self.path = path }

  struct Result {
    let status: Int32
    let output: String
  }

  /// Runs it against the board at `port`, through libnfc, for at most `seconds`.
  func run(_ arguments: [String] = [], port: String, seconds: Double = 120) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    environment["LIBNFC_DEFAULT_DEVICE"] = "pn532_uart:\(port)"
    environment["LIBNFC_AUTO_SCAN"] = "false"
    process.environment = environment
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let watchdog = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: watchdog)
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    watchdog.cancel()
    return Result(
      status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
  }
}
