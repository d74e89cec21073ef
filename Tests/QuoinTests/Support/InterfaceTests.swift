import Foundation
import Testing

/// What is public is written down, so that no change of it is overlooked: `make interface` writes the file anew.
@Suite struct InterfaceTests {
  private static let path =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/PublicInterface.txt"
  private let interface = PublicInterface()

  @Test func the_public_interface_is_the_one_that_is_written_down() throws {
    let text = interface.lines.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["QUOIN_WRITE_INTERFACE"] != nil {
      try text.write(toFile: Self.path, atomically: true, encoding: .utf8)
    }
    let written = try String(contentsOfFile: Self.path, encoding: .utf8).split(separator: "\n").map(String.init)
    let new = Set(interface.lines).subtracting(written).sorted().map { "\nnew: \($0)" }
    let gone = Set(written).subtracting(interface.lines).sorted().map { "\ngone: \($0)" }
    let isSame = written == interface.lines
    #expect(isSame, "after a change that is meant: make interface\((new + gone).prefix(40).joined())")
  }

  @Test func no_public_declaration_is_overlooked() {
    #expect(interface.publicCount > 500 && interface.misread.isEmpty)
  }

  @Test func declarations_are_read_as_they_are_written() {
    var reader = DeclarationReader(
      "Quoin",
      """
      #if hasAttribute(extensible)
        @extensible
      #endif
      public struct A<B: C>: D, Hidden where B: E {
        public let one: Int
        public private(set) var two = A(1)
        @discardableResult
        public static func three(
          _ a: Int, b: [String: Int] = [:]
        ) throws(F)
          -> Int
        {
          if true { 1 } else { 2 }
        }
        public var four: Int {
          get { 4 }
          set { _ = newValue }
        }
        public static let five: Five = {
          6
        }()
        public static let eights = [8].filter { $0 > 7 }.map { $0 }
        var hidden: Int { 7 }
        enum G { case secret }
        public enum H: String { case a, b }
      }
      struct Hidden {
        public init() {}
        public struct Range { public init() {} }
      }
      extension Range: K { public var p: Int { 1 } }
      extension A: Hidden { public subscript(row: Int) -> Int { row } }
      extension A: K where B == Int { public func q() {} }
      public protocol L {
        associatedtype M
        var n: Int { get }
        func o()
      }
      public func < (a: A, b: A) -> Bool { true }
      open class R {
        open func open() {}
        func close() {}
      }

      """)
    let lines = reader.read().compactMap { $0.line(without: ["Quoin.Hidden", "Quoin.Hidden.Range"]) }
    #expect(
      lines == [
        "Quoin.A: @extensible struct A<B: C>: D where B: E", "Quoin.A: let one: Int",
        "Quoin.A: private(set) var two = A(1)",
        "Quoin.A: @discardableResult static func three(_ a: Int, b: [String: Int] = [:]) throws(F) -> Int",
        "Quoin.A: var four: Int { get set }", "Quoin.A: static let five: Five",
        "Quoin.A: static let eights = [8].filter", "Quoin.A.H: enum H: String", "Quoin.A.H: case a, b",
        "Quoin.Range: extension Range: K", "Quoin.Range: var p: Int { get }",
        "Quoin.A: subscript(row: Int) -> Int { get }", "Quoin.A: extension A: K where B == Int",
        "Quoin.A where B == Int: func q()", "Quoin.L: protocol L",
        "Quoin.L: associatedtype M", "Quoin.L: var n: Int { get }", "Quoin.L: func o()",
        "Quoin: func < (a: A, b: A) -> Bool", "Quoin.R: open class R", "Quoin.R: open func open()",
      ])
  }
}
