import Quoin
import Testing

/// What the README and the pages of `docs/` show is run, each page in a folder of its own from top to bottom, and has to print
/// what the page says it prints.
@Suite struct ReadmeTests {
  /// The pages for users.
  private static let pages: [String] = {
    let docs = (try? Workspace().shell("cd \(Workspace.data("..")) && ls docs/*.md").out.lines) ?? []
    return ["README.md"] + docs
  }()

  /// Other pages with links.
  private static let otherPages =
    [
      "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Benchmarks/README.md", "Python/README.md", "Sources/README.md",
      "Tests/README.md", "Tests/PROMISES.md", "data/README.md",
    ] + ((try? Workspace().shell("cd \(Workspace.data("..")) && ls docs/architecture/*.md").out.lines) ?? [])

  @Test(arguments: pages)
  func every_command_of_a_page_prints_what_it_shows(page: String) throws {
    let workspace = try Workspace()
    _ = try workspace.shell("ln -s \(Workspace.data("")) data && mkdir bin docs && ln -s $quoin bin/quoin")
    var commands = try Self.blocks("console", of: page).flatMap(Self.commands)
    #expect(page != "README.md" || commands.count > 1)
    // The store of the first step.
    if page != "README.md", let first = try Self.blocks("console", of: "README.md").flatMap(Self.commands).first {
      commands.insert(first, at: 0)
    }
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

  @Test(arguments: [("README.md", 10), ("docs/language.md", 36)])
  func every_question_of_a_table_is_answered(page: String, count: Int) throws {
    let workspace = try Workspace(importing: ["wiki-sample.csv"])
    let table = try Self.text(page).lines.drop { $0 != "| question | `quoin scan ...` |" }.dropFirst(2)
    let questions = table.prefix { $0.hasPrefix("| ") }.flatMap {
      $0.split(separator: "`").filter { $0.hasPrefix("--") }
    }
    #expect(questions.count == count)
    for question in questions {
      let result = try workspace.shell("$quoin scan \(question) --limit 3")
      #expect(result.status == 0 && !result.out.isEmpty, "\(question)\n\(result.err)")
    }
  }

  @Test func the_readme_can_be_read_at_a_sitting() throws {
    #expect(try Self.text("README.md").utf8.count <= 14_000)
  }

  @Test func the_program_of_the_readme_is_the_first_example() throws {
    let program = try Self.text("Examples/Sources/RangeScan.swift")
    let output = try Self.text("Examples/Output/RangeScan.txt")
    #expect(try Self.blocks("swift", of: "README.md").first == program.lines)
    #expect(try Self.blocks("text", of: "README.md").first == output.lines)
  }

  @Test func the_C_of_the_pages_is_in_the_example() throws {
    let program = try Self.text("Examples/C/RangeScan.c").lines.map { $0.drop { $0 == " " } }
    for page in ["README.md", "docs/embedding.md"] {
      let blocks = try Self.blocks("c", of: page).map { $0.map { $0.drop { $0 == " " } } }
      #expect(blocks.count == 1)
      for block in blocks {
        #expect(program.indices.contains { program[$0...].starts(with: block) }, "\(block)")
      }
    }
    #expect(try Self.text("Examples/C/Output.txt") == Self.text("Examples/Output/RangeScan.txt"))
  }

  /// The tests of each language run the page.
  @Test(arguments: ["python", "sql"])
  func other_languages_of_the_readme_are_on_the_page_that_is_run(_ language: String) throws {
    let lines = Set(try Self.blocks(language, of: "docs/embedding.md").joined())
    for line in try Self.blocks(language, of: "README.md").joined() { #expect(lines.contains(line), "\(line)") }
  }

  @Test func the_other_Swift_of_the_pages_is_compiled_line_by_line_in_tests() throws {
    let tests = try Workspace().shell("find \(Workspace.data("../Tests/")) -name '*.swift' -exec cat {} +").out
    let compiled = Set(tests.lines.map { $0.drop { $0 == " " } })
    var count = 0
    for page in Self.pages {
      let blocks = try Self.blocks("swift", of: page).dropFirst(page == "README.md" ? 1 : 0)
      for line in blocks.joined() where !line.isEmpty {
        #expect(compiled.contains(line.drop { $0 == " " }), "\(page): \(line)")
        count += 1
      }
    }
    #expect(count > 20)
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

  @Test(arguments: pages + otherPages)
  func every_file_and_heading_that_a_page_links_to_exists(page: String) throws {
    let folder = page.split(separator: "/").dropLast().joined(separator: "/")
    for link in try Self.text(page).split(separator: "](").dropFirst() {
      let target = link.prefix { $0 != ")" }
      if target.contains("://") || target.contains(" ") { continue }
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let path = parts[0].isEmpty ? page : folder.isEmpty ? String(parts[0]) : "\(folder)/\(parts[0])"
      #expect(try Workspace().shell("test -e '\(Workspace.data("../\(path)"))'").status == 0, "\(page): \(target)")
      if parts.count > 1, path.hasSuffix(".md") {
        #expect(try Self.headings(of: path).contains(String(parts[1])), "\(page): \(target)")
      }
    }
  }

  /// The places of a page's headings, as GitHub names them.
  private static func headings(of page: String) throws -> [String] {
    try text(page).lines.filter { $0.hasPrefix("#") }.map { line in
      let words = line.drop { $0 == "#" }.dropFirst().lowercased()
      return String(words.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" })
        .replacing(" ", with: "-")
    }
  }

  /// The lines of each fenced block in this language.
  private static func blocks(_ language: String, of page: String) throws -> [[String]] {
    var blocks: [[String]] = []
    var isInside = false
    for line in try text(page).lines {
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
