// swift-tools-version: 6.2
import PackageDescription

/// Four programs of somebody else that need a part of the libraries: `check` holds what comes with
/// it against what should.
let package = Package(
  name: "Small",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "nfcprog", path: "../../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Records", dependencies: [.product(name: "NDEF", package: "nfcprog")]),
    .executableTarget(
      name: "Convert",
      dependencies: ["NDEF", "TagDumps", "UniversalLinks"].map {
        .product(name: $0, package: "nfcprog")
      }),
    .executableTarget(
      name: "OneTag", dependencies: [.product(name: "TagProgramming", package: "nfcprog")]),
    .executableTarget(
      name: "OneSession", dependencies: [.product(name: "CoreNFC", package: "nfcprog")]),
  ])
