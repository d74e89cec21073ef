import Foundation
import Quoin
import Testing

import struct Quoin.DailyQuoteSummary

@testable import DataFetcher

@Suite struct DailyLogTests {
  @Test func a_day_has_one_entry_the_last_that_was_logged() throws {
    let temporary = try TemporaryStore()
    let log = DailyLog(of: .fedEx, in: temporary.store)
    try log.log(DailyQuoteSummary(ticker: .fedEx, date: "2001-01-02", open: 1))
    try log.log(DailyQuoteSummary(ticker: "ELSE", date: "2001-01-02", close: 2))
    #expect(try log.logs() == [DailyQuoteSummary(ticker: .fedEx, date: "2001-01-02", close: 2)])
    #expect(temporary.store.tickers == [.fedEx])
  }

  @Test func logs_come_newest_first_with_both_days_inside_and_either_end_open() throws {
    let temporary = try TemporaryStore.ofFedEx()
    let log = DailyLog(of: .fedEx, in: temporary.store)
    let all = try temporary.store.quotes(for: .fedEx).fetch()
    #expect(try log.logs(from: nil, to: nil) == all.reversed())
    let (first, last) = (all[100].date, all[110].date)
    #expect(try log.logs(from: first, to: last) == all[100...110].reversed())
    #expect(try log.logs(from: first, to: nil) == all[100...].reversed())
    #expect(try log.logs(from: nil, to: last) == all[...110].reversed())
    #expect(try log.logs(from: last, to: first).isEmpty)
  }

  @Test func delete_all_takes_this_tickers_entries_and_no_others() throws {
    let temporary = try TemporaryStore.ofFedEx()
    try temporary.store.upsert([DailyQuoteSummary(ticker: "A", date: "2001-01-02", open: 1)])
    let log = DailyLog(of: .fedEx, in: temporary.store)
    #expect(try log.deleteAll() == 1200)
    #expect(try log.logs().isEmpty)
    #expect(temporary.store.tickers == ["A"])
    #expect(try log.deleteAll() == 0)
  }

  @Test func conditions_select_what_is_shown_changed_and_deleted() throws {
    let temporary = try TemporaryStore.ofFedEx()
    let log = DailyLog(of: .fedEx, in: temporary.store)
    try temporary.store.upsert([DailyQuoteSummary(ticker: "A", date: "2001-01-02", high: 81)])
    let all = try temporary.store.quotes(for: .fedEx).fetch()
    let high = all.filter { $0.high ?? 0 > 80 }
    #expect(try log.logs(where: .range(.high, above: 80)) == high.reversed() && !high.isEmpty)
    #expect(try log.update(where: .range(.high, above: 80)) { $0.high = nil } == high.count)
    #expect(try log.logs(where: .range(.high, above: 80)).isEmpty)
    #expect(try log.delete(where: .isMissing(.high)) == high.count)
    #expect(try log.logs().count == all.count - high.count)
    #expect(try temporary.store.quotes(for: "A").fetch().map(\.high) == [81])
  }

  @Test(arguments: [0, 1, 30]) func a_dummy_history_has_so_many_days_up_to_today(_ count: Int) throws {
    let temporary = try TemporaryStore()
    let log = DailyLog(of: "DUMMY", in: temporary.store)
    try log.createDummyLogs(forDays: count)
    let logs = try log.logs()
    #expect(logs.count == count)
    guard let newest = logs.first else { return }
    let today = CommitTime(secondsSince1970: Int64(Date.now.timeIntervalSince1970)).day
    // A weekend and a holiday may lie between.
    #expect(newest.date <= today && today.daysSince1970 - newest.date.daysSince1970 < 6)
    #expect(logs.allSatisfy { $0.close ?? 0 > 0 })
  }
}
