// swift-tools-version: 6.0
import PackageDescription

// Apps' tag code as their developers write it, built against this package's CoreNFC in both
// language modes. On a phone the same sources take Apple's framework.
let bench: [Target.Dependency] = ["CoreNFC", "UIKit"].map {
  .product(name: $0, package: "nfcprog", condition: .when(platforms: [.linux, .macOS]))
}

let package = Package(
  name: "Clients",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "nfcprog", path: "../..")],
  targets: [
    .executableTarget(
      name: "TagManager", dependencies: bench, swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "WakeTags", dependencies: bench, swiftSettings: [.swiftLanguageMode(.v6)]),
    .testTarget(
      name: "LinkTests",
      dependencies: bench + [
        .product(
          name: "CoreNFCTesting", package: "nfcprog",
          condition: .when(platforms: [.linux, .macOS]))
      ], path: "Sources/LinkTests"),
  ]
)
