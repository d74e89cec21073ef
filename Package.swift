// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.strictMemorySafety(), .treatAllWarnings(as: .error)]

let package = Package(
  name: "quoin",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Quoin", targets: ["Quoin"]),
    .library(name: "DataFetcher", targets: ["DataFetcher"]),
    .library(name: "QuandlClient", targets: ["QuandlClient"]),
    .library(name: "QuoinServer", targets: ["QuoinServer"]),
    .executable(name: "quoin", targets: ["quoin-cli"]),
    .executable(name: "quoin-fetch", targets: ["quoin-fetch"]),
    .executable(name: "quoin-serve", targets: ["quoin-serve"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.25.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CLZ4", pkgConfig: "liblz4",
      providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
    .systemLibrary(
      name: "CXXHash", pkgConfig: "libxxhash",
      providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "CKernels"),
    .target(name: "Quoin", dependencies: ["CKernels", "CLZ4", "CXXHash"], swiftSettings: strict),
    .target(name: "QuoteGenerator", dependencies: ["Quoin"], swiftSettings: strict),
    .target(name: "DataFetcher", dependencies: ["Quoin", "QuoteGenerator"], swiftSettings: strict),
    .target(name: "Deflate", dependencies: ["CZlib"], swiftSettings: strict),
    .target(name: "QuandlService", dependencies: ["Deflate", "Quoin"], swiftSettings: strict),
    .target(
      name: "QuandlClient",
      dependencies: [
        "Quoin", .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], swiftSettings: strict),
    .target(
      name: "QuoinServer",
      dependencies: [
        "Deflate", "QuandlService", "Quoin", .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ], swiftSettings: strict),
    .target(
      name: "Console", dependencies: ["Quoin", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict),
    .executableTarget(
      name: "quoin-fetch", dependencies: ["Console", "QuandlClient", "Quoin"], path: "Sources/FetchCommand",
      swiftSettings: strict),
    .executableTarget(
      name: "quoin-serve",
      dependencies: [
        "Console", "QuoinServer", "Quoin", .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ], path: "Sources/ServeCommand", swiftSettings: strict),
    .executableTarget(
      name: "quoin-cli", dependencies: ["Console", "Quoin", "QuoteGenerator"],
      path: "Sources/CommandLine", swiftSettings: strict),
    .executableTarget(
      name: "quoin-bench", dependencies: ["Quoin", "QuoteGenerator"], path: "Benchmarks/Quoin", swiftSettings: strict),
    .executableTarget(name: "quoin-crowd", dependencies: ["Quoin"], path: "Tests/Crowd", swiftSettings: strict),
    .testTarget(name: "DataFetcherTests", dependencies: ["DataFetcher", "Quoin"], swiftSettings: strict),
    .testTarget(
      name: "QuandlServiceTests", dependencies: ["Deflate", "QuandlService", "Quoin", "QuoteGenerator"],
      swiftSettings: strict),
    .testTarget(
      name: "QuandlClientTests",
      dependencies: [
        "quoin-fetch", "QuandlClient", "Quoin", "QuoteGenerator", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ], swiftSettings: strict),
    .testTarget(
      name: "QuoinServerTests",
      dependencies: [
        "quoin-serve", "QuandlService", "QuoinServer", "Quoin", "QuoteGenerator",
        .product(name: "CoreMetrics", package: "swift-metrics"), .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: strict),
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
