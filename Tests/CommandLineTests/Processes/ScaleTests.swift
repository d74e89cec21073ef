import Testing

@testable import Quoin

/// What is large, far away or many.
@Suite struct ScaleTests {
  @Test(.enabled(if: !TestSettings.isDebug))
  func a_hundred_thousand_tickers_are_imported_and_read_with_256_descriptors() throws {
    let workspace = try Workspace()
    let result = try workspace.shell(
      """
      set -e
      ulimit -n 256
      $quoin generate --tickers 100000 --rows 300000 --csv > all.csv
      $quoin import all.csv | grep -v suspicious > imported
      $quoin export > exported.csv
      cmp all.csv exported.csv
      cat imported
      $quoin tickers --format csv | wc -l
      $quoin scan --count
      awk -F, 'NR > 1 && NR % 12000 == 2 { print $1 }' all.csv > some
      for ticker in $(cat some); do
        $quoin scan $ticker | tail -n +2; done > found
      for ticker in $(cat some); do grep "^$ticker," all.csv; done > expected
      cmp found expected
      wc -l < found
      awk -F, 'NR > 1 && $6 > 100 && $6 < 101' all.csv > expected
      $quoin scan --where 'close > 100 and close < 101' | tail -n +2 > found
      cmp found expected
      wc -l < found
      (head -1 all.csv; awk -F, 'NR > 1 { sub(/[0-9-]+/, "2030-01-02", $2); if ($1 != last) print; last = $1 }' OFS=, all.csv) > day.csv
      $quoin import day.csv | grep -v suspicious
      $quoin scan --from 2030-01-02 --count
      $quoin delete --where 'date = 2030-01-02'
      $quoin compact
      $quoin export | cmp - all.csv
      $quoin verify
      """)
    #expect(result.status == 0 && result.err.isEmpty, "\(result)")
    #expect(result.line(0).contains("300,000 rows of 100,000 tickers") && result.line(0).hasSuffix("300,000 new."))
    #expect(result.lines.dropFirst().prefix(2) == ["100001", "300000"])
    #expect(Int(result.line(3)) ?? 0 > 25 && Int(result.line(4)) ?? 0 > 25, "\(result)")
    #expect(result.line(5).hasSuffix("100,000 new.") && result.line(6) == "100000")
    #expect(result.line(7).hasPrefix("Removed 100,000 rows; 300,000 left"))
    print("promise 12: scale: 100,000 tickers with 256 descriptors, every row exported as it was imported")
  }

  @Test(.enabled(if: !TestSettings.isDebug))
  func twenty_thousand_files_of_a_row_take_little_memory() throws {
    let workspace = try Workspace()
    let result = try workspace.shell(
      #"""
      mkdir d
      seq 20000 | awk '{ name = "d/T" $1 ".csv"; print "date,close\n2018-01-02," $1 > name; close(name) }'
      ulimit -v 1000000
      $quoin import d && $quoin scan T77 --columns ticker,close
      """#)
    #expect(result.status == 0 && result.err.isEmpty, "\(result)")
    #expect(result.line(0).contains("20,000 rows of 20,000 tickers from 20,000 files"), "\(result)")
    #expect(result.lines.last == "T77,77.0")
  }

  /// One a day from the first day of the calendar on, which ends in the year 2738.
  @Test(.enabled(if: !TestSettings.isDebug))
  func a_ticker_has_a_million_rows_and_their_sum_passes_int64() throws {
    let workspace = try Workspace()
    let store = try QuoteStore(at: workspace.store)
    let count = 1_000_000
    var columns = QuoteColumns()
    for row in 0..<count { columns.append(try quote(row)) }
    #expect(try store.upsert(["BIG": columns]) == UpsertCounts(inserted: count))
    let back = try QuoteStore(at: workspace.store).quotes(for: "BIG").fetchColumns().columns
    #expect(back.days == columns.days && back.days.last == "2738-11-28")
    #expect(back[.close] == columns[.close] && back[.volume] == columns[.volume])

    let sum = Int128(count) * Int128(Int64.max) - Int128(count) * Int128(count - 1) / 2
    #expect(try store.quotes(for: "BIG").aggregate(.volume).integers?.sum == sum)
    let printed = try workspace.run(["scan", "BIG", "--aggregate", "count, sum(volume), min(close), last(close)"])
    #expect(printed.line(1) == "1000000,\(sum),0.0,\(Double(count - 1) / 100)", "\(printed)")
    #expect(try workspace.run(["scan", "BIG", "--where", "close between 5000 and 5001", "--count"]).out == "101\n")
    // A row in the midst is replaced, and rows behind the last are added.
    var more = QuoteColumns()
    for row in [500_000, count, count + 1] { more.append(try quote(row, close: -1)) }
    let counts = try store.upsert(["BIG": more])
    #expect(counts.inserted == 2 && counts.replaced == 1)
    #expect(try workspace.run(["scan", "BIG", "--where", "close = -1", "--count"]).out == "3\n")
    #expect(try workspace.run("verify").status == 0)
    print("promise 12: scale: a ticker of \(count) rows; the sum of its volumes is \(sum)")
  }

  private func quote(_ row: Int, close: Double? = nil) throws -> DailyQuoteSummary {
    let day = try #require(TradingDay.earliest.advanced(by: row))
    return DailyQuoteSummary(ticker: "BIG", date: day, close: close ?? Double(row) / 100, volume: .max - Int64(row))
  }

  @Test func days_are_those_of_the_years_1_to_9999() throws {
    let workspace = try Workspace()
    let file = try workspace.write(
      "ticker,date,close,volume\nA,0001-01-01,1,9223372036854775807\nA,1969-12-31,2,1\nA,9999-12-31,3,9223372036854775807\n",
      to: "days.csv")
    #expect(try workspace.run("import \(file)").status == 0)
    #expect(try workspace.run("scan --columns date").out == "date\n0001-01-01\n1969-12-31\n9999-12-31\n")
    #expect(try workspace.run("scan --from 0001-01-01 --to 9999-12-31 --count").out == "3\n")
    #expect(try workspace.run(["scan", "--where", "date < 0001-01-01", "--count"]).out == "0\n")
    #expect(try workspace.run(["scan", "--where", "not date < 9999-12-31", "--count"]).out == "1\n")
    #expect(try workspace.run(["scan", "--aggregate", "sum(volume)"]).out == "sum(volume)\n18446744073709551615\n")
    for (group, first, last) in [
      ("week", "0001-01-01", "9999-12-27"), ("month", "0001-01-01", "9999-12-01"),
      ("quarter", "0001-01-01", "9999-10-01"), ("year", "0001-01-01", "9999-01-01"),
    ] {
      let lines = try workspace.run(["scan", "--aggregate", "count", "--by", group]).lines
      #expect(lines.count == 4 && lines[1] == "A,\(first),1" && lines[3] == "A,\(last),1", "\(lines)")
    }
    for day in ["0000-12-31", "10000-01-01", "2001-02-29", "-001-01-01"] {
      let other = try workspace.write("ticker,date,close\nA,\(day),1\n", to: "other.csv")
      let result = try workspace.run("import \(other)")
      #expect(result.status == 2 && result.err.contains("line 2, column date, '\(day)': "), "\(result)")
      #expect(try workspace.run("scan --from=\(day)").status == 64)
    }
    #expect(try workspace.run("scan --count").out == "3\n")
    #expect(try workspace.run("verify").status == 0)
  }
}
