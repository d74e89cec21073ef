import QuandlService
import Quoin

/// The page with the rows that break a rule, which are looked for while the reader waits.
enum CheckPage {
  private static let shownCount = 500

  static let route: ServerRoute = Route(
    "checkPage", "/check", "Rows that can't be right, for a browser", mediaTypes: [.html],
    answer: .store { try answer($0) })

  private static func answer(_ call: StoreCall) throws -> ServiceAnswer {
    let (store, address) = (call.view.store, PageAddress(call.request))
    var page = Page("Findings", "check", view: .store, for: call)
    page["tickers"] = address["tickers"] ?? ""
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
    page["summary"] = "\(rowCount.of("row")) checked; \(total.of("finding"))."
    page["rules"] = AuditRule.allCases.map { ["name": $0.rawValue, "count": (counts[$0] ?? 0).grouped] }
    page["hasFindings"] = !shown.isEmpty
    page["caption"] =
      "Findings by ticker, day and rule" + (total > shown.count ? ", the first \(shown.count.grouped)" : "")
    page["findings"] = shown.map { finding in
      [
        "ticker": "\(finding.ticker)", "day": "\(finding.day)", "rule": finding.rule.rawValue,
        "details": finding.details, "address": TickerPage.address(of: finding.ticker, around: finding.day).text,
      ]
    }
    return page.answer
  }
}
