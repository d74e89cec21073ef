import Quoin
import Testing

/// What the README shows is run, in one folder from top to bottom, and has to print what the README says it prints.
@Suite struct ReadmeTests {
  @Test func every_command_of_the_readme_prints_what_it_shows() throws {
    let workspace = try Workspace()
    _ = try workspace.shell("ln -s \(Workspace.data("")) data && mkdir bin docs && ln -s $quoin bin/quoin")
    let commands = Self.blocks("console").flatMap(Self.commands)
    #expect(commands.count > 10)
    for (line, expected) in commands {
      let result = try workspace.shell("unset QUOIN_STORE; PATH=$PWD/bin:$PATH; \(line) 2>&1")
      let printed = result.out.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      #expect(Self.matches(printed.dropLast(printed.last == "" ? 1 : 0), expected[...]), "\(line)\n\(result.out)")
    }
    // The pictures are those that the commands make.
    for name in try workspace.shell("ls docs").lines {
      #expect(try workspace.text(of: "docs/\(name)") == Self.text("docs/\(name)"), "docs/\(name)")
    }
  }

  @Test func every_question_of_the_readme_is_answered() throws {
    let workspace = try Workspace(importing: ["wiki-sample.csv"])
    let table = try Self.text("README.md").lines.drop { $0 != "| question | `quoin scan ...` |" }.dropFirst(2)
    let questions = table.prefix { $0.hasPrefix("| ") }.flatMap {
      $0.split(separator: "`").filter { $0.hasPrefix("--") }
    }
    #expect(questions.count == 27)
    for question in questions {
      let result = try workspace.shell("$quoin scan \(question) --limit 3")
      #expect(result.status == 0 && !result.out.isEmpty, "\(question)\n\(result.err)")
    }
  }

  @Test func the_program_of_the_readme_is_the_first_example() throws {
    let program = try Self.text("Examples/Sources/RangeScan.swift")
    let output = try Self.text("Examples/Output/RangeScan.txt")
    #expect(Self.blocks("swift").first == program.lines)
    #expect(Self.blocks("text").first == output.lines)
  }

  @Test func the_C_of_the_readme_is_in_the_example() throws {
    let program = try Self.text("Examples/C/RangeScan.c").lines.map { $0.drop { $0 == " " } }
    let blocks = Self.blocks("c").map { $0.map { $0.drop { $0 == " " } } }
    #expect(blocks.count == 1)
    for block in blocks { #expect(program.indices.contains { program[$0...].starts(with: block) }, "\(block)") }
    #expect(try Self.text("Examples/C/Output.txt") == Self.text("Examples/Output/RangeScan.txt"))
  }

  @Test func the_other_Swift_of_the_readme_is_compiled_line_by_line_in_tests() throws {
    let tests = try Workspace().shell("cat \(Workspace.data("../Tests/"))*Tests/*.swift").out
    let compiled = Set(tests.lines.map { $0.drop { $0 == " " } })
    for line in Self.blocks("swift").dropFirst().joined() where !line.isEmpty {
      #expect(compiled.contains(line.drop { $0 == " " }), "\(line)")
    }
  }

  @Test func the_changes_of_the_readme_are_one_commit() throws {
    let workspace = try Workspace()
    let store = try QuoteStore(at: workspace.store)
    let document = Array("date,volume\n2005-10-14,1\n".utf8)
    try store.upsert(["OLD", "FDX"].map { DailyQuoteSummary(ticker: $0, date: "2005-10-14", volume: 0) })
    try store.write { transaction in
      try transaction.delete("OLD")
      try transaction.update(where: .range(.volume, 0...0)) { $0.volume = nil }
      try transaction.upsert(parsing: document, options: ImportOptions(ticker: "NEW"))
    }
    #expect(store.generation == 2 && store.tickers == ["FDX", "NEW"])
    #expect(try store.allQuotes.fetch().map(\.volume) == [nil, 1])
    withExtendedLifetime(workspace) {}
  }

  @Test func the_version_is_the_same_everywhere() throws {
    #expect(try Workspace().run("--version").out == "\(Release.version)\n")
    #expect(try Self.text("README.md").contains("from: \"\(Release.version)\""))
    // What isn't released yet comes first.
    let headings = try Self.text("CHANGELOG.md").lines.filter { $0.hasPrefix("## ") && $0 != "## [Unreleased]" }
    #expect(headings.first?.hasPrefix("## [\(Release.version)] - ") == true)
  }

  @Test func the_readme_names_the_targets_that_make_lists() throws {
    let sentence = try #require(try Self.text("README.md").lines.first { $0.hasPrefix("`make` lists ") })
    let quoted = sentence.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    let named = quoted.filter { $0.offset % 2 == 1 && $0.element != "make" }.map { String($0.element) }
    let listed = try Self.text("Makefile").lines.filter { $0.first != "\t" && $0.contains(" ## ") }
    let made = listed.map { String($0.prefix { $0 != ":" }) }
    #expect(named == made)
  }

  @Test func every_file_that_a_page_links_to_exists() throws {
    for page in [
      "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Benchmarks/README.md", "Sources/README.md",
      "Tests/README.md", "Tests/PROMISES.md", "data/README.md",
    ] {
      let folder = page.split(separator: "/").dropLast().joined(separator: "/")
      for link in try Self.text(page).split(separator: "](").dropFirst() {
        let target = link.prefix { $0 != ")" && $0 != "#" }
        if target.isEmpty || target.contains("://") { continue }
        let path = Workspace.data("../\(folder)/\(target)")
        #expect(try Workspace().shell("test -e \(path)").status == 0, "\(page) links to \(target)")
      }
    }
  }

  /// The lines of each fenced block in this language.
  private static func blocks(_ language: String) -> [[String]] {
    var blocks: [[String]] = []
    var isInside = false
    for line in (try? text("README.md"))?.lines ?? [] {
      if line == "```\(language)" {
        blocks.append([])
        isInside = true
      } else if line.hasPrefix("```") {
        isInside = false
      } else if isInside {
        blocks[blocks.count - 1].append(line)
      }
    }
    return blocks
  }

  /// The lines after `$ `, each with the lines it is said to print.
  private static func commands(_ block: [String]) -> [(String, [String])] {
    var commands: [(String, [String])] = []
    for line in block {
      if line.hasPrefix("$ ") {
        commands.append((String(line.dropFirst(2)), []))
      } else {
        commands[commands.count - 1].1.append(line)
      }
    }
    return commands
  }

  /// Whether lines are as expected, where `...` stands for anything in a line and, alone, for any lines.
  private static func matches(_ lines: ArraySlice<String>, _ expected: ArraySlice<String>) -> Bool {
    guard let pattern = expected.first else { return lines.isEmpty }
    if pattern == "..." {
      return lines.indices.contains { matches(lines[$0...], expected.dropFirst()) } || expected.count == 1
    }
    guard let line = lines.first, matches(line, pattern) else { return false }
    return matches(lines.dropFirst(), expected.dropFirst())
  }

  private static func matches(_ line: String, _ pattern: String) -> Bool {
    guard let dots = pattern.firstRange(of: "...") else { return line == pattern }
    let (start, end) = (pattern[..<dots.lowerBound], pattern[dots.upperBound...])
    guard line.hasPrefix(start) else { return false }
    let rest = line.dropFirst(start.count)
    // The end may have dots of its own.
    return rest.indices.contains { matches(String(rest[$0...]), String(end)) } || end.isEmpty
  }

  private static func text(_ path: String) throws -> String {
    let result = try Workspace().shell("cat \(Workspace.data("../\(path)"))")
    try #require(result.status == 0, "\(path): \(result.err)")
    return result.out
  }
}

extension String {
  /// The lines, without an empty one after the last line's end.
  fileprivate var lines: [String] {
    let lines = split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.last == "" ? lines.dropLast() : lines
  }
}
