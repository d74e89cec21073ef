import ArgumentParser
import Console
import QuandlClient
import Quoin

/// The command `quoin fetch`.
@main
struct FetchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quoin fetch",
    abstract: "Download quotes from a vendor or a Quandl-compatible service into the store.",
    discussion: """
      Each ticker is one commit. Without --from, only the days after the store's last one are downloaded, and that day once \
      more: if the service has other values there, or a later split or dividend that its adjusted columns follow, all days of \
      the ticker are downloaded anew. --all downloads a whole table, as one file if the service exports it, otherwise page by \
      page. If one of several tickers fails, the others are still downloaded. A ticker is stored as the service spells it.

      Ctrl-C (or SIGTERM) saves the whole tickers that have come, and the same command goes on after them; a second Ctrl-C ends \
      at once. A file is saved whole or not at all; if its connection breaks, only the rest is downloaded again.

      The default service is Nasdaq Data Link, which no longer has WIKI's quotes; 'quoin serve' serves your own. The API key \
      comes from --api-key-file, else from the environment's NASDAQ_DATA_LINK_API_KEY or QUANDL_API_KEY. Proxies come from the \
      environment as curl reads it: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY (http://user:password@host:port, socks5://host:port) and \
      NO_PROXY, all in lower case too.

      --vendor asks another one, ticker by ticker, and reads the answer as 'quoin import' reads a file. A ticker is stored as \
      you write it. The key goes to the vendor's own address alone, and is printed and recorded nowhere:
      \(vendorList)

      Examples:
        quoin fetch FDX --api-base http://127.0.0.1:8977
        quoin fetch WIKI/FDX WIKI/BRK.A --into quotes --from 2005-01-01 --to 2005-12-31
        quoin fetch --all --into copy --api-base http://127.0.0.1:8977
        quoin fetch --vendor tiingo AAPL MSFT BRK-B --into mine
        quoin fetch --vendor stooq AAPL ^SPX --into mine --to 2024-12-31

      Exit status: 0 success; 2 something was not downloaded; 3 it was, and the report can't be written; 64 wrong usage; 130 interrupted (143 by SIGTERM).
      """)

  @Argument(help: ArgumentHelp("Tickers, such as FDX or WIKI/FDX.", valueName: "ticker"))
  var codes: [String] = []

  @Flag(help: "Download the whole table WIKI/PRICES.")
  var all = false

  @Option(
    help: ArgumentHelp(
      "Who is asked: \(VendorService.all.map(\.name).joined(separator: ", ")) (default: nasdaq).", valueName: "name"),
    completion: .list(VendorService.all.map(\.name)))
  var vendor: String?

  @Option(
    name: [.customLong("into"), .customLong("store")],
    help: StoreOptions.directoryHelp, completion: .directory)
  var directory: String?

  @Option(help: ArgumentHelp("Download rows from this day on, even if the store has them.", valueName: "yyyy-mm-dd"))
  var from: String?

  @Option(help: ArgumentHelp("Download rows up to and including this day.", valueName: "yyyy-mm-dd"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      "The service's address (default: the vendor's; of nasdaq, the environment's NASDAQ_DATA_LINK_BASE_DOMAIN, else data.nasdaq.com).",
      valueName: "url"))
  var apiBase: String?

  @Option(help: ArgumentHelp("A file whose first line is the API key.", valueName: "file"), completion: .file())
  var apiKeyFile: String?

  @OptionGroup var writing: WriteOptions

  static func main() async {
    let rest = Array(System.arguments.dropFirst())
    switch System.arguments.first {
    case "--pull": await Program.run(PullCommand.self, rest)
    case "--push": await Program.run(PushCommand.self, rest)
    default: await Program.run(Self.self)
    }
  }

  func validate() throws {
    if all, !codes.isEmpty { throw ValidationError("--all fetches every ticker; leave out --all, or the tickers") }
    if !all, codes.isEmpty { throw ValidationError("name the tickers to fetch, such as FDX, or --all") }
  }

  func run() async throws {
    // Wrong usage is an error before any request is sent.
    let days = try days()
    let datasets = try codes.map { try Dataset($0) }
    let service = try service()
    let line = FetchLine()
    let fetch = service.form == .csv ? try tickers(datasets, of: service, days, line) : try quandl(datasets, days, line)
    try await Interruption.handled(line) {
      do {
        try await fetch()
      } catch let error as QuandlClientError {
        // The store's own error, so that the sentence ends with the command that helps.
        throw error.storeError ?? error
      }
    }
  }

  /// What downloads tickers of a vendor.
  private func tickers(
    _ datasets: [Dataset], of service: VendorService, _ days: Days, _ line: FetchLine
  ) throws -> @Sendable () async throws -> Void {
    if all { throw UsageError("\(service.title) has no table; name the tickers instead of --all") }
    if let code = codes.first(where: { $0.contains("/") }) {
      throw UsageError("'\(code)' is a dataset of Quandl's; \(service.title) wants tickers, such as AAPL")
    }
    let source = try makeClient(of: service, line)
    let fetch = DatasetFetch(source: source, store: try store(), days: days, patience: writing.patience, line: line)
    return { try await fetch.run(datasets) }
  }

  /// What downloads datasets or the table of Quandl's API.
  private func quandl(
    _ datasets: [Dataset], _ days: Days, _ line: FetchLine
  ) throws -> @Sendable () async throws -> Void {
    let (client, all) = (try makeClient(line), all)
    let store = try store()
    let table = TableFetch(client: client, store: store, days: days, patience: writing.patience, line: line)
    let tickers = DatasetFetch(source: client, store: store, days: days, patience: writing.patience, line: line)
    return { try await all ? table.run() : tickers.run(datasets) }
  }

  private func store() throws -> QuoteStore {
    var options = StoreOptions()
    options.store = directory
    return try options.openOrCreate()
  }

  private func service() throws -> VendorService {
    guard let vendor else { return .nasdaqDataLink }
    guard let service = VendorService.all.first(where: { $0.name == vendor.lowercased() }) else {
      throw UsageError.unknownName(vendor, what: "vendor", among: VendorService.all.map(\.name))
    }
    return service
  }

  private typealias Days = (first: TradingDay?, last: TradingDay?)

  private func days() throws -> Days {
    let first = try from.map { try TradingDay(argument: $0, of: "--from") }
    let last = try to.map { try TradingDay(argument: $0, of: "--to") }
    if let first, let last, first > last { throw UsageError("--from \(first) is later than --to \(last)") }
    return (first, last)
  }
}

extension FetchCommand {
  /// The vendors with their variables and limits, one a line.
  fileprivate static var vendorList: String {
    VendorService.all.filter { $0.form == .csv }.map { service in
      "  \(service.name) (\(service.limits)): \(service.examples); \(service.keyVariable.map { "the key is in \($0)" } ?? "no key")"
    }.joined(separator: "\n")
  }
}

/// A dataset that has the rows of one ticker.
struct Dataset: Sendable {
  let code: DatasetCode
  let ticker: TickerSymbol

  init(_ text: String) throws {
    code = try DatasetCode(text)
    ticker = try TickerSymbol(code.dataset)
  }
}

extension DatasetCodeError: WrongUsage {}
