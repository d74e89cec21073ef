// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.strictMemorySafety(), .treatAllWarnings(as: .error)]

/// A product that only the client and the server need. A package that uses this one without the trait `Network` doesn't even
/// download it.
func network(_ product: String, _ package: String) -> Target.Dependency {
  .product(name: product, package: package, condition: .when(traits: ["Network"]))
}

/// What the server's pages are made with. It is in the program itself, so that there is nothing to install.
let pageFiles =
  ["icon.svg", "quoin.css", "quoin.js"].map { "Assets/\($0)" }
  + ["check", "error", "frame", "imports", "questions", "ranges", "rows", "sign-in", "store", "ticker"].map {
    "Templates/\($0).mustache"
  }

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
  traits: [
    .default(enabledTraits: ["Network"]),
    .trait(name: "Network", description: "QuandlClient, QuoinServer and their programs."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    // Its files of settings aren't used: they can't say which settings nobody knows.
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.0.0"),
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
    .target(name: "Quoin", dependencies: ["CKernels", "CLZ4", "CXXHash", "Deflate"], swiftSettings: strict),
    .target(
      name: "Charts", dependencies: ["Quoin"],
      resources: ["chart.css", "chart.js", "file.js"].map { .embedInCode("Page/\($0)") }, swiftSettings: strict),
    .target(name: "QuoteGenerator", dependencies: ["Quoin"], swiftSettings: strict),
    .target(
      name: "DataFetcher",
      dependencies: [
        "Quoin", "QuoteGenerator", .target(name: "QuandlClient", condition: .when(traits: ["Network"])),
      ], swiftSettings: strict),
    .target(name: "Deflate", dependencies: ["CZlib"], swiftSettings: strict),
    .target(name: "QuandlService", dependencies: ["Deflate", "Quoin"], swiftSettings: strict),
    .target(
      name: "QuandlClient",
      dependencies: [
        "Deflate", "Quoin", network("AsyncHTTPClient", "async-http-client"),
        network("NIOCore", "swift-nio"), network("NIOHTTP1", "swift-nio"),
        network("NIOPosix", "swift-nio"), network("NIOSSL", "swift-nio-ssl"),
      ], swiftSettings: strict),
    .target(
      name: "QuoinServer",
      dependencies: [
        "Charts", "Deflate", "QuandlService", "Quoin",
        network("HTTPTypes", "swift-http-types"),
        network("Hummingbird", "hummingbird"),
        network("HummingbirdCore", "hummingbird"),
        network("HummingbirdTLS", "hummingbird"), network("Logging", "swift-log"),
        network("CoreMetrics", "swift-metrics"), network("Mustache", "swift-mustache"), network("NIOCore", "swift-nio"),
        network("NIOHTTP1", "swift-nio"),
        network("NIOHTTPTypes", "swift-nio-extras"),
        network("NIOHTTPTypesHTTP1", "swift-nio-extras"),
        network("NIOPosix", "swift-nio"),
        network("ServiceLifecycle", "swift-service-lifecycle"),
      ], resources: pageFiles.map { .embedInCode("Page/\($0)") }, swiftSettings: strict),
    .target(
      name: "Console",
      dependencies: ["CKernels", "Quoin", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict),
    .executableTarget(
      name: "quoin-fetch",
      dependencies: ["Console", "QuandlClient", "Quoin", network("UnixSignals", "swift-service-lifecycle")],
      path: "Sources/FetchCommand", swiftSettings: strict),
    .executableTarget(
      name: "quoin-serve",
      dependencies: [
        "Console", "QuoinServer", "Quoin", network("Configuration", "swift-configuration"),
        network("Logging", "swift-log"),
        network("NIOCore", "swift-nio"), network("NIOPosix", "swift-nio"),
        network("ServiceLifecycle", "swift-service-lifecycle"),
        network("UnixSignals", "swift-service-lifecycle"),
      ], path: "Sources/ServeCommand", swiftSettings: strict),
    .executableTarget(
      name: "quoin-cli", dependencies: ["Charts", "Console", "Quoin", "QuoteGenerator"],
      path: "Sources/CommandLine", swiftSettings: strict),
    .executableTarget(
      name: "quoin-bench", dependencies: ["Quoin", "QuoteGenerator"], path: "Benchmarks/Quoin", swiftSettings: strict),
    .executableTarget(name: "quoin-crowd", dependencies: ["Quoin"], path: "Tests/Crowd", swiftSettings: strict),
    // A program of a stranger: no settings of ours.
    .executableTarget(
      name: "quoin-tutorial", dependencies: ["DataFetcher"], path: "Examples/Tutorial", exclude: ["Output.txt"]),
    .testTarget(name: "DataFetcherTests", dependencies: ["DataFetcher", "Quoin"], swiftSettings: strict),
    .testTarget(
      name: "QuandlServiceTests", dependencies: ["Deflate", "QuandlService", "Quoin", "QuoteGenerator"],
      swiftSettings: strict),
    .testTarget(
      name: "QuandlClientTests",
      dependencies: [
        "quoin-cli", "quoin-fetch", "quoin-tutorial", "DataFetcher", "QuandlClient", "Quoin", "QuoteGenerator",
        network("NIOCore", "swift-nio"), network("NIOPosix", "swift-nio"),
      ], swiftSettings: strict),
    .testTarget(
      name: "QuoinServerTests",
      dependencies: [
        "quoin-serve", "QuandlService", "QuoinServer", "Quoin", "QuoteGenerator",
        network("CoreMetrics", "swift-metrics"), network("Logging", "swift-log"),
      ], swiftSettings: strict),
    .testTarget(
      name: "ChartsTests", dependencies: ["Charts", "Deflate", "Quoin"], exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "CommandLineTests", dependencies: ["quoin-cli", "quoin-crowd", "Quoin", "QuoteGenerator"],
      swiftSettings: strict),
    .testTarget(
      name: "QuoinTests", dependencies: ["Quoin", "QuoteGenerator"], exclude: ["Fixtures"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// The library for C. Its functions are in Swift, which can say so since 6.3; everything else needs only 6.2.
#if compiler(>=6.3)
  package.products += [
    .library(name: "QuoinC", type: .static, targets: ["QuoinC", "CQuoinSQLite"]),
    .executable(name: "quoin-sql", targets: ["quoin-sql"]),
  ]
  package.targets += [
    .target(name: "CQuoin"),
    // Needs SQLite's headers, and SQLite itself only in the program that loads it.
    .target(name: "CQuoinSQLite", dependencies: ["CQuoin"]),
    .target(name: "QuoinC", dependencies: ["CQuoin", "Quoin"], swiftSettings: strict),
    .systemLibrary(
      name: "CSQLite3", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    // Needs libedit, which macOS has.
    .target(name: "CLineEditor", linkerSettings: [.linkedLibrary("edit")]),
    .executableTarget(
      name: "quoin-sql",
      dependencies: ["CLineEditor", "CQuoinSQLite", "CSQLite3", "Console", "Quoin", "QuoinC"],
      path: "Sources/SQLCommand", swiftSettings: strict),
    // As a program in C: full of pointers.
    .testTarget(
      name: "QuoinCTests", dependencies: ["quoin-sql", "CQuoin", "QuoinC", "Quoin", "QuoteGenerator"],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ]
#endif

// `make fuzz`: the readers of the tests as a program under libFuzzer, which has the main function. Only when asked for: it
// reaches into the library as no other program may, and a source file is in one target.
if Context.environment["QUOIN_FUZZ"] != nil {
  package.targets.removeAll { $0.name == "QuoinTests" }
  package.targets.append(
    .executableTarget(
      name: "quoin-fuzz", dependencies: ["Quoin", "QuoteGenerator"], path: "Tests",
      exclude: ["DocumentationTests", "HouseTests", "InterfaceTests", "LibraryErrorTests", "RoomTests"].map {
        "QuoinTests/Support/\($0).swift"
      },
      sources: ["Fuzz/LibFuzzer.swift", "QuoinTests/Fuzz/Targets", "QuoinTests/Support"],
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}

// `make test`: optimized as for release, with every check of the language and our own on, as in debug. `make test-unoptimized`:
// our own targets without optimization, beside the others.
let isUnoptimized = Context.environment["QUOIN_UNOPTIMIZED"] != nil
let checks: [SwiftSetting] =
  if isUnoptimized {
    [.unsafeFlags(["-Onone"]), .define("UNOPTIMIZED")]
  } else if Context.environment["QUOIN_CHECKED"] != nil { [.unsafeFlags(["-assert-config", "Debug"])] } else { [] }
if !checks.isEmpty {
  for target in package.targets where target.type != .system && (isUnoptimized || target.type != .test) {
    target.swiftSettings = (target.swiftSettings ?? []) + checks
  }
}

// `make docs`: nobody else needs the plugin, so nobody else downloads it.
if Context.environment["QUOIN_DOCS"] != nil {
  package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
}
