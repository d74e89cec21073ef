// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.strictMemorySafety(), .treatAllWarnings(as: .error)]

let package = Package(
  name: "quoin",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Quoin", targets: ["Quoin"]),
    .executable(name: "quoin", targets: ["quoin-cli"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
  ],
  targets: [
    .systemLibrary(
      name: "CLZ4", pkgConfig: "liblz4",
      providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
    .systemLibrary(
      name: "CXXHash", pkgConfig: "libxxhash",
      providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),
    .target(name: "CKernels"),
    .target(name: "Quoin", dependencies: ["CKernels", "CLZ4", "CXXHash"], swiftSettings: strict),
    .target(name: "QuoteGenerator", dependencies: ["Quoin"], swiftSettings: strict),
    .executableTarget(
      name: "quoin-cli",
      dependencies: ["Quoin", "QuoteGenerator", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      path: "Sources/CommandLine", swiftSettings: strict),
    .executableTarget(
      name: "quoin-bench", dependencies: ["Quoin", "QuoteGenerator"], path: "Benchmarks/Quoin", swiftSettings: strict),
    .executableTarget(name: "quoin-crowd", dependencies: ["Quoin"], path: "Tests/Crowd", swiftSettings: strict),
    .testTarget(
      name: "CommandLineTests", dependencies: ["quoin-cli", "quoin-crowd", "Quoin", "QuoteGenerator"],
      swiftSettings: strict),
    .testTarget(
      name: "QuoinTests", dependencies: ["Quoin", "QuoteGenerator"], exclude: ["Fixtures"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// `make fuzz`: the readers of the tests as a program under libFuzzer, which has the main function. Only when asked for: it
// reaches into the library as no other program may, and a source file is in one target.
if Context.environment["QUOIN_FUZZ"] != nil {
  package.targets.removeAll { $0.name == "QuoinTests" }
  package.targets.append(
    .executableTarget(
      name: "quoin-fuzz", dependencies: ["Quoin", "QuoteGenerator"], path: "Tests",
      exclude: ["QuoinTests/Support/RoomTests.swift"],
      sources: ["Fuzz/LibFuzzer.swift", "QuoinTests/Fuzz/Targets", "QuoinTests/Support"],
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
