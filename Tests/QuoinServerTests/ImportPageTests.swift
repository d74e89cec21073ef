import Foundation
import Quoin
import Testing

@testable import QuoinServer

/// The page that takes files: nothing is stored before its reader has seen what they are taken for, and said so.
struct ImportPageTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func server(_ arguments: [String] = ["--allow-import"]) throws -> ServerProcess {
    try ServerProcess(folder, arguments)
  }

  private static let mark = "a-mark-between-parts"

  private static func form(_ files: [(name: String, text: String)], _ fields: [String: String] = [:]) -> [UInt8] {
    var body = ""
    for (name, value) in fields {
      body += "--\(mark)\r\ncontent-disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }
    for (name, text) in files {
      body += "--\(mark)\r\nContent-Disposition: form-data; name=\"files\"; filename=\"\(name)\"\r\n"
      body += "Content-Type: text/csv\r\n\r\n\(text)\r\n"
    }
    return Array("\(body)--\(mark)--\r\n".utf8)
  }

  private static func post(
    _ server: ServerProcess, _ files: [(name: String, text: String)], _ fields: [String: String] = [:],
    _ headers: [String] = []
  ) throws -> WireAnswer {
    try post(
      server, "/imports", form(files, fields), ["content-type: multipart/form-data; boundary=\(mark)"] + headers)
  }

  private static func post(
    _ server: ServerProcess, _ path: String, _ fields: [(String, String)], _ headers: [String] = []
  ) throws -> WireAnswer {
    let pairs = fields.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
    let type = "content-type: application/x-www-form-urlencoded"
    return try post(server, path, Array(pairs.joined(separator: "&").utf8), [type] + headers)
  }

  private static func post(
    _ server: ServerProcess, _ path: String, _ body: [UInt8], _ headers: [String]
  ) throws -> WireAnswer {
    let wire = try server.connect(seconds: 60)
    wire.send(Array(server.head("POST \(path)", ["content-length: \(body.count)"] + headers).utf8) + body)
    return try #require(wire.answer())
  }

  /// The value of a hidden field.
  private static func hidden(_ name: String, _ page: WireAnswer) throws -> String {
    try String(#require(page.text.components(separatedBy: "name=\"\(name)\" value=\"").last).prefix { $0 != "\"" })
  }

  private static func confirm(_ server: ServerProcess, _ page: WireAnswer) throws -> WireAnswer {
    try post(
      server, "/imports/confirm", [("upload", hidden("upload", page)), ("revision", hidden("revision", page))])
  }

  private func closes(_ ticker: TickerSymbol) throws -> [Double?] {
    try QuoteStore(at: folder.store).quotes(for: ticker).fetch().map(\.close)
  }

  private static let german = ("NEW.csv", "Date;Close;Volume;Fixing\n19.01.2024;1.234,50;1.200;7,5\n")

  @Test func files_are_shown_then_confirmed_and_other_pages_are_told() throws {
    let server = try server()
    #expect(try server.get("/").text.contains("<a href=\"/imports\">Imports</a>"))
    let listener = try server.connect()
    listener.send(server.head("GET /events"))
    let shown = try Self.post(server, [Self.german])
    #expect(shown.status == 200, "\(shown)")
    for words in [
      "1 good row of NEW, 2024-01-19", "<td>comma</td>", "<td>day, month, year</td>", "<td>1234.5</td>",
      "its name isn&#39;t known", "Would import 1 row of NEW from NEW.csv into the store: 1 new.",
    ] { #expect(shown.text.contains(words), "\(words)") }
    #expect(try closes("NEW").isEmpty)
    let name = try Self.hidden("upload", shown)
    let mapped = try Self.post(
      server, "/imports", [("upload", name), ("map", "Fixing=open"), ("time-zone", "Asia/Tokyo")])
    #expect(
      mapped.text.contains("<option value=\"Fixing=open\" selected>") && mapped.text.contains("<td>Asia/Tokyo</td>"))
    #expect(try closes("NEW").isEmpty)
    // What was seen first isn't what would be imported now.
    let outdated = try Self.confirm(server, shown)
    #expect(outdated.status == 422 && outdated.text.contains("in another way since"), "\(outdated)")
    let done = try Self.confirm(server, outdated)
    #expect(done.text.contains("Imported 1 row of NEW from NEW.csv into the store: 1 new."), "\(done.text)")
    let quote = try QuoteStore(at: folder.store).quotes(for: "NEW").fetch().first
    #expect(quote?.close == 1234.5 && quote?.volume == 1200 && quote?.open == 7.5)
    #expect(try QuoteStore(at: folder.store).importRecords(of: "NEW").first?.source == "NEW.csv")
    let generation = try QuoteStore(at: folder.store).generation
    var text = ""
    for _ in 0..<20 where !text.contains("data: \(generation)\n") {
      text += String(decoding: listener.read(), as: UTF8.self)
    }
    #expect(text.contains("event: commit\ndata: \(generation)\n"))
    #expect(try Self.confirm(server, outdated).text.contains("aren&#39;t here any more"))
    #expect(try closes("NEW") == [1234.5])
  }

  @Test func a_file_that_would_be_refused_is_shown_with_the_reason_and_cant_be_imported() throws {
    let server = try server()
    let shown = try Self.post(server, [Self.german, ("X.csv", "Date,Open,Fixing\n2024-01-19,1.5,2\n")])
    #expect(shown.status == 200 && shown.text.contains("An import would refuse this file"))
    #expect(shown.text.contains("X.csv has open but no close") && !shown.text.contains("/imports/confirm"))
    // What wasn't shown can't be confirmed.
    let fields = [("upload", try Self.hidden("upload", shown)), ("revision", "1")]
    #expect(try Self.post(server, "/imports/confirm", fields).status == 422)
    let name = try Self.hidden("upload", shown)
    let wrong = try Self.post(server, "/imports", [("upload", name), ("decimal", "x")])
    #expect(
      wrong.status == 422 && wrong.text.contains("Sign before fractions, &#39;x&#39;: must be one of"), "\(wrong)")
    let again = try Self.post(server, "/imports", [("upload", name), ("map", "Fixing=close")])
    #expect(again.text.contains("/imports/confirm"), "\(again.text)")
    #expect(try Self.confirm(server, again).text.contains("Imported 2 rows of NEW, X from 2 files"))
  }

  /// What the store has of a day, and what comes: a missing close, another open, and no volume.
  @Test(arguments: UpsertMode.allCases) func the_days_of_the_store_change_as_the_form_says(_ mode: UpsertMode) throws {
    let server = try server()
    let first = try Self.post(server, [("NEW.csv", "date,open,close,volume\n2024-01-19,1,2,3\n")])
    #expect(try Self.confirm(server, first).status == 200)
    let shown = try Self.post(
      server, [("NEW.csv", "date,open,close\n2024-01-19,5,\n2024-01-22,6,7\n")],
      mode == .update ? [:] : ["mode": mode.rawValue])
    let isChosen = shown.text.contains("<option value=\"\(mode.rawValue)\" selected>")
    #expect(isChosen == (mode != .update) && shown.text.contains("<label for=\"mode\">"))
    #expect(try Self.confirm(server, shown).status == 200)
    let quotes = try QuoteStore(at: folder.store).quotes(for: "NEW").fetch()
    let expected: (open: Double, close: Double?, volume: Int64?) =
      switch mode {
      case .update: (5, nil, 3)
      case .fill: (5, 2, 3)
      case .replace: (5, nil, nil)
      case .keep: (1, 2, 3)
      }
    #expect(quotes.count == 2 && quotes[1].open == 6 && quotes[1].close == 7)
    #expect(quotes[0].open == expected.open && quotes[0].close == expected.close)
    #expect(quotes[0].volume == expected.volume)
  }

  @Test func an_unknown_mode_is_refused() throws {
    let answer = try Self.post(server(), [Self.german], ["mode": "merge"])
    #expect(answer.status == 422 && answer.text.contains("&#39;merge&#39; is nothing that can happen"), "\(answer)")
  }

  /// The gate for rows is the files'.
  @Test(arguments: [
    ("2024-01-19,inf,3", "&#39;inf&#39;"), ("2024-01-19,1e999,3", "1e999"), ("2024-01-19,1,-3", "a volume below zero"),
    ("2024-01-19,1,3\n2024-01-19,2,3", "2024-01-19"),
  ])
  func rows_that_files_are_refused_for_dont_come_in(_ rows: String, _ words: String) throws {
    let server = try server()
    let shown = try Self.post(server, [("NEW.csv", "date,close,volume\n\(rows)\n")])
    #expect(shown.text.contains(words) && !shown.text.contains("/imports/confirm"), "\(shown.text)")
    #expect(try closes("NEW").isEmpty)
  }

  @Test func rows_without_values_are_left_out_and_counted() throws {
    let server = try server()
    let shown = try Self.post(server, [("NEW.csv", "date,close,volume\n2024-01-19,1,3\n2024-01-22,,\n")])
    #expect(shown.text.contains("1 new, 1 without values."), "\(shown.text)")
    #expect(try Self.confirm(server, shown).text.contains("1 new, 1 without values."))
    #expect(try closes("NEW") == [1])
  }

  @Test func a_server_that_only_reads_takes_nothing() throws {
    let server = try server([])
    let page = try server.get("/imports")
    #expect(page.status == 200 && page.text.contains("--allow-import") && !page.text.contains("type=\"file\""))
    #expect(try !server.get("/").text.contains("/imports"))
    let refused = try Self.post(server, [Self.german])
    #expect(refused.status == 403 && refused.text.contains("only reads"), "\(refused)")
    #expect(try Self.post(server, "/imports/confirm", [("upload", "x")]).status == 403)
    let behind = try ServerProcess.run(["--store", folder.store, "--port", "0", "--allow-import", "--behind-proxy"])
    #expect(behind.status != 0 && behind.error.contains("needs a token") && behind.error.contains("--token-file"))
  }

  @Test func a_sharded_store_is_told() throws {
    let shards = folder.path + "/shards"
    try QuoteStore(at: folder.store).divide(into: 2, at: shards)
    let server = try ServerProcess(folder, ["--store", shards, "--allow-import"])
    let answer = try Self.post(server, [Self.german])
    #expect(answer.status == 200 && answer.text.contains("This store is sharded"), "\(answer.text)")
  }

  @Test func only_whoever_shows_the_token_sends_files_and_each_session_has_its_own() throws {
    let token = "a-token-of-more-than-16-bytes"
    let file = try folder.write(token, to: "token")
    let server = try server([
      "--allow-import", "--token-file", file, "--allow-origin", "https://charts.example", "--behind-proxy",
    ])
    func cookie() throws -> String {
      let answer = try Self.post(server, "/sign-in", [("token", token)])
      return "cookie: " + (try #require(answer.headers["set-cookie"])).prefix { $0 != ";" }
    }
    #expect(try Self.post(server, [Self.german]).status == 303)
    #expect(try Self.post(server, [Self.german], [:], ["x-api-token: \(token)"]).status == 200)
    let (mine, other) = (try cookie(), try cookie())
    let shown = try Self.post(server, [Self.german], [:], [mine])
    #expect(shown.status == 200)
    let fields = [("upload", try Self.hidden("upload", shown)), ("revision", "1")]
    for headers in [[other], ["x-api-token: \(token)"]] {
      let refused = try Self.post(server, "/imports/confirm", fields, headers)
      #expect(refused.status == 404, "\(headers)")
    }
    #expect(try Self.post(server, "/imports/confirm", fields).status == 303)
    for headers in [
      ["origin: http://evil.example"], ["origin: https://charts.example"], ["sec-fetch-site: cross-site"],
      ["origin: null"],
    ] {
      #expect(try Self.post(server, "/imports/confirm", fields, [mine] + headers).status == 403, "\(headers)")
      #expect(try Self.post(server, [Self.german], [:], [mine] + headers).status == 403, "\(headers)")
    }
    #expect(try closes("NEW").isEmpty)
    #expect(try Self.post(server, "/imports/confirm", fields, [mine]).text.contains("Imported 1 row"))
  }

  @Test func too_much_is_refused_with_a_sentence() throws {
    let server = try server()
    let many = (0...ServerLimits.importFiles).map { ("A\($0).csv", "date,close\n2024-01-19,1\n") }
    let refused = try Self.post(server, many)
    #expect(refused.status == 413 && refused.text.contains("more than 50 files"), "\(refused)")
    let large = try Self.post(
      server, [("BIG.csv", String(repeating: "x", count: ServerLimits.importFileByteCount + 1))])
    #expect(large.status == 413 && large.text.contains("has more than 16 MB"), "\(large)")
    let wire = try server.connect()
    let length = "content-length: \(ServerLimits.importByteCount + 1)"
    wire.send(server.head("POST /imports", ["content-type: multipart/form-data; boundary=x", length]))
    #expect(try #require(wire.answer()).status == 413)
    #expect(try Self.post(server, []).text.contains("Choose a file first"))
  }

  @Test func names_and_cells_are_shown_as_text() throws {
    let script = "<script>alert(1)</script>"
    let shown = try Self.post(server(), [("\(script)A.csv", "date,close,\(script)\n2024-01-19,1,\(script)\n")])
    #expect(shown.status == 200 && !shown.text.contains("<script>alert") && shown.text.contains("&lt;script&gt;"))
  }

  @Test func only_some_forms_are_kept_and_the_oldest_goes() throws {
    let desk = ImportDesk(isOpen: true)
    let names = (0...ServerLimits.keptImports).map { _ in desk.keep([], of: nil) }
    #expect(throws: Refusal.self) { try desk.upload(names[0], of: nil) }
    #expect(throws: Refusal.self) { try desk.upload(names[1], of: "somebody") }
    #expect(try desk.upload(names[1], of: nil).revision == 0)
  }

  @Test func a_form_is_taken_apart_and_nothing_that_is_sent_ends_the_process() throws {
    let whole = Self.form([("C:\\quotes\\A.csv", "a\r\n--b"), ("", "")], ["decimal": ","])
    let type = "multipart/form-data; boundary=\"\(Self.mark)\""
    let form = try FilesForm(whole, type: type)
    #expect(form.files.map(\.name) == ["A.csv"] && form.files.map(\.bytes) == [Array("a\r\n--b".utf8)])
    #expect(form.fields.map(\.name) == ["decimal"] && form.fields.map(\.value) == [","])
    #expect(throws: Refusal.self) { try FilesForm(whole, type: "multipart/form-data") }
    #expect(throws: Refusal.self) { try FilesForm([], type: type) }
    for count in whole.indices { _ = try? FilesForm(Array(whole.prefix(count)), type: type) }
    for index in whole.indices {
      var changed = whole
      changed[index] = changed[index] == 0x0D ? 0x2D : 0x0D
      _ = try? FilesForm(changed, type: type)
    }
  }
}
