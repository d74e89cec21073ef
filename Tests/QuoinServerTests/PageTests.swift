import Foundation
import Quoin
import Testing

@testable import QuoinServer

/// The pages for browsers, as bytes. What a browser makes of them is tested in `Tests/Page`.
struct PageTests {
  private static let addresses = [
    "/", "/?q=F", "/check", "/ticker/FDX",
    "/ticker/FDX?range=max&overlay=mean(close,20)&panel=rsi(close,14)&mark=close%3E80",
    "/ranges", "/ranges?tickers=FDX&high.min=80&high.max=83", "/questions",
    "/questions?tickers=FDX&columns=date,mean(close,20)%20as%20ma", "/questions?aggregates=mean(close)&by=ticker",
  ]

  private func server() throws -> ServerProcess { try ServerProcess.shared.get() }

  @Test(arguments: addresses) func every_page_is_whole_and_runs_no_script_but_our_own(address: String) throws {
    let answer = try server().get(address)
    #expect(answer.status == 200 && answer.headers["content-type"] == "text/html; charset=utf-8", "\(answer.status)")
    #expect(answer.text.hasPrefix("<!DOCTYPE html>") && answer.text.hasSuffix("</html>\n"))
    #expect(!answer.text.contains("{{") && !answer.text.contains("}}"))
    let policy = answer.headers["content-security-policy"] ?? ""
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; ") && !policy.contains("unsafe"), "\(policy)")
    // Scripts are our file, and data that no browser runs.
    for script in answer.text.matches(of: /<script([^>]*)>/) {
      let attributes = script.output.1
      #expect(
        attributes.contains("type=\"application/json\"") || attributes.contains(/src="\/page\/[0-9a-f]{8}\/quoin.js"/),
        "\(attributes)")
    }
    #expect(!answer.text.contains(" style=") && !answer.text.contains(" onclick"))
  }

  @Test(arguments: [
    "where=close%20%3E%201e9", "where=close%20%3E%201e9&page=2", "from=2999-01-01", "where=ticker%20=%20'XYZ'",
    "tickers=FDX&where=close%20%3E%201e9&columns=date,mean(close,3)", "where=close%20%3E%201e9&latest=true",
    "where=close%20%3E%201e9&resample=week", "where=close%20%3E%201e9&order=close%20desc",
    "where=close%20%3E%201e9&top=3%20by%20close%20per%20day",
    "where=close%20%3E%20prev(close)%20*%201e9&aggregates=count",
    "where=close%20%3E%201e9&aggregates=mean(close)&by=ticker",
  ]) func an_answer_without_rows_is_a_page_too(query: String) throws {
    let server = try server()
    for address in ["/questions?\(query)", "/ranges?close.min=1e9"] {
      let answer = try server.get(address)
      #expect(answer.status == 200 && answer.text.hasSuffix("</html>\n"), "\(address): \(answer.status)")
    }
    #expect(try server.get("/livez").status == 200)
  }

  @Test func files_are_named_by_what_is_in_them() throws {
    let page = try server().get("/").text
    let script = try #require(page.firstMatch(of: /src="([^"]+)"/))
    for address in [String(script.output.1)]
      + page.matches(of: /<link [^>]*href="([^"]+)"/).map({ String($0.output.1) })
    {
      let file = try server().get(address)
      #expect(file.status == 200 && file.headers["cache-control"]?.contains("immutable") == true, "\(address)")
      #expect(file.body.count < 40_000, "\(address) has \(file.body.count) bytes")
    }
    #expect(try server().get("/page/00000000/quoin.js").status == 404)
  }

  @Test(arguments: [
    "/?q=", "/ticker/FDX?overlay=", "/ticker/FDX?kind=", "/ticker/FDX?mark=", "/ticker/", "/ranges?tickers=",
    "/ranges?high.min=",
    "/questions?where=", "/questions?columns=", "/questions?aggregates=", "/questions?by=", "/questions?order=",
    "/check?tickers=",
    "/questions?columns=close*2%20as%20", "/ticker/FDX?",
  ]) func what_is_asked_is_shown_as_text(start: String) throws {
    for text in ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'</script><b>"] {
      let typed = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let answer = try server().get(start + typed, ["accept: text/html"])
      let page = answer.text
      #expect(
        !page.contains("<script>alert") && !page.contains("<img") && !page.contains("</script><b>"), "\(start)\(text)")
      #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
    }
  }

  @Test func ranges_find_the_days_that_a_query_finds() throws {
    let answer = try server().get("/ranges?tickers=FDX&high.min=80&high.max=83&low.min=78&low.max=82")
    let store = try QuoteStore(at: server().folder.store)
    let quotes = try store.quotes(for: "FDX").where(.high, in: 80...83).where(.low, in: 78...82).fetch()
    #expect(answer.text.contains("aria-live=\"polite\">\(quotes.count) days</output>"))
    for quote in quotes { #expect(answer.text.contains("<tr><td>FDX</td><td>\(quote.date)</td>")) }
    // Every mark is one of these days.
    #expect(answer.text.components(separatedBy: "class=\"mark\"").count > 4)
  }

  @Test(arguments: [
    ("/ranges?high.mni=80", "did you mean &#39;high.min&#39;?"), ("/ranges?high.min=eighty", "isn&#39;t a number"),
    ("/ranges?high.min=0x10", "isn&#39;t a number"),
    ("/ranges?high.min=83&high.max=80", "at least 83 is above at most 80"), ("/ticker/FDY", "did you mean FDX?"),
    ("/ticker/FDX?range=2y", "write one of 1m"), ("/ticker/FDX?kind=candels", "did you mean &#39;candles&#39;?"),
    ("/ticker/FDX?overlay=maen(close,20)", "did you mean &#39;mean&#39;?"),
    ("/ticker/FDX?from=2005-13-01", "isn&#39;t a date"),
    ("/questions?where=clsoe%20%3E%203", "did you mean &#39;close&#39;?"),
    ("/questions?where=clsoe%20%3E%203", "\n  ^"),
    ("/questions?limit=100000", "from 1 to 1000"), ("/questions?tickers=NOPE", "there are no quotes of NOPE"),
    ("/?page=0", "isn&#39;t the number of a page"), ("/check?tickers=FDY", "did you mean FDX?"),
    ("/questions?limit=1&limit=2", "&#39;limit&#39; is given 2 times"),
    ("/ranges?from=2005-01-03&from=last", "give it once"),
    ("/ticker/FDX?adjusted=maybe", "adjusted=maybe: write true or false"),
    ("/ticker/FDX?mark=close%20of%20XYZ%20%3E%205", "there are no quotes of XYZ"),
    ("/questions?as_of=2005-06-01&where=next(close)%20%3E%20close", "use &#39;prev&#39;, which looks back"),
    ("/ticker/FDX?by=week&overlay=close%20of%20XYZ", "there are no quotes of XYZ"),
    ("/questions?by=ticker&aggregates=count%20as%20ticker", "two columns &#39;ticker&#39;"),
  ]) func mistakes_are_told_on_the_page(address: String, sentence: String) throws {
    let answer = try server().get(address)
    #expect((400..<500).contains(answer.status), "\(answer.status)")
    let shown = try #require(answer.text.components(separatedBy: "role=\"alert\">").dropFirst().first)
    #expect(shown.prefix(600).lowercased().contains(sentence.lowercased()), "\(shown.prefix(600))")
  }

  /// The page of a mistake keeps its form, also where only the store can tell.
  @Test(arguments: [
    "/ticker/FDX?mark=close%20of%20XYZ%20%3E%205", "/questions?as_of=2005-06-01&where=next(close)%20%3E%20close",
  ]) func a_mistake_leaves_what_was_typed(address: String) throws {
    let answer = try server().get(address)
    #expect(answer.status >= 400 && answer.text.contains(" &gt; ") && answer.text.contains("<form id="))
    #expect(!answer.text.contains("Download these days"))
  }

  @Test func conditions_that_are_given_several_times_all_count() throws {
    let store = try QuoteStore(at: server().folder.store)
    let count = try store.quotes(for: "FDX", "KO").where(.close, above: 40, below: 41).count()
    let page = try server().get(
      "/questions?tickers=KO&tickers=FDX&where=close%20%3E%2040&where=close%20%3C%2041&limit=1000"
    ).text
    #expect(count > 0 && page.contains("id=\"answer-heading\">\(count) rows"), "\(count)")
    #expect(page.contains("value=\"(close &gt; 40) and (close &lt; 41)\"") && page.contains("value=\"KO,FDX\""))
  }

  /// What is copied from a page of an answer has its rows.
  @Test func copies_of_a_later_page_begin_with_its_first_row() throws {
    let page = try server().get("/questions?tickers=FDX&columns=date,close&limit=2&page=3").text
    #expect(page.contains("--limit 2 --offset 4") && page.contains("offset=4"))
    #expect(try !server().get("/questions?tickers=FDX&columns=date,close&limit=2").text.contains("offset"))
  }

  @Test(arguments: [("", false), ("&adjusted=on", true), ("&adjusted=false", false), ("&adjusted=off", false)])
  func a_switch_says_whether_it_is_on(_ query: String, _ isOn: Bool) throws {
    let page = try server().get("/ticker/FDX?range=1y\(query)").text
    #expect(page.contains("name=\"adjusted\" value=\"on\" checked") == isOn)
  }

  /// A field for dates would show nothing of it, and forget it.
  @Test(arguments: ["/ranges", "/ticker/FDX", "/questions"]) func days_in_words_stay_in_their_field(path: String) throws
  {
    let page = try server().get("\(path)?from=last%20-%201y").text
    #expect(
      page.contains("<input type=\"text\" name=\"from\" value=\"last - 1y\"")
        || page.contains("name=\"from\" value=\"last - 1y\""))
    #expect(!page.contains("type=\"date\" name=\"from\""))
  }

  @Test func an_unchanged_page_isnt_sent_again() throws {
    let first = try server().get("/ticker/FDX")
    let tag = try #require(first.headers["etag"])
    #expect(try server().get("/ticker/FDX", ["if-none-match: \(tag)"]).status == 304)
  }

  @Test func a_link_on_another_site_leads_here_but_its_pages_cant_ask() throws {
    let visit = ["sec-fetch-site: cross-site", "sec-fetch-mode: navigate"]
    #expect(try server().get("/ticker/FDX", visit + ["sec-fetch-dest: document"]).status == 200)
    #expect(try server().get("/ticker/FDX", visit + ["sec-fetch-dest: iframe"]).status == 403)
    #expect(try server().get("/ticker/FDX", ["sec-fetch-site: cross-site", "sec-fetch-mode: cors"]).status == 403)
    #expect(
      try server().get("/ticker/FDX", visit + ["sec-fetch-dest: document", "origin: http://evil.example"]).status == 403
    )
    #expect(try server().get("/api/v1/tickers", visit + ["sec-fetch-dest: document"]).status == 403)
  }
}

/// A server with a token, asked by a browser.
struct SignInTests {
  private static let token = "a-token-of-more-than-16-bytes"
  private let folder: TestFolder
  private let server: ServerProcess

  init() throws {
    folder = try TestFolder()
    server = try ServerProcess(folder, ["--token-file", folder.write(Self.token, to: "token")])
  }

  private func post(_ path: String, _ body: String, _ headers: [String] = []) throws -> WireAnswer {
    let wire = try server.connect()
    let form = ["content-type: application/x-www-form-urlencoded", "content-length: \(body.utf8.count)"]
    wire.send(server.head("POST \(path)", form + headers) + body)
    return try #require(wire.answer())
  }

  private func cookie(_ answer: WireAnswer) throws -> String {
    String(try #require(answer.headers["set-cookie"]).prefix { $0 != ";" })
  }

  @Test func a_browser_shows_the_token_once_and_then_its_cookie() throws {
    let refused = try server.get("/ticker/FDX?range=max")
    #expect(refused.status == 303 && refused.headers["location"] == "/sign-in?to=%2Fticker%2FFDX%3Frange%3Dmax")
    #expect(try server.get("/api/v1/tickers").status == 401)
    #expect(try server.get("/sign-in").text.contains("type=\"password\""))
    // No address has the token.
    #expect(try server.get("/?api_key=\(Self.token)").status == 303)
    let wrong = try post("/sign-in", "token=a-token-of-some-other-sort&to=%2F")
    #expect(
      wrong.status == 401 && wrong.headers["set-cookie"] == nil
        && wrong.text.contains("That isn&#39;t the server&#39;s token"))
    let right = try post("/sign-in", "token=\(Self.token)&to=%2Fticker%2FFDX%3Frange%3Dmax")
    #expect(right.status == 303 && right.headers["location"] == "/ticker/FDX?range=max")
    let header = try #require(right.headers["set-cookie"])
    #expect(header.contains("HttpOnly") && header.contains("SameSite=Strict") && !header.contains(Self.token))
    let session = try cookie(right)
    #expect(try server.get("/ticker/FDX", ["cookie: other=1; \(session)"]).status == 200)
    #expect(try server.get("/api/v1/count", ["cookie: \(session)"]).status == 200)
    #expect(try server.get("/", ["cookie: quoin_session=0-0"]).status == 303)
    let out = try post("/sign-out", "", ["cookie: \(session)"])
    #expect(out.status == 303 && out.headers["set-cookie"]?.contains("Max-Age=0") == true)
    #expect(try server.get("/", ["cookie: \(session)"]).status == 303)
    #expect(!server.log.contains(Self.token))
  }

  @Test(arguments: ["//evil.example", "https://evil.example", "/\\evil.example", "/sign-in", "", "/a%0d%0ab"])
  func signing_in_leads_nowhere_else(target: String) throws {
    let answer = try post("/sign-in", "token=\(Self.token)&to=\(target)")
    #expect(answer.status == 303 && answer.headers["location"] == "/", "\(answer.headers)")
  }

  @Test func another_token_ends_all_sessions_and_the_same_one_none() throws {
    let session = try cookie(post("/sign-in", "token=\(Self.token)"))
    for (index, token) in [Self.token, "another-token-of-the-server"].enumerated() {
      _ = try folder.write(token, to: "token")
      server.signal(SIGHUP)
      for _ in 0..<500 where server.log.components(separatedBy: "were read again").count < index + 2 {
        Thread.sleep(forTimeInterval: 0.01)
      }
      #expect(try server.get("/", ["cookie: \(session)"]).status == (index == 0 ? 200 : 303))
    }
  }

  @Test func pages_of_other_sites_cant_sign_in_or_out() throws {
    #expect(try post("/sign-in", "token=\(Self.token)", ["origin: http://evil.example"]).status == 403)
    #expect(try post("/sign-out", "", ["sec-fetch-site: cross-site"]).status == 403)
  }
}

/// Who listens hears of commits.
struct CommitEventTests {
  @Test func a_commit_is_told_to_who_listens_and_a_stop_ends_that() throws {
    let folder = try TestFolder()
    let server = try ServerProcess(folder)
    let wire = try server.connect()
    wire.send(server.head("GET /events"))
    var heard = ""
    func hear(_ text: String) {
      while !heard.contains(text), case let bytes = wire.read(), !bytes.isEmpty {
        heard += String(decoding: bytes, as: UTF8.self)
      }
    }
    let store = try QuoteStore(at: folder.store)
    hear("data: \(store.generation)\n")
    try store.upsert([DailyQuoteSummary(ticker: "KO", date: "2018-03-28", close: 44)])
    hear("data: \(store.generation)\n")
    #expect(
      heard.components(separatedBy: "event: commit\ndata: ").count == 3 && heard.contains("\(store.generation)\n"),
      "\(heard)")
    #expect(heard.contains("text/event-stream") && heard.contains("event: commit"), "\(heard)")
    let start = ContinuousClock.now
    server.signal(SIGTERM)
    #expect(server.status == 0 && ContinuousClock.now - start < .seconds(10))
  }
}
