// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.strictMemorySafety()]

/// On Linux the Swift libraries become part of the released program: loading the shared ones, Foundation's and ICU's above all,
/// takes longer than everything else that is done before the first byte goes to a board.
let standardLibraryInside: [LinkerSetting] = [
  .unsafeFlags(
    ["-static-stdlib"]
      // What libFoundation.a needs; the compiler notes it only where every module was compiled for static linking.
      + ["CoreFoundation", "_FoundationICU", "_FoundationCollections", "_FoundationCShims"]
      .map { "-l\($0)" },
    .when(platforms: [.linux], configuration: .release))
]

/// A target of this package, with the settings that all of them share.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
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
    .executable(name: "nfcprog", targets: ["nfcprog"]),
    .library(name: "NDEF", targets: ["NDEF"]),
    .library(name: "TagMemory", targets: ["TagMemory"]),
    .library(name: "TagProgramming", targets: ["TagProgramming"]),
    .library(name: "Readers", targets: ["Readers", "LibNFCReaders"]),
    .library(name: "UniversalLinks", targets: ["UniversalLinks"]),
    .library(name: "Provisioning", targets: ["Provisioning"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: [
    .systemLibrary(
      name: "Clibnfc", pkgConfig: "libnfc",
      providers: [.apt(["libnfc-dev"]), .brew(["libnfc"])]),
    .systemLibrary(
      name: "Clibusb", pkgConfig: "libusb-1.0",
      providers: [.apt(["libusb-1.0-0-dev"]), .brew(["libusb"])]),
    .systemLibrary(
      name: "Clibcsv", providers: [.apt(["libcsv-dev"]), .brew(["libcsv"])]),
    .systemLibrary(
      name: "Clibexpat", pkgConfig: "expat",
      providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
    module("Bytes"),
    module("WebAddress"),
    module("NDEF", ["Bytes"]),
    module("RecordText", ["NDEF", "WebAddress"]),
    module("TagMemory", ["Bytes"]),
