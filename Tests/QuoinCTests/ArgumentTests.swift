import CQuoin
import Foundation
import Quoin
import Synchronization
import Testing

@testable import QuoteGenerator

extension CInterface {
  /// Arguments that nobody should give. Each gets an error with words, and nothing is left of it.
  @Suite struct ArgumentTests {
    private let market: TestMarket
    private let store: CStore

    init() throws {
      market = try TestMarket.nasty()
      store = try CStore(market.path)
    }

    private func code(_ body: () throws -> Void) -> quoin_code? {
      do {
        try body()
        return nil
      } catch {
        guard let error = error as? CError, !error.message.isEmpty else { return QUOIN_OTHER }
        return error.code
      }
    }

    @Test func null_is_refused_everywhere() {
      let before = quoin_live_count()
      var errors: [OpaquePointer?] = Array(repeating: nil, count: 41)
      let handle = store.handle
      let stream = CStream()
      var (query, groups) = (quoin_query(), quoin_groups())
      query.size = MemoryLayout<quoin_query>.size
      groups.size = MemoryLayout<quoin_groups>.size
      var count: Int64 = 0
      var end = 0
      #expect(quoin_open(nil, 0, &errors[0]) == nil)
      #expect(quoin_refresh(nil, nil, &errors[1]) == QUOIN_MISUSE)
      #expect(quoin_tickers(nil, nil, &errors[2]) == nil)
      #expect(quoin_scan(nil, nil, stream.pointer, &errors[3]) == QUOIN_MISUSE)
      #expect(quoin_scan(handle, nil, nil, &errors[4]) == QUOIN_MISUSE)
      #expect(quoin_count(handle, nil, nil, &errors[5]) == QUOIN_MISUSE)
      #expect(quoin_count(nil, &query, &count, &errors[6]) == QUOIN_MISUSE)
      #expect(quoin_aggregate(handle, nil, nil, stream.pointer, &errors[7]) == QUOIN_MISUSE)
      #expect(quoin_aggregate(handle, &query, &groups, nil, &errors[8]) == QUOIN_MISUSE)
      #expect(quoin_partitions(handle, nil, 1, nil, &errors[9]) == nil)
      #expect(quoin_partitions(handle, nil, 0, &end, &errors[10]) == nil)
      #expect(quoin_explain(nil, nil, &errors[11]) == nil)
      #expect(quoin_remarks(nil, nil, nil, nil) == nil)
      #expect(quoin_open_shards(nil, 1, &errors[12]) == nil)
      #expect(quoin_snapshots(nil, nil, &errors[13]) == nil)
      #expect(quoin_shards(nil, nil, &errors[26]) == nil)
      #expect(quoin_publish(nil, nil, 0, 0, nil, &errors[27]) == QUOIN_MISUSE)
      #expect(quoin_publish("there", nil, 1, 0, nil, &errors[28]) == QUOIN_MISUSE)
      #expect(quoin_open_snapshot(handle, nil, &errors[14]) == nil)
      #expect(quoin_open_snapshot(nil, "a", &errors[15]) == nil)
      #expect(quoin_keep_snapshot(handle, nil, &errors[16]) == QUOIN_MISUSE)
      #expect(quoin_drop_snapshot(nil, "a", &errors[17]) == QUOIN_MISUSE)
      #expect(quoin_diff(handle, nil, stream.pointer, &errors[18]) == QUOIN_MISUSE)
      #expect(quoin_diff(nil, handle, stream.pointer, &errors[19]) == QUOIN_MISUSE)
      #expect(quoin_check(handle, nil, nil, nil, &errors[20]) == QUOIN_MISUSE)
      #expect(quoin_import(handle, nil, nil, nil, &errors[21]) == QUOIN_MISUSE)
      #expect(quoin_import(nil, stream.pointer, nil, nil, &errors[22]) == QUOIN_MISUSE)
      #expect(quoin_import_files(handle, nil, 1, nil, nil, &errors[23]) == QUOIN_MISUSE)
      #expect(quoin_delete(handle, nil, nil, nil, &errors[24]) == QUOIN_MISUSE)
      #expect(quoin_delete(nil, &query, nil, &count, &errors[25]) == QUOIN_MISUSE)
      #expect(quoin_undo(nil, nil, &errors[29]) == QUOIN_MISUSE)
      #expect(quoin_restore(nil, "a", nil, &errors[30]) == QUOIN_MISUSE)
      #expect(quoin_restore(handle, nil, nil, &errors[31]) == QUOIN_MISUSE)
      #expect(quoin_rename(nil, &query, "X", nil, &errors[32]) == QUOIN_MISUSE)
      #expect(quoin_rename(handle, &query, nil, nil, &errors[33]) == QUOIN_MISUSE)
      #expect(quoin_merge(nil, handle, nil, nil, nil, &errors[34]) == QUOIN_MISUSE)
      #expect(quoin_merge(handle, nil, nil, nil, nil, &errors[35]) == QUOIN_MISUSE)
      #expect(quoin_adjust(nil, nil, 0, nil, nil, &errors[36]) == QUOIN_MISUSE)
      #expect(quoin_compact(nil, nil, nil, &errors[37]) == QUOIN_MISUSE)
      #expect(quoin_back_up(nil, "there", nil, &errors[38]) == QUOIN_MISUSE)
      #expect(quoin_back_up(handle, nil, nil, &errors[39]) == QUOIN_MISUSE)
      #expect(quoin_verify(nil, &errors[40]) == nil)
      for error in errors {
        #expect(quoin_error_code(error) == QUOIN_MISUSE && String(cString: quoin_error_message(error)!).count > 10)
        quoin_error_free(error)
      }
      // Nobody has to ask for the error, or to have one.
      #expect(quoin_scan(nil, nil, nil, nil) == QUOIN_MISUSE && quoin_open(nil, 0, nil) == nil)
      #expect(quoin_error_code(nil) == QUOIN_OK && String(cString: quoin_error_message(nil)!).isEmpty)
      quoin_error_free(nil)
      quoin_close(nil)
      quoin_free(nil)
      #expect(quoin_live_count() == before && stream.isReleased)
    }

    @Test func nothing_that_is_closed_or_made_up_is_followed() throws {
      let closed = try CStore(market.path).handle
      for number in [1, 2, 999_999, UInt.max, 0x7fff_0000_1000, UInt(bitPattern: closed)] {
        if number == UInt(bitPattern: store.handle) { continue }
        let handle = OpaquePointer(bitPattern: number)
        var error: OpaquePointer?
        #expect(quoin_count(handle, nil, nil, &error) == QUOIN_MISUSE)
        quoin_error_free(error)
        quoin_error_free(error)
        quoin_close(handle)
        quoin_free(UnsafeRawPointer(handle))
        #expect(quoin_error_code(handle) == QUOIN_OK)
      }
      #expect(try store.count() > 0)
    }

    @Test func pointers_that_can_be_none_are_refused() {
      let bad = [1, 8, 4095, UInt.max, .max - 7, 0x7fff_0000_0001].map { UnsafeMutableRawPointer(bitPattern: $0) }
      let handle = store.handle
      for pointer in bad {
        let query = pointer?.assumingMemoryBound(to: quoin_query.self)
        let stream = pointer?.assumingMemoryBound(to: ArrowArrayStream.self)
        #expect(quoin_scan(handle, nil, stream, nil) == QUOIN_MISUSE)
        #expect(quoin_explain(handle, query, nil) == nil)
        var error: OpaquePointer?
        let errors = pointer?.assumingMemoryBound(to: OpaquePointer?.self)
        #expect(quoin_refresh(nil, nil, errors) == QUOIN_MISUSE)
        var text = quoin_query()
        text.size = MemoryLayout<quoin_query>.size
        text.tickers = UnsafePointer(pointer?.assumingMemoryBound(to: UnsafePointer<CChar>?.self))
        text.ticker_count = 1
        var count: Int64 = 0
        #expect(quoin_count(handle, &text, &count, &error) == QUOIN_MISUSE)
        quoin_error_free(error)
      }
    }

    @Test func sizes_tell_which_fields_there_are() throws {
      let known = MemoryLayout<quoin_query>.size
      func count(size: Int, _ change: (UnsafeMutablePointer<quoin_query>) -> Void = { _ in }) -> quoin_code {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: known + 64, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        let query = memory.baseAddress!.bindMemory(to: quoin_query.self, capacity: 1)
        query.pointee.size = size
        change(query)
        var count: Int64 = 0
        return quoin_count(store.handle, query, &count, nil)
      }
      for size in [8, 16, 104, known, known + 8, known + 64] { #expect(count(size: size) == QUOIN_OK) }
      for size in [0, 1, 7, 9, 113, 1 << 13, -8, .max, .min] { #expect(count(size: size) == QUOIN_MISUSE) }
      // A field of a later version.
      #expect(
        count(size: known + 8) { UnsafeMutableRawPointer($0).storeBytes(of: 1, toByteOffset: known, as: UInt8.self) }
          == QUOIN_MISUSE)
      #expect(count(size: known) { $0.pointee.flags = 8 } == QUOIN_MISUSE)
      #expect(count(size: known) { $0.pointee.limit = -2 } == QUOIN_MISUSE)
      #expect(count(size: known) { $0.pointee.limit = .min } == QUOIN_MISUSE)
      #expect(count(size: known) { $0.pointee.offset = -1 } == QUOIN_MISUSE)
      #expect(count(size: known) { $0.pointee.ticker_count = 1 } == QUOIN_MISUSE)
      #expect(count(size: known) { $0.pointee.threads = .max } == QUOIN_OK)
      #expect(count(size: known) { ($0.pointee.limit, $0.pointee.offset) = (.max, .max) } == QUOIN_OK)
    }

    @Test func mistakes_in_words_are_told_with_the_field() {
      let mistakes: [(CQuery, quoin_code, String)] = [
        (CQuery(tickers: ["FDX,"]), QUOIN_SYNTAX, "tickers[0]: "),
        (CQuery(tickers: ["A", "BRK-A"]), QUOIN_UNKNOWN_TICKER, "did you mean BRK.A?"),
        (CQuery(condition: "hihg > 80"), QUOIN_SYNTAX, "where: unknown attribute 'hihg'; did you mean 'high'?"),
        (CQuery(from: "2005-13-01"), QUOIN_SYNTAX, "from: '2005-13-01' isn't a date"),
        (CQuery(from: "2005-01-02", to: "2005-01-01"), QUOIN_SYNTAX, "later"),
        (CQuery(asOf: "today"), QUOIN_SYNTAX, "as_of: "),
        (CQuery(resample: "day"), QUOIN_SYNTAX, "resample: 'day' isn't one of week, month, quarter, half-year, year"),
        (CQuery(resample: "week", label: "first"), QUOIN_SYNTAX, "bar_label: "),
        (CQuery(label: "period-end"), QUOIN_MISUSE, "resample"),
        (CQuery(columns: "closs"), QUOIN_SYNTAX, "columns: unknown column 'closs'; did you mean"),
        (CQuery(columns: "close, volume, adj_close, Close"), QUOIN_SYNTAX, "'close' is listed twice"),
        (CQuery(columns: "open + 1 as high"), QUOIN_SYNTAX, "columns: there would be two columns 'high'"),
        (CQuery(columns: ""), QUOIN_SYNTAX, "columns: "),
        (CQuery(order: "volume sideways"), QUOIN_SYNTAX, "order: "),
      ]
      for (query, expected, words) in mistakes {
        #expect { try store.scan(query) } throws: { error in
          (error as? CError)?.code == expected && (error as? CError)?.message.contains(words) == true
        }
      }
      let groups: [(String, String?, String?, CQuery, String)] = [
        ("", nil, nil, CQuery(), "aggregates: "), ("close", nil, nil, CQuery(), "aggregates: "),
        ("count", "decade", nil, CQuery(), "by: 'decade' isn't one of ticker, day"),
        ("count", "month, month", nil, CQuery(), "by: 'month' is named twice"),
        ("count", nil, "n >", CQuery(), "having: "), ("count", nil, nil, CQuery(order: "m desc"), "order: "),
        ("count as month", "month", nil, CQuery(), "two columns 'month'"),
        ("count", nil, nil, CQuery(columns: "close"), "columns applies to rows"),
      ]
      for (list, by, having, query, words) in groups {
        #expect { try store.aggregate(list, by: by, having: having, query) } throws: { error in
          (error as? CError)?.message.contains(words) == true
        }
      }
    }

    /// A program that passes fields on needs no struct that knows them.
    @Test(arguments: QuestionField.all.map(\.name))
    func each_field_can_be_given_by_its_name(_ name: QuestionField.Name) throws {
      let field = QuestionField.named(name)
      let text = name == .tickers ? "BRK.A,A" : field.example
      var fields: [(name: String, text: String?)] = [(name.rawValue, text)]
      var texts: [QuestionText] = [(name, text)]
      func add(_ name: QuestionField.Name, _ text: String) {
        fields.append((name.rawValue, text))
        texts.append((name, text))
      }
      switch name {
      case .trustSplits: add(.asOf, "2010-06-01")
      case .barLabel: add(.resample, "week")
      case .having, .by: add(.aggregates, "count")
      case .pivot:
        add(.aggregates, "count")
        add(.by, "year, ticker")
      default: break
      }
      let query = CQuery(fields: fields)
      let asked = try QuoteQuestion(texts)
      let library = try QuoteStore(at: market.path)
      guard field.subject != .groups else {
        let count = try library.asking(asked) { query throws(StoreError) in
          try query.answer(asked.groups!, by: asked.grouping).groups.rowCount
        }
        #expect(try rowCount(store.aggregate(query)) == count)
        #expect(code { _ = try store.scan(query) } == QUOIN_MISUSE)
        return
      }
      // Volumes of the nasty market don't add up.
      let expected = Result {
        var (rows, count) = (QuestionRows(asked, in: library, rowsPerBatch: .max), 0)
        while let batch = try rows.next() { count += batch.rowCount }
        return count
      }
      switch expected {
      case .success(let count): #expect(try rowCount(store.scan(query)) == count)
      case .failure(let error):
        #expect {
          try rowCount(store.scan(query))
        } throws: { ($0 as? CError)?.message.contains("\(error)") == true }
      }
    }

    private func rowCount(_ stream: CStream) throws -> Int {
      var count = 0
      while let batch = try stream.next() { count += Int(batch.pointer.pointee.length) }
      return count
    }

    @Test func mistakes_in_named_fields_are_told() {
      let mistakes: [(CQuery, quoin_code, String)] = [
        (CQuery(fields: [("colums", "date")]), QUOIN_MISUSE, "there is no field 'colums'; did you mean 'columns'?"),
        (CQuery(fields: [("order", "up")]), QUOIN_SYNTAX, "order: "),
        (CQuery(fields: [("limit", "-1")]), QUOIN_SYNTAX, "limit: '-1' isn't a whole number from 0 on"),
        (CQuery(limit: 3, fields: [("limit", "4")]), QUOIN_MISUSE, "limit is given twice"),
        (CQuery(tickers: ["A"], fields: [("tickers", "A")]), QUOIN_MISUSE, "tickers is given twice"),
        (CQuery(fields: [("order", "desc"), ("order", "asc")]), QUOIN_MISUSE, "order is given twice"),
        (CQuery(fields: [("aggregates", "count")]), QUOIN_MISUSE, "quoin_aggregate"),
      ]
      for (query, expected, words) in mistakes {
        #expect { try store.scan(query) } throws: { error in
          (error as? CError)?.code == expected && (error as? CError)?.message.contains(words) == true
        }
      }
      // A text that is NULL is no field.
      #expect(throws: Never.self) { try store.scan(CQuery(fields: [("order", nil)])) }
    }

    @Test(
      arguments: [
        (CQuery(condition: "rank(close by day) > 1"), nil, nil, 0, true),
        (CQuery(condition: "ticker = 'BY.DAY' and close > open"), nil, nil, 0, false),
        (CQuery(columns: "date, rank(close by \n\tday) as r"), nil, nil, 0, true),
        (CQuery(order: "close / mean(close by day among volume > 0) desc"), nil, nil, 0, true),
        (CQuery(condition: "close > close of BY"), nil, nil, 0, false),
        (CQuery(condition: "r > 1", definitions: "r = rank(close by day)"), nil, nil, 0, true),
        (CQuery(top: "1 by close per day"), nil, nil, 0, true),
        (CQuery(), "count", "month", 2, false), (CQuery(), "count as day, max(close)", "month, all", 1, false),
        (CQuery(), "mean(rank(close by day))", "year, weekday", 2, true), (CQuery(), "count", nil, 0, false),
        (CQuery(order: "max(rank(close by day)) desc"), "count", "ticker", 1, true),
      ] as [(CQuery, String?, String?, Int, Bool)])
    func what_is_known_of_a_question_is_told(
      _ query: CQuery, _ aggregates: String?, _ by: String?, _ keyCount: Int, _ isByDay: Bool
    ) throws {
      var texts = CTexts()
      defer { texts.wipe() }
      var groups = quoin_groups(
        size: MemoryLayout<quoin_groups>.size, aggregates: texts.add(aggregates), by: texts.add(by), having: nil)
      var facts = quoin_facts(size: MemoryLayout<quoin_facts>.size, key_count: 7, is_by_day: 7)
      let code = query.withC { query in
        withUnsafePointer(to: &groups) { quoin_inspect(query, aggregates == nil ? nil : $0, &facts, nil) }
      }
      #expect(code == QUOIN_OK && facts.key_count == keyCount && facts.is_by_day == (isByDay ? 1 : 0), "\(facts)")
    }

    @Test func an_inspection_without_a_place_or_of_a_mistake_is_refused() {
      var facts = quoin_facts()
      #expect(quoin_inspect(nil, nil, nil, nil) == QUOIN_MISUSE)
      #expect(quoin_inspect(nil, nil, &facts, nil) == QUOIN_MISUSE)
      facts.size = MemoryLayout<quoin_facts>.size
      #expect(quoin_inspect(nil, nil, &facts, nil) == QUOIN_OK && facts.is_by_day == 0)
      let wrong = CQuery(condition: "hihg > 1").withC { quoin_inspect($0, nil, &facts, nil) }
      #expect(wrong == QUOIN_SYNTAX)
    }

    @Test func what_is_easily_overlooked_is_told() throws {
      let store = try CStore(market.path)
      let alone = try store.remarks(CQuery(tickers: ["FDX"], columns: "rank(close by day)"))
      #expect(
        alone.hasPrefix("FDX is alone among the quotes of each day") && alone.contains("with where \"ticker = 'FDX'\""))
      #expect(try store.remarks(CQuery(columns: "rank(close by day)")) == "")
      #expect(try store.remarks(CQuery(tickers: ["FDX"], condition: "close > 80")) == "")
      let ofGroups = CQuery(tickers: ["FDX"], fields: [("aggregates", "mean(rank(close by day))"), ("by", "year")])
      #expect(try store.remarks(ofGroups).hasPrefix("FDX is alone"))
      #expect(throws: (any Error).self) { try store.remarks(CQuery(condition: "hihg > 1")) }
    }

    @Test func a_question_over_its_budget_is_given_up() throws {
      let store = try CStore(market.path)
      let query = CQuery(condition: "close > mean(close, 20)")
      let count = try store.count(query)
      try store.limitQuestions(seconds: 1e-9, megabytes: 0)
      #expect(code { _ = try store.count(query) } == QUOIN_OVER_BUDGET)
      #expect(throws: (any Error).self) { _ = try store.scan(query).next() }
      try store.limitQuestions(seconds: 0, megabytes: 0)
      #expect(try store.count(query) == count)
      for seconds in [-1, -Double.infinity, Double.nan] {
        #expect(code { try store.limitQuestions(seconds: seconds, megabytes: 1) } == QUOIN_MISUSE)
      }
      #expect(quoin_limit_questions(nil, 1, 1, nil) == QUOIN_MISUSE)
    }

    @Test func an_interrupt_gives_up_what_is_asked_already() throws {
      let store = try CStore(market.path)
      let stream = try store.scan()
      let begun = try store.scan()
      #expect(try begun.next() != nil)
      try store.interrupt()
      for stream in [stream, begun] {
        let array = CArray()
        #expect(stream.pointer.pointee.get_next(stream.pointer, array.pointer) == EINTR)
        #expect(stream.lastError == "the question was interrupted")
      }
      #expect(try store.count() > 0)
      #expect(quoin_interrupt(nil, nil) == QUOIN_MISUSE)
    }

    @Test func another_thread_interrupts_a_question_while_it_is_answered() throws {
      let store = try CStore(market.path)
      let ranks = (1...100).map { "rank(prev(close, \($0)) by day)" }.joined(separator: " + ")
      let isDone = Atomic(false)
      let helper = Thread {
        while !isDone.load(ordering: .relaxed) {
          usleep(5000)
          try? store.interrupt()
        }
      }
      helper.start()
      defer { isDone.store(true, ordering: .relaxed) }
      let start = ContinuousClock.now
      #expect(code { _ = try store.count(CQuery(condition: ranks + " > 0")) } == QUOIN_INTERRUPTED)
      #expect(ContinuousClock.now - start < .seconds(5))
      #expect(code { _ = try store.aggregate("sum(\(ranks))") } == QUOIN_INTERRUPTED)
    }

    @Test func a_question_without_an_answer_fails_when_it_is_read() throws {
      let ahead = CQuery(asOf: "1969-12-31", columns: "next(close) as n")
      #expect(code { _ = try store.explain(ahead) } == QUOIN_UNANSWERABLE)
      let stream = try store.scan(ahead)
      let array = CArray()
      #expect(stream.pointer.pointee.get_next(stream.pointer, array.pointer) == 22)
      #expect(stream.lastError?.contains("looks ahead") == true)
      let other = try store.scan(CQuery(columns: "close of SPY as s"))
      #expect { try other.next() } throws: { ($0 as? CError)?.message.contains("has no quotes of SPY") == true }
    }

    @Test func paths_without_a_store_are_told() {
      for path in ["", "/", "/dev/null", "/nowhere/at/all", "/etc", market.path + "/MANIFEST", "\u{10FFFF}\u{202E}"] {
        let code = code { _ = try CStore(path) }
        #expect(code == QUOIN_NO_STORE || code == QUOIN_IO, "\(path): \(code.debugDescription)")
      }
      var error: OpaquePointer?
      #expect(quoin_open(market.path, 3, &error) == nil && quoin_error_code(error) == QUOIN_MISUSE)
      quoin_error_free(error)
    }

    @Test func huge_texts_and_lists_are_refused() {
      for text in [String(repeating: "high > 1 and ", count: 9000), String(repeating: "(", count: 3 << 20)] {
        let code = code { _ = try store.count(CQuery(condition: text)) }
        #expect(code == QUOIN_SYNTAX || code == QUOIN_MISUSE)
        #expect(self.code { _ = try store.scan(CQuery(columns: text)) } != nil)
        #expect(self.code { _ = try store.aggregate(text) } != nil)
        #expect(self.code { _ = try store.count(CQuery(tickers: [text])) } != nil)
      }
      #expect(code { _ = try store.partitions(1 << 21) } == QUOIN_MISUSE)
      var query = quoin_query()
      query.size = MemoryLayout<quoin_query>.size
      var ticker: UnsafePointer<CChar>?
      withUnsafePointer(to: &ticker) { list in
        for count in [Int.max, -1, .min, 1 << 40] {
          (query.tickers, query.ticker_count) = (list, count)
          var rows: Int64 = 0
          #expect(quoin_count(store.handle, &query, &rows, nil) == QUOIN_MISUSE)
        }
        query.ticker_count = 1
        #expect(quoin_explain(store.handle, &query, nil) == nil)
      }
    }

    /// Random texts in random fields: any answer, and no trap.
    @Test func random_bytes_end_no_process() throws {
      let before = quoin_live_count()
      let environment = ProcessInfo.processInfo.environment
      let count = environment["QUOIN_C_QUESTIONS"].flatMap { Int($0) } ?? 400
      let seed = environment["QUOIN_SEED"].flatMap { UInt64($0) } ?? 1
      var (dice, answers) = (SeededRandom(seed: seed), 0)
      for _ in 0..<count {
        let query = CQuery(
          tickers: dice.chance(0.1) ? (RandomTexts.text(&dice).map { [$0] }) : nil,
          condition: dice.chance(0.5) ? RandomTexts.text(&dice) : nil,
          from: dice.chance(0.05) ? RandomTexts.text(&dice) : nil,
          asOf: dice.chance(0.05) ? RandomTexts.text(&dice) : nil,
          resample: dice.chance(0.05) ? RandomTexts.text(&dice) : nil,
          columns: dice.chance(0.3) ? RandomTexts.text(&dice) : nil,
          order: dice.chance(0.2) ? RandomTexts.text(&dice) : nil,
          limit: Int64(bitPattern: dice.next()) >> Int64(dice.below(64)),
          offset: Int64(dice.below(3)), threads: UInt32(dice.below(3)), flags: UInt32(dice.below(2)))
        if (try? store.scan(query).columns()) != nil { answers += 1 }
        _ = try? store.explain(query)
        if (try? store.aggregate(
          RandomTexts.text(&dice) ?? "count", by: RandomTexts.text(&dice), having: RandomTexts.text(&dice), query
        ).columns()) != nil {
          answers += 1
        }
        _ = try? store.partitions(1 + dice.below(5), query)
      }
      print("random texts for C: \(count) questions, QUOIN_SEED=\(seed), \(answers) answers")
      #expect(answers > count / 20 && quoin_live_count() == before)
    }
  }
}
