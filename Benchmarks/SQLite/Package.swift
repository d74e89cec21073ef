// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that Quoin's doesn't need SQLite.
let package = Package(
  name: "sqlite-bench",
  platforms: [.macOS(.v15)],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(name: "sqlite-bench", dependencies: ["CSQLite"]),
  ],
  swiftLanguageModes: [.v6]
)
