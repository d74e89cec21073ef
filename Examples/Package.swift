// swift-tools-version: 6.2
// Small programs that use the library. Try one at the root of the repository:
//
//     swift run --package-path Examples RangeScan
import PackageDescription

/// A program of one file.
func example(_ name: String, using library: String = "Quoin") -> Target {
  .executableTarget(
    name: name, dependencies: [.product(name: library, package: "quoin")], path: "Sources", sources: ["\(name).swift"])
}

let package = Package(
  name: "examples",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "quoin", path: "..", traits: [])
  ],
  targets: [
    "RangeScan", "ImportFiles", "Questions", "MonthlyBars", "OwnQuotes", "ColumnsToCSV", "Momentum", "Watchlist",
  ].map { example($0) } + [example("SaveJSON", using: "DataFetcher")],
  swiftLanguageModes: [.v6]
)
