import Foundation
import Testing

@testable import DataFetcher

/// The daily log, as the tutorial's programs call it.
@Suite struct DataControllerTests {
  private let temporary: TemporaryStore
  private let controller: DataController

  init() throws {
    temporary = try .ofFedEx()
    controller = DataController(of: "LOG", withCoreDataStack: CoreDataStack(withModelName: temporary.path))
  }

  private var stored: [DailyQuoteSummary] {
    get throws {
      try temporary.store.refresh()
      return try temporary.store.quotes(for: "LOG").fetch().map { DailyQuoteSummary($0) }
    }
  }

  private func entry(daysAgo age: Int, close: Double) throws -> DailyQuoteSummary {
    let day = try #require(TradingDay(.now, in: .current)?.advanced(by: -age))
    return DailyQuoteSummary(ticker: "LOG", date: day, close: close)
  }

  @Test func a_day_has_one_entry_the_last_that_was_logged() throws {
    controller.log(try entry(daysAgo: 0, close: 1))
    controller.log(DailyQuoteSummary(ticker: "ELSE", date: try entry(daysAgo: 0, close: 2).quote.date, close: 2))
    let logs = controller.logs(from: nil, to: nil)
    #expect(logs == [try entry(daysAgo: 0, close: 2)] && controller.lastError == nil)
    #expect(logs.first?.date == controller.today)
  }

  @Test func logs_come_newest_first_with_the_days_of_both_moments_inside() throws {
    let entries = try (0..<30).map { try entry(daysAgo: $0, close: Double($0)) }
    for entry in entries.shuffled() { controller.log(entry) }
    #expect(controller.logs(from: nil, to: nil) == entries)
    let (from, to) = (try #require(entries[20].date), try #require(entries[10].date))
    // Any moment of a day means the whole day.
    let late = to.addingTimeInterval(20 * 3600)
    #expect(controller.logs(from: from, to: late) == Array(entries[10...20]))
    #expect(controller.logs(from: from.addingTimeInterval(3600), to: to) == Array(entries[10...20]))
    #expect(controller.logs(from: from, to: nil) == Array(entries[...20]))
    #expect(controller.logs(from: nil, to: late) == Array(entries[10...]))
    #expect(controller.logs(from: to.addingTimeInterval(86_400), to: from).isEmpty)
    #expect(controller.logs(from: .distantPast, to: .distantFuture) == entries)
    #expect(controller.logs(from: Date(timeIntervalSince1970: 1e300), to: nil).isEmpty)
    #expect(controller.logs(from: nil, to: Date(timeIntervalSince1970: .nan)).isEmpty)
  }

  @Test(arguments: [-1, 0, 1, 5, 400]) func a_dummy_history_replaces_all_and_today_is_on_top(_ count: Int) throws {
    controller.log(DailyQuoteSummary(ticker: "LOG", date: "1999-12-31", close: 1))
    controller.createDummyLogsFor(days: count)
    let logs = controller.logs(from: nil, to: nil)
    #expect(logs.count == max(0, count))
    let days = try (0..<logs.count).map { try entry(daysAgo: $0, close: 0).quote.date }
    #expect(logs.map(\.quote.date) == days && logs.first?.date ?? controller.today == controller.today)
    #expect(logs.allSatisfy { $0.close > 0 && $0.volume > 0 })
    // One commit for the entry, one for all that followed.
    #expect(try stored.reversed() == logs && temporary.store.generation == 3)
  }

  @Test func deletes_take_what_they_name_and_no_other_ticker() throws {
    for age in 0..<10 { controller.log(try entry(daysAgo: age, close: Double(age))) }
    #expect(controller.delete(where: .range(.close, 3...5)) == 3)
    #expect(controller.logs(from: nil, to: nil).map(\.close) == [0, 1, 2, 6, 7, 8, 9])
    let day = try entry(daysAgo: 7, close: 7).quote.date
    #expect(controller.delete(where: .dates(to: day)) == 3)
    #expect(controller.deleteAll() == 4 && controller.logs(from: nil, to: nil).isEmpty)
    #expect(controller.deleteAll() == 0 && controller.lastError == nil)
    try temporary.store.refresh()
    #expect(temporary.store.summary.rowCount == 1200)
  }

  @Test func an_update_changes_the_entries_that_meet_a_condition() throws {
    for age in 0..<5 { controller.log(try entry(daysAgo: age, close: Double(age))) }
    #expect(controller.update(where: .range(.close, above: 2)) { $0.close = 80.1 } == 2)
    #expect(controller.logs(from: nil, to: nil).map(\.close) == [0, 1, 2, 80.1, 80.1])
    #expect(controller.update(where: .range(.close, above: 100)) { $0.close = nil } == 0)
  }

  @Test func a_store_that_fails_is_an_empty_log_and_an_error() throws {
    let path = temporary.path + "/a-file"
    try Data("x".utf8).write(to: URL(fileURLWithPath: path))
    let controller = DataController(of: "LOG", withCoreDataStack: CoreDataStack(withModelName: path))
    controller.log(try entry(daysAgo: 0, close: 1))
    #expect(controller.lastError is StoreError)
    #expect(controller.logs(from: nil, to: nil).isEmpty && controller.deleteAll() == 0)
    controller.createDummyLogsFor(days: 3)
    #expect(controller.lastError is StoreError)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("x".utf8))
  }

  @Test func a_day_begins_at_midnight_and_has_a_short_caption() throws {
    let now = Date(timeIntervalSince1970: 1_522_155_723)
    #expect(controller.startOfDay(for: now) == Calendar.current.startOfDay(for: now))
    #expect(controller.startOfDay(for: controller.today) == controller.today)
    #expect(controller.today == Calendar.current.startOfDay(for: .now))
    let formatter = DateFormatter()
    (formatter.dateStyle, formatter.timeStyle) = (.short, .none)
    #expect(controller.dateCaption(for: now) == formatter.string(from: now))
    #expect(controller.startOfDay(for: Date(timeIntervalSince1970: 1e300)).timeIntervalSince1970 == 1e300)
  }

  @Test func details_are_the_caption_and_the_values() throws {
    let summary = DailyQuoteSummary(ticker: "LOG", date: "2018-03-27", close: 238.5, volume: 7)
    let caption = controller.dateCaption(for: try #require(summary.date))
    #expect(controller.details(of: summary) == "\(caption) close 238.5, volume 7")
    #expect(controller.details(of: DailyQuoteSummary(ticker: "LOG", date: "2018-03-27")) == "\(caption) no values")
  }

  @Test func without_a_ticker_the_log_is_called_log() { #expect(DataController().ticker == "LOG") }
}
