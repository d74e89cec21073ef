import ArgumentParser
import Console
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The command `quoin sql`.
@main
struct SQLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quoin sql",
    abstract: "Ask the store in SQL, or open a shell for it.",
    discussion: """
      The language is SQLite's (\(Database.version)). The store is the table 'quotes': ticker, date as YYYY-MM-DD, open, high, low, close, \
      volume, ex_dividend, split_ratio, adj_open, adj_high, adj_low, adj_close, adj_volume. It is only read. Conditions on its columns \
      become a scan, which 'explain query plan' shows. What SQL is slow at, functions answer, whose columns are value1, value2 ... beside \
      ticker and period or date; a virtual table that is made of one has the answer's own names.

        quoin_aggregate('quotes', 'max(close), sum(volume)', 'month')
        quoin_columns('quotes', 'close, rsi(close, 14)', 'close > 10')
        quoin_bars('quotes', 'week')
        create virtual table temp.highs using quoin_aggregate('quotes', 'max(close) as high', 'year')

      Beside SQLite's aggregates there are median, quantile(x, 0.9), stddev, variance, corr(x, y), covar_samp, regr_slope and regr_r2, \
      and date_trunc('month', date).

      What a statement computes by itself follows SQLite: ticker = 'fdx' finds nothing, 80 < close < 83 compares 0 or 1 with 83, 7 / 2 \
      is 3, log is of base 10, and days are texts. The texts of the functions are in the language of 'quoin scan'.

      Without a statement, a terminal gets a shell ('.help' lists its commands), and statements are read from a pipe.

      Examples:
        quoin sql "select date, high from quotes where ticker = 'FDX' and high between 80 and 83"
        quoin sql "select h.*, q.close from held h join quotes q using (ticker)" --database portfolio.db
        quoin sql "select count(*) from quotes where close > :price" --parameter price=80 --format json
        quoin sql --store prices < report.sql

      Exit status: 0 success; 2 SQL, data or I/O error; 64 wrong usage.
      """)

  @Argument(help: ArgumentHelp("Statements with ';' between them.", valueName: "statement"))
  var statement: String?

  @Option(
    help: ArgumentHelp(
      "A database of SQLite with tables of your own, which is made if it isn't there (default: one in memory).",
      valueName: "file"),
    completion: .file())
  var database: String?

  @Option(
    name: .customLong("parameter"),
    help: ArgumentHelp("A value of the statements' :name, as a number if it is one.", valueName: "name=value"))
  var parameters: [String] = []

  @OptionGroup var output: OutputOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var store: StoreOptions

  static func main() { Program.run(Self.self) }

  func run() throws {
    let format = try output.outputFormat()
    let parameters = try Dictionary(self.parameters.map(Self.parameter), uniquingKeysWith: { $1 })
    // What is wrong with a store is said as the other commands say it.
    let quotes = try store.open()
    let database = try Database(at: database, store: store.path, limits.limits)
    if let statement { return try answer(statement, database, parameters, format) }
    guard isatty(STDIN_FILENO) == 1 else {
      let text: [UInt8]
      do throws(SystemError) { text = try System.readAll(STDIN_FILENO) } catch {
        throw DataError("cannot read standard input: \(systemMessage(error.code))")
      }
      return try answer(String(decoding: text, as: UTF8.self), database, parameters, format)
    }
    var shell = try Shell(database, quotes.tickers, parameters, output, format)
    try shell.run()
  }

  private func answer(
    _ text: String, _ database: Database, _ parameters: [String: SQLValue], _ format: OutputFormat
  ) throws {
    let styled = output.isStyled
    if output.output == nil {
      // What was answered before a mistake is printed.
      return try database.forEachStatement(of: text, parameters) { statement in
        try output.withOutput { try statement.write(format, styled: styled, to: $0) }
      }
    }
    try output.withOutput { file in
      try database.forEachStatement(of: text, parameters) { try $0.write(format, styled: styled, to: file) }
    }
  }

  private static func parameter(_ text: String) throws -> (String, SQLValue) {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
      throw UsageError("--parameter '\(text)': write it as name=value, such as price=80")
    }
    return (String(text[..<sign]), SQLValue(text: String(text[text.index(after: sign)...])))
  }
}
