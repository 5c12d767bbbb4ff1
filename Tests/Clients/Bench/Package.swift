// swift-tools-version: 6.2
import PackageDescription

/// A program of somebody else's that uses the libraries; Docs/Library.md explains it.
let package = Package(
  name: "FiveTags",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "nfcprog", path: "../../..")],
  targets: [
    .executableTarget(
      name: "FiveTags",
      dependencies: ["Bench", "Line", "NDEF", "Provisioning", "TagProgramming"].map {
        .product(name: $0, package: "nfcprog")
      })
  ])
