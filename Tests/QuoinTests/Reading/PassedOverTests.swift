import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What an import doesn't look at, it lists; and what it can't look at, it fails for.
@Suite struct PassedOverTests {
  private let folder = TemporaryDirectory()
  private var input: String { folder.path + "/input" }
  private static let text = Array("date,close\n2020-01-02,1\n".utf8)

  private func write(_ name: String, _ bytes: [UInt8] = text) throws {
    try SystemFiles().writeFile(input + "/" + name, [bytes])
  }

  private func summary(_ paths: [String]) throws -> ImportSummary {
    try QuoteStore(at: folder.path + "/store").importFiles(paths, options: ImportOptions(), patience: .zero)
  }

  @Test func a_directory_says_what_is_not_looked_at_and_why() throws {
    for directory in ["", "/inner", "/.git"] { try SystemFiles().createDirectory(input + directory) }
    for name in ["AA.csv", "inner/BB.csv", ".CC.csv", "a.md", "b.md", "c.md", "d\u{1B}[31m.md", "inner/.x"] {
      try write(name)
    }
    #expect(unsafe mkfifo(input + "/DD.csv", 0o600) == 0 && symlink(input + "/inner", input + "/link") == 0)
    let summary = try summary([input])
    #expect(summary.files.map(\.name) == ["\(input)/AA.csv", "\(input)/inner/BB.csv"])
    #expect(
      summary.notes.map(\.description) == [
        "\(input)/inner: not looked at: '.x', which begins with a dot",
        "\(input): not looked at: '.CC.csv', '.git', which begins with a dot; 'DD.csv', which is no file; "
          + "'a.md', 'b.md', 'c.md' and 1 more, which isn't named as a text with quotes; 'link', which is a link to a directory",
      ])
  }

  @Test func a_link_that_leads_nowhere_is_an_error() throws {
    try SystemFiles().createDirectory(input)
    try write("AA.csv")
    #expect(unsafe symlink("gone", input + "/FOO.csv") == 0)
    #expect(throws: ImportError.cannotOpen(file: "\(input)/FOO.csv", errno: ENOENT)) { try summary([input]) }
    #expect(unsafe remove(input + "/FOO.csv") == 0 && symlink("LOOP.csv", input + "/LOOP.csv") == 0)
    #expect(throws: ImportError.cannotOpen(file: "\(input)/LOOP.csv", errno: ELOOP)) { try summary([input]) }
  }

  /// Root may enter every directory, so that it is tried by a name that no system looks up.
  @Test func what_cannot_be_looked_at_is_an_error() throws {
    #expect(throws: FileSystemError(.open, folder.path + "/none", code: ENOENT)) {
      try PathKind(lookingAt: folder.path + "/none")
    }
    try SystemFiles().createDirectory(input)
    try write("AA.csv")
    try SystemFiles().createDirectory(input + "/sub")
    try write("sub/BB.csv")
    guard getuid() != 0 else { return }
    #expect(unsafe chmod(input + "/sub", 0o644) == 0)
    defer { unsafe chmod(input + "/sub", 0o755) }
    #expect(throws: ImportError.cannotOpen(file: "\(input)/sub/BB.csv", errno: EACCES)) { try summary([input]) }
  }

  @Test func a_zip_reads_paths_that_begin_with_dots_and_names_what_is_hidden() throws {
    try SystemFiles().createDirectory(input)
    let entries = [
      ("./AA.csv", Self.text), ("../BB.csv", Self.text), ("x/./CC.csv", Self.text), (".h/DD.csv", Self.text),
      ("__MACOSX/._AA.csv", Self.text),
    ]
    try write("all.zip", Zip.kinds[0].bytes(of: entries))
    let summary = try summary([input + "/all.zip"])
    #expect(summary.tickerCount == 3 && summary.rowCount == 3)
    #expect(
      summary.notes.map(\.description) == [
        "\(input)/all.zip: not looked at: '.h/DD.csv', '__MACOSX/._AA.csv', hidden in the archive"
      ])
    try write("hidden.zip", Zip.kinds[0].bytes(of: [(".AA.csv", Self.text)]))
    #expect(throws: ImportError.noFiles(directory: "\(input)/hidden.zip")) { try self.summary([input + "/hidden.zip"]) }
  }

  /// `A\u{1B}[31m` without its control character would be the ticker `A?[31M`, and so would another name.
  @Test func a_control_character_in_an_archive_is_no_part_of_a_ticker() throws {
    try SystemFiles().createDirectory(input)
    try write("names.zip", Zip.kinds[0].bytes(of: [("A\u{1B}[31m.csv", Self.text), ("A\u{7}[31m.csv", Self.text)]))
    let error = #expect(throws: ImportError.self) { try summary([input + "/names.zip"]) }
    #expect(error?.description.contains("'A?[31m' isn't a ticker") == true)
  }
}
