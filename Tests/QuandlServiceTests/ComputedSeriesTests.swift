import Foundation
import Quoin
import Testing

@testable import QuandlService
@testable import QuoteGenerator

/// Collapse and transform, against the definitions written down once more in the plainest way.
@Suite struct ComputedSeriesTests {
  private typealias Row = (day: TradingDay, value: Double?)

  /// The day that stands for a day's period: the next one after which another period begins.
  private func label(_ day: TradingDay, _ collapse: Collapse) -> TradingDay {
    func period(_ day: TradingDay) -> [Int] {
      let (year, month, _) = day.components
      return switch collapse.rawValue {
      case "none", "daily": [Int(day.daysSince1970)]
      case "weekly": [(Int(day.daysSince1970) + 719_162) / 7]  // 0001-01-01 was a Monday
      case "monthly": [year, month]
      case "quarterly": [year, (month - 1) / 3]
      case "semiannual": [year, (month - 1) / 6]
      case "annual": [year]
      default: preconditionFailure("\(collapse)")
      }
    }
    var last = day
    while let next = last.advanced(by: 1), period(next) == period(day) { last = next }
    return last
  }

  private func collapsed(_ rows: [Row], _ collapse: Collapse) -> [Row] {
    var result: [Row] = []
    for row in rows {
      let label = label(row.day, collapse)
      if result.last?.day == label {
        if row.value != nil { result[result.count - 1].value = row.value }
      } else {
        result.append((label, row.value))
      }
    }
    return result
  }

  private func transformed(_ rows: [Row], _ transform: Transform) -> [Row] {
    func rounded(_ value: Double?) -> Double? {
      guard let value, value.isFinite else { return value?.isNaN == true ? nil : value }
      return Double(String(format: "%.14g", value))
    }
    var result: [Row] = []
    var sum = 0.0
    for (index, row) in rows.enumerated() {
      var value: Double?
      switch transform {
      case .none:
        result.append(row)
        continue
      case .diff, .rdiff:
        guard index > 0 else { continue }
        if let c = row.value, let p = rows[index - 1].value {
          value = transform == .diff ? c - p : p == 0 ? nil : (c - p) / p
        }
      case .cumul:
        sum += row.value ?? 0
        value = row.value.map { _ in sum }
      case .normalize:
        let base = rows.compactMap(\.value).first { $0 != 0 }
        if let c = row.value, let base { value = c / base * 100 }
      case .changeToLatest:
        if let c = row.value, let latest = rows[rows.count - 1].value {
          value = index == rows.count - 1 ? 0 : c == 0 ? nil : (latest - c) / c
        }
      }
      result.append((row.day, rounded(value)))
    }
    return result
  }

  /// A column of made-up values: prices, zeros, gaps, and numbers of every size.
  private func rows(using random: inout SeededRandom) -> [Row] {
    var day = Int(TradingDay(year: 1961, month: 12, day: 1)!.daysSince1970) + random.below(15_000)
    return (0..<random.below(80)).map { _ in
      day += random.element(of: [1, 1, 1, 3, 3, 20, 100])
      let value: Double? =
        switch random.below(10) {
        case 0: nil
        case 1: 0
        case 2: -Double(random.below(4000)) / 100
        case 3: Double(bitPattern: UInt64(983 + random.below(100)) << 52 | random.next() >> 12)
        default: Double(random.below(30_000)) / 100
        }
      return (TradingDay(daysSince1970: day)!, value)
    }
  }

  @Test func collapse_and_transform_are_as_defined() throws {
    var random = TestSettings.dice("collapse_and_transform_are_as_defined")
    for _ in 0..<100 {
      let rows = rows(using: &random)
      for collapse in Collapse.allCases {
        for transform in Transform.allCases {
          let expected = transformed(collapsed(rows, collapse), transform)
          let values = ColumnBuffer(rows.map { $0.value ?? .nan })
          let series = Series(days: rows.map(\.day), columns: [.doubles(values)]).collapsed(collapse).transformed(
            transform)
          let found = try #require(series.columns.first?.values)
          #expect(series.days.array == expected.map(\.day), "\(collapse) \(transform)")
          #expect(found.map(\.canonical) == expected.map { ($0.value ?? .nan).canonical }, "\(collapse) \(transform)")
        }
      }
    }
  }

  @Test func volumes_are_collapsed_as_they_are_and_computed_as_floats() throws {
    let days: [TradingDay] = ["2018-01-02", "2018-01-31", "2018-02-01", "2018-02-02"]
    let series = Series(days: days, columns: [.integers([1, 1 << 60 + 1, 7, .missing])])
    let monthly = series.collapsed(.monthly)
    #expect(monthly.days == ["2018-01-31", "2018-02-28"])
    guard case .integers(let volumes) = monthly.columns[0] else { return #expect(Bool(false)) }
    #expect(volumes == [1 << 60 + 1, 7])
    #expect(series.transformed(.diff).columns[0].values?.map(\.isNaN) == [false, false, true])
    #expect(monthly.transformed(.cumul).columns[0].values == [1_152_921_504_606_800_000, 1_152_921_504_606_800_000])
  }

  @Test(
    arguments: [
      (Collapse.weekly, "2018-03-27", "2018-04-01"), (.weekly, "2018-04-01", "2018-04-01"),
      (.weekly, "2018-04-02", "2018-04-08"), (.monthly, "2016-02-01", "2016-02-29"),
      (.monthly, "2018-12-31", "2018-12-31"),
      (.quarterly, "2018-01-01", "2018-03-31"), (.quarterly, "2018-12-01", "2018-12-31"),
      (.annual, "2018-03-27", "2018-12-31"),
      (.weekly, "9999-12-31", "9999-12-31"), (.annual, "9999-01-01", "9999-12-31"),
      (.monthly, "9999-12-01", "9999-12-31"),
      (.quarterly, "0001-01-01", "0001-03-31"), (.weekly, "0001-01-01", "0001-01-07"),
    ] as [(Collapse, TradingDay, TradingDay)])
  func a_period_is_labelled_with_its_last_day(_ collapse: Collapse, _ day: TradingDay, _ end: TradingDay) {
    #expect(collapse.period?.last(of: day) == end)
  }

  /// The range is taken first, then the period's last value, then the change, then the order, then the limit.
  @Test func the_steps_come_in_quandls_order() throws {
    let quotes = [
      ("2018-01-30", 10.0), ("2018-01-31", 20), ("2018-02-27", 30), ("2018-02-28", 25), ("2018-03-26", 50),
      ("2018-03-27", 40),
    ].map { DailyQuoteSummary(ticker: "T", date: TradingDay($0.0)!, close: $0.1) }
    let service = try TestService(quotes)
    func rows(_ query: String) -> [[String]] {
      let data = service.get("datasets/WIKI/T/data?column_index=4&" + query).object("dataset_data")["data"] as? [[Any]]
      return data?.map { $0.map { "\($0)" } } ?? []
    }
    #expect(rows("collapse=monthly") == [["2018-03-31", "40.0"], ["2018-02-28", "25.0"], ["2018-01-31", "20.0"]])
    #expect(rows("collapse=monthly&end_date=2018-03-26&limit=1") == [["2018-03-31", "50.0"]])
    #expect(rows("collapse=monthly&transform=diff&order=asc&limit=1") == [["2018-02-28", "5.0"]])
    #expect(rows("collapse=quarterly&transform=diff") == [])
    #expect(rows("transform=rdiff&start_date=2018-02-28&limit=2") == [["2018-03-27", "-0.2"], ["2018-03-26", "1.0"]])
    #expect(
      rows("transform=rdiff_from&start_date=2018-02-28") == [
        ["2018-03-27", "0.0"], ["2018-03-26", "-0.2"], ["2018-02-28", "0.6"],
      ])
    #expect(rows("transform=normalize&order=asc&limit=2") == [["2018-01-30", "100.0"], ["2018-01-31", "200.0"]])
    #expect(rows("transform=cumul&limit=1") == [["2018-03-27", "175.0"]])
  }
}

extension CellColumn {
  fileprivate var values: [Double]? {
    if case .doubles(let values) = self { values.array } else { nil }
  }
}

extension Double {
  /// The bits, of all NaNs the same.
  fileprivate var canonical: UInt64 { isNaN ? Double.nan.bitPattern : bitPattern }
}
