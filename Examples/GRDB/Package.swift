// swift-tools-version: 6.2
// A program with GRDB that joins its database with a store. Tests/SQL/run runs it beside the store of README's examples.
import PackageDescription

let package = Package(
  name: "quoin-grdb",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "quoin", path: "../..", traits: []),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "Holdings",
      dependencies: [
        .product(name: "QuoinC", package: "quoin"), .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ], path: "Sources")
  ],
  swiftLanguageModes: [.v6]
)
