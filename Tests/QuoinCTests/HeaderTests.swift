import Foundation
import Testing

extension CInterface {
  /// The header and the example, as compilers and readers see them.
  @Suite struct HeaderTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// Whether a compiler takes a file, and what it says. Swift's toolchain brings clang.
    private static func compile(_ compiler: String, _ arguments: [String]) throws -> (isDone: Bool, output: String) {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"] + arguments
      let pipe = Pipe()
      (process.standardError, process.standardOutput) = (pipe, pipe)
      try process.run()
      let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return (process.terminationStatus == 0, String(decoding: output, as: UTF8.self))
    }

    @Test(arguments: ["c99", "c11", "c++17"]) func compilers_take_the_header(_ language: String) throws {
      let isCPlusPlus = language.hasPrefix("c++")
      let result = try Self.compile(
        isCPlusPlus ? "clang++" : "clang",
        ["-std=\(language)", "-x", isCPlusPlus ? "c++" : "c", "\(Self.root)/Sources/CQuoin/include/quoin.h"])
      #expect(result.isDone, "\(result.output)")
    }

    @Test func the_example_is_clean_C99() throws {
      let result = try Self.compile(
        "clang", ["-std=c99", "-I", "\(Self.root)/Sources/CQuoin/include", "\(Self.root)/Examples/C/RangeScan.c"])
      #expect(result.isDone, "\(result.output)")
    }

    /// The compiler compares each function with the header; that none is forgotten, it doesn't.
    @Test func every_function_of_the_header_is_there() throws {
      let header = try String(contentsOfFile: "\(Self.root)/Sources/CQuoin/include/quoin.h", encoding: .utf8)
      let declared = header.components(separatedBy: "\n").filter { $0.first?.isLetter == true }.compactMap { line in
        line.firstMatch(of: /\b(quoin_[a-z_]+)\(/).map { String($0.1) }
      }
      let folder = "\(Self.root)/Sources/QuoinC"
      let sources = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
      let written = try sources.flatMap { name in
        try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).matches(
          of: /@implementation\npublic func (quoin_[a-z_]+)\(/
        )
        .map { String($0.1) }
      }
      #expect(declared.count >= 15 && declared.sorted() == written.sorted())
    }
  }
}
