import ArgumentParser
import Console
import Quoin

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Summarize the store, or one ticker.",
    discussion: """
      Examples:
        quoin info
        quoin info FDX
        quoin info --encodings
        quoin info --format json
        quoin info --report

      Without --format the summary is for people to read, even in a pipe.
      """)

  @Argument(help: "Summarize this ticker.")
  var ticker: String?

  @Flag(help: "Show how each column is stored: the blocks, rows and bytes of each encoding.")
  var encodings = false

  @Flag(
    help:
      "Print what a report of a bug needs: versions, the system and the store's shape, without tickers, quotes or paths."
  )
  var report = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: ReadingOptions

  func validate() throws {
    if encodings, ticker != nil { throw ValidationError("--encodings covers the whole store; leave out the ticker") }
    if report, encodings || ticker != nil || output.format != nil {
      throw ValidationError("--report is a text of the whole store; leave out what is beside it")
    }
  }

  func run() throws {
    let format = output.format == nil && output.output == nil ? .table : try output.outputFormat()
    let symbol = try ticker.map { try TickerSymbol($0) }
    let store = try store.open()
    try output.withOutput { file in
      if report {
        try writeReport(of: store, to: file)
      } else if encodings {
        try describeEncodings(of: store, format, to: file)
      } else if let symbol {
        try store.requireTickers([symbol])
        try describe(symbol, in: store, format, to: file)
      } else {
        try describe(store, format, to: file)
      }
    }
  }

  private func describe(_ store: QuoteStore, _ format: OutputFormat, to file: Output) throws {
    let summary = store.summary
    let bytesPerRow = Self.quotient(summary.byteCount, summary.rowCount)
    if format == .table {
      let shards = store.shards.isEmpty ? [] : [("shards", store.shards.count.grouped)]
      return try file.write(
        ([("store", store.path)] + shards + [
          ("tickers", summary.tickerCount.grouped),
          ("rows", summary.rowCount.grouped),
          ("days", summary.days.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "none"),
          ("files", summary.fileCount.grouped),
          ("blocks", summary.blockCount.grouped),
          ("bytes", "\(summary.byteCount.asBytes)\(bytesPerRow.map { ", \($0) a row" } ?? "")"),
          ("packing", store.packing.rawValue),
          ("commits", summary.generation.grouped),
        ]).asText)
    }
    var table = RecordTable([
      .text("store"), .number("tickers"), .number("rows"), .text("first_day"), .text("last_day"), .number("files"),
      .number("blocks"), .number("bytes"), .number("bytes_per_row"), .number("generation"), .text("packing"),
    ])
    table.rows.append([
      store.path, "\(summary.tickerCount)", "\(summary.rowCount)", summary.days.map { "\($0.lowerBound)" },
      summary.days.map { "\($0.upperBound)" }, "\(summary.fileCount)", "\(summary.blockCount)",
      "\(summary.byteCount)", bytesPerRow, "\(summary.generation)", store.packing.rawValue,
    ])
    try table.write(format, to: file)
  }

  private func describe(
    _ ticker: TickerSymbol, in store: QuoteStore, _ format: OutputFormat, to file: Output
  ) throws {
    guard let summary = try store.tickerSummary(of: ticker) else { return }
    let bytesPerRow = Self.quotient(summary.byteCount, summary.rowCount)
    let records = try store.importRecords(of: ticker)
    if format == .table {
      try file.write(
        [
          ("ticker", "\(ticker)"),
          ("rows", summary.rowCount.grouped),
          ("days", "\(summary.firstDay) to \(summary.lastDay)"),
          ("bytes", "\(summary.byteCount.asBytes)\(bytesPerRow.map { ", \($0) a row" } ?? "")"),
          ("imports", records.count.grouped),
        ].asText + "\n")
      try RecordTable(records).write(.table, styled: output.isStyled, to: file)
      return
    }
    var table = RecordTable([
      .text("ticker"), .number("rows"), .text("first_day"), .text("last_day"), .number("bytes"),
      .number("bytes_per_row"), .number("imports"),
    ])
    table.rows.append([
      "\(ticker)", "\(summary.rowCount)", "\(summary.firstDay)", "\(summary.lastDay)", "\(summary.byteCount)",
      bytesPerRow, "\(records.count)",
    ])
    try table.write(format, to: file)
  }

  private func describeEncodings(of store: QuoteStore, _ format: OutputFormat, to file: Output) throws {
    var table = RecordTable([
      .text("column"), .text("encoding"), .text("storage"), .number("blocks"), .number("rows"), .number("bytes"),
      .number("bytes_per_row"),
    ])
    let rowCount = store.summary.rowCount
    table.rows = try store.encodingSummaries().map {
      [
        $0.column, $0.encoding, $0.storage, "\($0.blockCount)", "\($0.rowCount)", "\($0.byteCount)",
        rowCount > 0 ? (Double($0.byteCount) / Double(rowCount)).rounded(toDigits: 3) : nil,
      ]
    }
    try table.write(format, styled: output.isStyled, to: file)
  }

  private func writeReport(of store: QuoteStore, to file: Output) throws {
    let summary = store.summary
    try file.write(
      [
        ("quoin", Release.version),
        ("system", System.summary),
        (
          "store",
          "\(summary.tickerCount.of("ticker")), \(summary.rowCount.of("row")) in \(summary.blockCount.of("block"))"
        ),
        ("days", summary.days.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "none"),
        (
          "files",
          "\(summary.fileCount.grouped) of \(summary.byteCount.asBytes), in \(max(1, store.shards.count).of("shard"))"
        ),
        ("packing", store.packing.rawValue),
        ("commits", summary.generation.grouped), ("snapshots", store.snapshots.count.grouped),
      ].asText)
  }

  private static func quotient(_ byteCount: Int, _ rowCount: Int) -> String? {
    rowCount > 0 ? (Double(byteCount) / Double(rowCount)).rounded(toDigits: 1) : nil
  }
}
