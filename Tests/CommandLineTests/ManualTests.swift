import Testing

/// The pages of the manual, which are made from what the commands say of themselves.
@Suite struct ManualTests {
  @Test func every_command_has_a_page_that_troff_takes() throws {
    let workspace = try Workspace()
    guard try workspace.shell("command -v python3").status == 0 else {
      return print("SKIPPED python3 is not installed")
    }
    // The others are built with all tests, and not with these alone.
    let siblings = try ["quoin-serve", "quoin-fetch", "quoin-sql"].filter { name in
      try workspace.shell("test -x \(Workspace.built(name))").status == 0
    }
    let programs = ["quoin"] + siblings
    let paths = programs.map { Workspace.built($0) }.joined(separator: " ")
    let made = try workspace.shell("\(Workspace.data("../packaging/make-manual")) man \(paths)")
    #expect(made.status == 0 && made.err.isEmpty, "\(made)")
    let pages = Set(try workspace.shell("ls man").lines)
    for command in ["", "-import", "-scan", "-chart", "-snapshot", "-snapshot-create", "-check"] {
      #expect(pages.contains("quoin\(command).1"), "\(command)")
    }
    for program in programs { #expect(pages.contains("\(program).1"), "\(program)") }
    #expect(!pages.contains("quoin-help.1") && pages.count >= 25)
    let scan = try workspace.text(of: "man/quoin-scan.1")
    #expect(scan.hasPrefix(".TH \"QUOIN-SCAN\" 1 \"\" \"quoin "))
    #expect(scan.contains(#"\fB\-\-where\fR \fIexpr\fR"#) && scan.contains(#"\fBquoin scan\fR [\fIoptions\fR]"#))
    guard try workspace.shell("command -v groff").status == 0 else { return print("SKIPPED groff is not installed") }
    for page in pages.sorted() {
      let result = try workspace.shell("groff -man -Tutf8 -ww man/\(page) > text; grep -c . text")
      #expect(result.status == 0 && result.err.isEmpty, "\(page) \(result.err)")
    }
  }
}
