// swift-tools-version: 6.2
import PackageDescription

/// Programs of somebody else's that use the libraries; Docs/Library.md explains them.
let package = Package(
  name: "FiveTags",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "nfcprog", path: "../../..")],
  targets: [
    .executableTarget(
      name: "FiveTags",
      dependencies: ["Bench", "Line", "NDEF", "Provisioning", "TagProgramming"].map {
        .product(name: $0, package: "nfcprog")
      }),
    .executableTarget(
      name: "TwoReaders",
      dependencies: ["Bench", "Line", "NDEF", "Provisioning", "TagProgramming"].map {
        .product(name: $0, package: "nfcprog")
      }),
  ])
