// swift-tools-version: 6.2
import PackageDescription

#if canImport(Glibc)
  import Glibc
#endif

let settings: [SwiftSetting] = [.strictMemorySafety()]

/// On Linux the Swift libraries become part of the released program: loading the shared ones,
/// Foundation's and ICU's above all, takes longer than everything else that is done before the
/// first byte goes to a board.
let standardLibraryInside: [LinkerSetting] = [
  .unsafeFlags(
    // LLVM's linker comes with the compiler; what it links starts 3 ms sooner. Nobody loads the
    // program as a library, so it exports no symbols; equal functions are kept once. Both are 2 MB.
    ["-static-stdlib", "-use-ld=lld"] + linked("--no-export-dynamic", "--icf=safe")
      + (hasPackedRelocations ? linked("-z", "pack-relative-relocs") : [])
      // What libFoundation.a needs; the compiler notes it only where every module was compiled for
      // static linking.
      + ["CoreFoundation", "_FoundationICU", "_FoundationCollections", "_FoundationCShims"]
      .map { "-l\($0)" },
    .when(platforms: [.linux], configuration: .release))
]

/// Whether the C library here loads programs whose relocations are packed, which makes them 2.5 MB
/// smaller: glibc since 2.36.
var hasPackedRelocations: Bool {
  #if canImport(Glibc)
    var text = [UInt8](repeating: 0, count: 64)
    let length = text.withUnsafeMutableBytes {
      confstr(Int32(_CS_GNU_LIBC_VERSION), $0.baseAddress, $0.count)
    }
    // "glibc 2.36", and a zero byte.
    let name = String(decoding: text.prefix(max(0, length - 1)), as: UTF8.self)
    let version = name.drop { !$0.isNumber }.split(separator: ".").map { Int($0) ?? 0 }
    return !version.lexicographicallyPrecedes([2, 36])
  #else
    return false
  #endif
}

/// Arguments of the linker, as the compiler hands them on.
func linked(_ arguments: String...) -> [String] { arguments.flatMap { ["-Xlinker", $0] } }

/// A library of another package, which comes with the trait `Bench`, and with `Hub`, alone.
func forBench(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["Bench", "Hub"]))
}

/// Likewise, with the trait `Hub` alone.
func forHub(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["Hub"]))
}

/// Is true where another package has this one fetched by its address: SwiftPM and Xcode read the
/// manifest of each version in the repository itself, where its folder is `/`, and keep the one
/// that they choose in a folder called `checkouts`.
let isFetched =
  Context.packageDirectory == "/"
  || Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"

/// The commit that a build says it was made from, hexadecimal; empty: not known. It comes from
/// whoever builds (Docs/install), so that a checkout without it builds, and the same way twice.
let commit = (Context.environment["NFCPROG_COMMIT"] ?? "").filter(\.isHexDigit)

/// The layers of Docs/Architecture.md, the lowest first: each is a folder of `Sources`, and a
/// target depends on its own layer and on those below it alone (`Tests/layers`).
enum Layer: String {
  case system = "System"
  case values = "Values"
  case reader = "Reader"
  case engine = "Engine"
  case series = "Series"
  case bench = "Bench"
  case phone = "Phone"
  case fronts = "Fronts"

  /// The folder of the target `name`.
  func folder(_ name: String) -> String { "Sources/\(rawValue)/\(name)" }
}

/// A target of this package, with the settings that all of them share.
func module(
  _ name: String, in layer: Layer, _ dependencies: [Target.Dependency] = [],
  resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: layer.folder(name), resources: resources,
    swiftSettings: settings)
}

/// A program, with the settings that all of them share.
func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: ["NoLocaleData"] + dependencies,
    path: Layer.fronts.folder(name), swiftSettings: settings,
    linkerSettings: standardLibraryInside)
}

/// The headers of a C library, and where they come from. Without `pkgConfig` it is not linked.
func headers(
  _ name: String, pkgConfig: String? = nil, apt: String? = nil, brew: String? = nil
) -> Target {
  .systemLibrary(
    name: name, path: Layer.system.folder(name), pkgConfig: pkgConfig,
    providers: [apt.map { .apt([$0]) }, brew.map { .brew([$0]) }].compactMap { $0 })
}

/// The tests of the target `name`, in `Tests/<name>Tests`.
func tests(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = [])
  -> Target
{
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies,
    resources: resources, swiftSettings: settings)
}

let package = Package(
  name: "nfcprog",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "nfcprog", targets: ["nfcprog-main"]),
    .executable(name: "nfcprog-hub", targets: ["nfcprog-hub"]),
    .executable(name: "nfcprog-agent", targets: ["nfcprog-agent"]),
    .library(name: "NDEF", targets: ["NDEF"]),
    .library(name: "TagMemory", targets: ["TagMemory"]),
    .library(name: "TagProgramming", targets: ["TagProgramming", "Wording"]),
    .library(name: "Readers", targets: ["Readers", "LibNFCReaders"]),
    .library(name: "TagDumps", targets: ["TagDumps", "TagMemory"]),
    .library(name: "UniversalLinks", targets: ["UniversalLinks", "JSON"]),
    .library(
      name: "Provisioning",
      targets: ["Provisioning", "JobLists", "LedgerSQLite", "SeriesReports"]),
    .library(name: "Bench", targets: ["Bench"]),
    .library(name: "Line", targets: ["Line"]),
    .library(name: "CoreNFC", targets: ["CoreNFC"]),
    .library(name: "CoreNFCTesting", targets: ["CoreNFCTesting"]),
    .library(name: "UIKit", targets: ["UIKit", "_Testing_UIKit"]),
  ],
  // A client that fetches this package gets no hub, which brings 24 other packages, and Xcode
  // cannot ask for less; in a folder of its own everything is built. A client that leaves both
  // traits out (`traits: []` beside the path of this package) fetches no other package; it can use
  // all but Provisioning and Line.
  traits: [
    // One of them: SwiftPM hands the names of several to the compiler in no certain order, and
    // compiles everything again when it has another one.
    .default(enabledTraits: isFetched ? ["Bench"] : ["Hub"]),
    .trait(
      name: "Bench",
      description: "Job lists with a journal, the settings file, and the command line"),
    .trait(name: "Hub", description: "The same, and the hub's server"),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    // For the hub alone: whoever builds `nfcprog` builds nothing of it.
    // Without its traits it reads no settings of its own, which is a package less; it needs no TLS,
    // which a proxy does.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-async-algorithms.git", from: "1.0.2"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.34.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
  ],
  targets: [
    headers("Clibnfc", pkgConfig: "libnfc", apt: "libnfc-dev", brew: "libnfc"),
    headers("Clibusb", pkgConfig: "libusb-1.0", apt: "libusb-1.0-0-dev", brew: "libusb"),
    headers("Clibcsv", apt: "libcsv-dev", brew: "libcsv"),
    headers("Clibcrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
    // The program loads it when it fetches something. macOS has its own.
    headers("Clibcurl", apt: "libcurl4-openssl-dev"),
    // Likewise: it is loaded when a pool is opened. Its few functions are declared here, so that no
    // build needs its headers.
    headers("Clibpq"),
    // Likewise, when a list is a workbook.
    headers("Clibzip"),
    // Likewise, when a report draws a QR code.
    headers("Clibqrencode"),
    headers("Clibexpat", pkgConfig: "expat", apt: "libexpat1-dev", brew: "expat"),
    // 34 MB less: the tables of every language, which the static Foundation brings and nothing here
    // asks for.
    .target(
      name: "NoLocaleData", path: Layer.system.folder("NoLocaleData"),
      cSettings: [.define("NFCPROG_NO_LOCALE_DATA", .when(configuration: .release))]),
    // The commit, for --version.
    .target(
      name: "BuildFacts", path: Layer.system.folder("BuildFacts"),
      cSettings: [.define("NFCPROG_COMMIT", to: "\"\(commit)\"")]),
    // A build without a trait that it needs ends here, with one sentence.
    module("BenchTrait", in: .system),
    module("HubTrait", in: .system),
    module("Bytes", in: .values),
    module("CardCrypto", in: .values, ["Clibcrypto"]),
    module("JSON", in: .values),
    module("WebAddress", in: .values),
    module("NDEF", in: .values, ["Bytes", "WebAddress"]),
    module("RecordText", in: .values, ["NDEF", "WebAddress"]),
    module("TagMemory", in: .values, ["Bytes", "CardCrypto", "NDEF"]),
    module("TagDumps", in: .values, ["Bytes", "JSON", "TagMemory"]),
    module("UniversalLinks", in: .values, ["JSON", "NDEF", "WebAddress"]),
    module("AppLinks", in: .values, ["JSON", "NDEF", "UniversalLinks", "Clibexpat"]),
    module("Workbooks", in: .values, ["Clibexpat", "Clibzip"]),
    module("PN532", in: .reader, ["Bytes"]),
    module("Readers", in: .reader, ["Bytes", "TagMemory", "PN532"]),
    module("LibNFCReaders", in: .reader, ["Bytes", "Readers", "PN532", "Clibnfc", "Clibusb"]),
    module("PN532Simulator", in: .reader, ["Bytes", "CardCrypto", "PN532"]),
    module("Traces", in: .reader, ["Bytes", "CardCrypto", "PN532", "Readers", "TagMemory"]),
    module(
      "TagProgramming", in: .engine,
      ["Bytes", "CardCrypto", "NDEF", "TagMemory", "PN532", "Readers"]),
    module("Wording", in: .engine, ["Bytes", "TagMemory", "Readers", "TagProgramming"]),
    module(
      "JobLists", in: .series,
      [
        "BenchTrait", "Bytes", "CardCrypto", "NDEF", "RecordText", "TagDumps", "TagMemory",
        "UniversalLinks", "WebAddress", "Workbooks", "Clibcsv", forBench("GRDB", "GRDB.swift"),
      ]),
    module("Ledger", in: .series),
    module(
      "LedgerSQLite", in: .series,
      [
        "Bytes", "CardCrypto", "JSON", "JobLists", "Ledger", "NDEF", "TagMemory",
        forBench("GRDB", "GRDB.swift"),
      ]),
    module("LedgerPostgreSQL", in: .series, ["Bytes", "JSON", "Ledger", "Clibpq"]),
    module(
      "SeriesReports", in: .series,
      [
        "Bytes", "JSON", "JobLists", "Ledger", "LedgerSQLite", "TagMemory", "Clibqrencode",
      ]),
    module(
      "Provisioning", in: .series,
      [
        "Bytes", "CardCrypto", "JSON", "JobLists", "Ledger", "LedgerPostgreSQL", "LedgerSQLite",
        "NDEF", "RecordText", "TagMemory", "Readers", "TagProgramming", "Wording",
      ]),
    module("SiteFetching", in: .bench, ["UniversalLinks", "WebAddress", "Clibcurl"]),
    module(
      "Bench", in: .bench,
      [
        "Bytes", "JSON", "NDEF", "RecordText", "TagMemory", "TagDumps", "WebAddress",
        "UniversalLinks", "AppLinks", "SiteFetching", "PN532", "Readers", "LibNFCReaders",
        "TagProgramming", "PN532Simulator", "Traces",
      ]),
    module(
      "Line", in: .bench,
      [
        "Bench", "Bytes", "JobLists", "Ledger", "LedgerSQLite", "NDEF", "Provisioning",
        "RecordText", "Readers",
        "SeriesReports", "TagMemory", "TagProgramming", "UniversalLinks",
      ]),
    module(
      "BringUp", in: .bench,
      [
        "Bench", "Bytes", "JSON", "LibNFCReaders", "PN532", "PN532Simulator", "Readers",
        "TagMemory", "TagProgramming",
      ]),
    module("UserActivity", in: .phone),
    module(
      "PhoneSessions", in: .phone,
      [
        "Bytes", "CardCrypto", "NDEF", "TagMemory", "Readers", "TagProgramming", "Wording",
        "PN532Simulator", "Bench", "UniversalLinks", "Clibexpat",
      ]),
    module(
      "CoreNFC", in: .phone,
      [
        "Bytes", "NDEF", "TagMemory", "PhoneSessions", "UserActivity", "UniversalLinks",
        "SiteFetching", "Bench", "TagProgramming",
      ]),
    module("CoreNFCTesting", in: .phone, ["CoreNFC"]),
    module("UIKit", in: .phone, ["UserActivity"]),
    module("_Testing_UIKit", in: .phone, ["UIKit"]),
    module("Settings", in: .fronts, ["BenchTrait", forBench("TOMLKit", "TOMLKit")]),
    // The commands are a library: the agent has the same ones.
    module(
      "nfcprog", in: .fronts,
      [
        "BuildFacts", "Bytes", "CardCrypto", "NDEF", "RecordText", "TagMemory", "TagDumps",
        "UniversalLinks",
        "AppLinks",
        "PN532", "Readers", "LibNFCReaders", "Settings",
        "JSON", "JobLists", "Ledger", "LedgerSQLite", "SeriesReports", "TagProgramming", "Wording",
        "Provisioning", "PN532Simulator", "Bench", "Line", "BringUp", "PhoneSessions", "Traces",
        forBench("ArgumentParser", "swift-argument-parser"),
      ]),
    program("nfcprog-main", ["nfcprog"]),
    // What every web server here needs, whatever its routes are.
    module(
      "HTTPServing", in: .fronts,
      [
        "Bytes", "CardCrypto", "HubTrait", "JSON", "TagMemory",
        forHub("Hummingbird", "hummingbird"), forHub("HummingbirdCore", "hummingbird"),
        forHub("Logging", "swift-log"), forHub("NIOCore", "swift-nio"),
        forHub("NIOHTTP1", "swift-nio"), forHub("NIOHTTPTypes", "swift-nio-extras"),
        forHub("HTTPTypes", "swift-http-types"),
      ]),
    module(
      "HubKit", in: .fronts,
      [
        "Bytes", "JSON", "JobLists", "Ledger", "LedgerPostgreSQL", "LedgerSQLite", "Provisioning",
        "SeriesReports", "TagMemory",
      ]),
    module(
      "HubServer", in: .fronts,
      [
        "Bytes", "CardCrypto", "HTTPServing", "HubKit", "HubTrait", "JSON", "Ledger",
        "LedgerSQLite", "SeriesReports", "TagMemory", forHub("Hummingbird", "hummingbird"),
        forHub("AsyncAlgorithms", "swift-async-algorithms"),
        forHub("HTTPTypes", "swift-http-types"),
        forHub("ServiceLifecycle", "swift-service-lifecycle"),
      ],
      resources: [.embedInCode("Page/Files"), .embedInCode("API/openapi.json")]),
    program(
      "nfcprog-hub",
      [
        "BuildFacts", "Bytes", "HTTPServing", "HubKit", "HubServer", "LedgerPostgreSQL",
        "LedgerSQLite", "Provisioning", forBench("ArgumentParser", "swift-argument-parser"),
      ]),
    module(
      "AgentServer", in: .fronts,
      [
        "Bench", "Bytes", "CardCrypto", "HTTPServing", "HubTrait", "JSON", "LibNFCReaders",
        "Readers",
        "TagMemory", "TagProgramming", "nfcprog", forHub("Hummingbird", "hummingbird"),
        forHub("HTTPTypes", "swift-http-types"),
      ], resources: [.embedInCode("Page/Files")]),
    program(
      "nfcprog-agent",
      [
        "AgentServer", "Bench", "BuildFacts", "Bytes", "HTTPServing", "nfcprog",
        forBench("ArgumentParser", "swift-argument-parser"),
      ]),
    // For tests alone: random numbers that are the same in each run.
    .target(name: "SeededNumbers", path: "Tests/SeededNumbers", swiftSettings: settings),
    // Likewise: how long they wait for what has to come, and time that they tell.
    .target(
      name: "Pace", dependencies: ["Readers"], path: "Tests/Pace", swiftSettings: settings),
    // Likewise: what each store of a series keeps to.
    .target(
      name: "SeriesContract", dependencies: ["Ledger", "SeededNumbers"],
      path: "Tests/SeriesContract", swiftSettings: settings),
    // For the server in the tests of fetching.
    .systemLibrary(
      name: "Clibssl", path: "Tests/Clibssl", pkgConfig: "libssl",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    tests(
      "nfcprog",
      [
        "JSON", "NDEF", "RecordText", "Settings", "TagMemory", "Readers", "LibNFCReaders",
        "TagProgramming", "JobLists", "Ledger", "LedgerSQLite", "SeriesReports", "Provisioning",
        "PN532Simulator", "Bench", "Line", "BringUp", "AppLinks", "UniversalLinks", "Traces",
        forBench("ArgumentParser", "swift-argument-parser"),
      ],
      resources: [.copy("Snapshots"), .copy("Documents")]),
    tests("Traces", ["Bytes"]),
    tests(
      "Bench",
      ["LibNFCReaders", "NDEF", "PN532Simulator", "Pace", "Readers", "TagMemory", "TagProgramming"]),
    tests("Line", ["Bench", "JobLists", "LedgerSQLite", "Provisioning", "TagProgramming"]),
    tests(
      "BringUp",
      ["Bench", "LibNFCReaders", "NDEF", "PN532", "PN532Simulator", "Readers", "TagProgramming"]),
    tests("JSON", ["SeededNumbers"]),
    tests("Bytes"),
    tests("Ledger", ["SeriesContract"]),
    tests(
      "LedgerPostgreSQL",
      [
        "Bench", "Bytes", "HubKit", "JobLists", "Ledger", "LedgerSQLite", "Line", "Pace",
        "Provisioning", "SeededNumbers", "SeriesContract", "SeriesReports", "TagMemory",
        forBench("GRDB", "GRDB.swift"),
      ]),
    tests("CardCrypto", ["Bytes"], resources: [.copy("Vectors")]),
    tests("NDEF", ["Bytes", "SeededNumbers"], resources: [.copy("Vectors")]),
    tests("WebAddress", resources: [.copy("Vectors")]),
    tests("RecordText"),
    // The fuzzers, on their seeds and on what they found. What is left out needs libFuzzer,
    // or the tags of TagProgrammingTests, which run its inputs.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "AppLinks", "Bench", "Bytes", "NDEF", "TagMemory", "UniversalLinks", "WebAddress",
        "TagDumps", "PN532", "PN532Simulator", "JobLists", "Provisioning", "RecordText",
        "SeededNumbers", "Traces", "Workbooks",
      ],
      path: "Tests/Fuzz",
      exclude: [
        "run", "Seeds", "Found", "Targets/Entry.swift", "Targets/Tag.swift",
        "Targets/Settings.swift", "Targets/Survey.swift", "Targets/Blind.swift",
      ],
      swiftSettings: settings),
    tests("TagMemory", ["Bytes", "CardCrypto", "NDEF", "SeededNumbers"]),
    tests("TagDumps", ["Bytes", "TagMemory"], resources: [.copy("Dumps")]),
    tests(
      "UniversalLinks", ["JSON", "NDEF", "SeededNumbers", "WebAddress"],
      resources: [.copy("Vectors")]),
    tests("AppLinks", ["NDEF", "SeededNumbers", "UniversalLinks"]),
    tests("Workbooks", resources: [.copy("Files")]),
    tests(
      "SiteFetching", ["UniversalLinks", "WebAddress", "Clibssl", "Pace"],
      resources: [.copy("make-certificates")]),
    tests(
      "CoreNFC",
      [
        "Bytes", "NDEF", "TagMemory", "Readers", "PN532Simulator", "Bench", "PhoneSessions",
        "TagProgramming", "CoreNFCTesting", "UIKit", "_Testing_UIKit", "Pace",
      ]),
    tests("Settings", ["SeededNumbers"]),
    tests(
      "HubKit",
      [
        "JSON", "JobLists", "Ledger", "LedgerSQLite", "Pace", "Provisioning", "TagMemory",
        forBench("GRDB", "GRDB.swift"),
      ],
      resources: [.copy("Documents")]),
    tests(
      "HubServer",
      [
        "HTTPServing", "HubKit", "JSON", "Ledger", "LedgerSQLite", "Pace", "Provisioning",
        "TagMemory",
        forHub("Hummingbird", "hummingbird"), forHub("NIOEmbedded", "swift-nio"),
        forHub("HTTPTypes", "swift-http-types"),
        forHub("Logging", "swift-log"),
      ]),
    tests(
      "AgentServer",
      [
        "Bench", "HTTPServing", "JSON", "Pace", "nfcprog", forHub("Hummingbird", "hummingbird"),
        forHub("NIOEmbedded", "swift-nio"), forHub("HTTPTypes", "swift-http-types"),
        forHub("Logging", "swift-log"),
      ]),
    tests("PN532", ["Bytes"], resources: [.copy("Vectors")]),
    tests("Readers", ["Bytes", "Pace", "TagMemory", "PN532", "PN532Simulator"]),
    tests("LibNFCReaders", ["TagMemory", "PN532", "Readers", "PN532Simulator", "Pace"]),
    tests(
      "PN532Simulator", ["Bytes", "CardCrypto", "PN532", "TagMemory", "Pace"],
      resources: [.copy("Tags/Sessions"), .copy("Board/captures.jsonl")]),
    tests(
      "TagProgramming",
      [
        "Bytes", "NDEF", "TagMemory", "PN532", "Readers", "LibNFCReaders", "PN532Simulator",
        "TagDumps", "Wording", "Bench", "JSON", "Pace", "Traces",
      ]),
    tests(
      "Wording",
      [
        "Bytes", "NDEF", "WebAddress", "TagMemory", "PN532", "Readers", "LibNFCReaders",
        "TagProgramming", "JSON", "UniversalLinks", "AppLinks", "SiteFetching", "Provisioning",
        "Bench", "PN532Simulator", "PhoneSessions", "LedgerPostgreSQL", "LedgerSQLite",
        "SeriesReports",
      ],
      resources: [.copy("wording.txt")]),
    tests(
      "Provisioning",
      [
        "Bytes", "HubKit", "JSON", "JobLists", "Ledger", "LedgerSQLite", "NDEF", "Pace",
        "RecordText",
        "SeededNumbers", "SeriesContract", "SeriesReports", "TagMemory", "UniversalLinks", "PN532",
        "Readers",
        "TagProgramming", "PN532Simulator",
        forBench("GRDB", "GRDB.swift"),
      ]),
  ]
)
