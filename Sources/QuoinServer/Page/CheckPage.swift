import QuandlService
import Quoin

/// The page with the rows that break a rule, which are looked for while the reader waits.
struct CheckPage: PageContent {
  static let template = "check"

  private struct Rule {
    let (name, count): (String, String)
  }

  private struct Findings {
    let caption: String
    let rows: [Finding]
  }

  private struct Finding {
    let (ticker, day, rule, details, address): (String, String, String, String, String)

    init(_ finding: AuditFinding) {
      (ticker, day, rule) = ("\(finding.ticker)", "\(finding.day)", finding.rule.rawValue)
      (details, address) = (finding.details, TickerPage.address(of: finding.ticker, around: finding.day).text)
    }
  }

  private let tickers: String
  private var summary = ""
  private var rules: [Rule] = []
  private var findings: Findings?

  private static let shownCount = 500

  static let route: ServerRoute = Route(
    "checkPage", "/check", "Rows that can't be right, for a browser", mediaTypes: [.html],
    answer: .store { try answer($0) })

  private static func answer(_ call: StoreCall) throws -> ServiceAnswer {
    let (store, address) = (call.view.store, PageAddress(call.request))
    var page = Page("Findings", CheckPage(tickers: address["tickers"] ?? ""), view: .store, for: call)
    var options = AuditOptions(threads: 1)
    do throws(Refusal) {
      try address.check(["tickers"])
      options.tickers = try QuoteQuestion(page: address.texts([.tickers], in: store)).tickers
    } catch {
      page.refuse(error)
      return page.answer
    }
    var (counts, shown, total): ([AuditRule: Int], [AuditFinding], Int) = ([:], [], 0)
    let rowCount = try store.audit(options, stoppedBy: call.cancellation) { finding in
      counts[finding.rule, default: 0] += 1
      total += 1
      if shown.count < shownCount { shown.append(finding) }
    }
    page.content.summary = "\(rowCount.of("row")) checked; \(total.of("finding"))."
    page.content.rules = AuditRule.allCases.map { Rule(name: $0.rawValue, count: (counts[$0] ?? 0).grouped) }
    if !shown.isEmpty {
      let caption =
        "Findings by ticker, day and rule" + (total > shown.count ? ", the first \(shown.count.grouped)" : "")
      page.content.findings = Findings(caption: caption, rows: shown.map { Finding($0) })
    }
    return page.answer
  }
}
