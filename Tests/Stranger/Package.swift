// swift-tools-version: 6.2
// A program of somebody else's that depends on Quoin by version, as any would: `run` beside this file clones the
// repository, tags the clone and builds this package against the tag.
import Foundation
import PackageDescription

let package = Package(
  name: "stranger",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(
      url: ProcessInfo.processInfo.environment["QUOIN_URL"] ?? "https://github.com/quoin/quoin", from: "0.1.0",
      traits: [])
  ],
  targets: [
    .executableTarget(name: "stranger", dependencies: [.product(name: "Quoin", package: "quoin")])
  ],
  swiftLanguageModes: [.v6]
)
