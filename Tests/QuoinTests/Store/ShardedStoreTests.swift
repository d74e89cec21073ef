import Testing

@testable import Quoin

/// A directory of stores that opens as one.
@Suite struct ShardedStoreTests {
  private let directory = TemporaryDirectory()

  private var market: String { directory.path + "/market" }

  /// A store with these tickers, of rows that follow from the ticker and the salt.
  @discardableResult
  private func store(_ name: String, _ tickers: [TickerSymbol], salt: Int = 0, rows: Int = 41) throws -> QuoteStore {
    try SystemFiles().createDirectory(market)
    let store = try QuoteStore(at: directory.path + "/" + name)
    try store.upsert(
      Dictionary(uniqueKeysWithValues: tickers.map { ($0, .sample(rows, salt: salt + Int($0.utf8[0]))) }))
    return store
  }

  @Test func a_divided_store_answers_as_the_whole_one() throws {
    let whole = try store("whole", ["A", "B", "C", "D", "E", "F", "G"])
    try whole.upsert(["B": .sample(500, salt: 9)])
    try whole.divide(into: 3, at: market)
    #expect(directory.names(in: market) == ["LOCK", "SHARDS", "shard-0001", "shard-0002", "shard-0003"])
    let sharded = try QuoteStore(at: market, mustExist: true)
    #expect(sharded.tickers == whole.tickers && sharded.shards.count == 3 && whole.shards.isEmpty)
    #expect(try sharded.allQuotes.fetch() == whole.allQuotes.fetch())
    #expect(
      try sharded.allQuotes.where(.rankByDay(.close) <= 2).fetch()
        == whole.allQuotes.where(.rankByDay(.close) <= 2).fetch())
    #expect(try sharded.importRecords().map(\.ticker).sorted() == whole.importRecords().map(\.ticker).sorted())
    let damages = try QuoteStore.verify(at: market)
    #expect(damages.damages.isEmpty && damages.strayFiles.isEmpty && damages.fileCount == 3)
    #expect(throws: StoreError.storeExists(path: market)) { try whole.divide(into: 2, at: market) }
    #expect(throws: StoreError.storeExists(path: whole.path)) { try sharded.divide(into: 2, at: whole.path) }
  }

  @Test func parts_have_about_equal_numbers_of_rows() throws {
    let store = try store("whole", ["A", "B", "C", "D"])
    try store.upsert(["C": .sample(120, salt: 1)])
    #expect(try store.parts(2) == [["A", "B"], ["C", "D"]] && store.parts(1) == [["A", "B", "C", "D"]])
    #expect(try store.parts(3, of: ["D", "A", "NONE"]) == [["D"], [], ["A"]])
    #expect(try QuoteStore(at: directory.path + "/none").parts(2) == [[], []])
  }

  @Test func a_sharded_store_shows_the_commits_in_its_shards() throws {
    try store("whole", ["A", "B", "C"]).divide(into: 2, at: market)
    let sharded = try QuoteStore(at: market)
    let (generation, stamp) = (sharded.generation, try QuoteStore.stamp(of: market))
    #expect(generation == stamp.generation)
    let shard = try #require(sharded.shards.last)
    try QuoteStore(at: shard.path).upsert(["Z": .sample(3, salt: 1)])
    #expect(try sharded.tickers.count == 3 && sharded.refresh() && sharded.tickers.count == 4)
    #expect(sharded.generation == generation + 1 && sharded.shards.last?.generation == shard.generation + 1)
    #expect(try QuoteStore.stamp(of: market).generation == stamp.generation + 1)
    #expect(try QuoteStore.stamp(of: market).checksum != stamp.checksum)
    let before = try #require(try QuoteStore(at: shard.path).snapshot(ofGeneration: shard.generation))
    #expect(!before.tickers.contains("Z"))
  }

  private func commit(_ ticker: TickerSymbol, toShard index: Int) throws {
    try QuoteStore(at: QuoteStore(at: market).shards[index].path).upsert([ticker: .sample(3, salt: 1)])
  }

  @Test func its_changes_are_those_of_its_shards() async throws {
    try store("whole", ["A", "B", "C"]).divide(into: 2, at: market)
    let sharded = try await QuoteStore(at: market)
    var changes = sharded.changes.makeAsyncIterator()
    try commit("Z", toShard: 1)
    let change = try await changes.next()
    #expect(change?.tickers == ["Z"] && change?.generation == sharded.generation + 1)
    try commit("Y", toShard: 0)
    #expect(try await changes.next()?.tickers == ["Y"])
  }

  @Test func it_isnt_written_to_itself() throws {
    try store("whole", ["A", "B"]).divide(into: 2, at: market)
    let sharded = try QuoteStore(at: market)
    let refusal = StoreError.sharded(path: market)
    #expect(throws: refusal) { try sharded.delete("A") }
    #expect(throws: refusal) { try sharded.upsert(["A": .sample(3, salt: 1)]) }
    #expect(throws: refusal) { try sharded.keepSnapshot(named: "now") }
    #expect(throws: refusal) { try QuoteStore.repair(market, into: directory.path + "/new", in: SystemFiles()) }
    #expect(throws: ImportError.store(refusal)) {
      try sharded.importFiles(["nothing.csv"], options: ImportOptions(), patience: .zero)
    }
    #expect(try sharded.snapshots.isEmpty && sharded.snapshot(ofGeneration: sharded.generation) != nil)
  }

  @Test func finished_stores_become_shards_and_go_into_those_of_their_tickers() throws {
    func publish(_ names: [String], replacing: Bool = false) throws {
      try QuoteStore.publish(names.map { market + "/" + $0 }, in: market, replacing: replacing)
    }
    try store("market/one", ["A", "B"])
    try store("market/two", ["C"])
    try publish(["one", "two"])
    #expect(directory.names(in: market) == ["LOCK", "SHARDS", "shard-0001", "shard-0002"])
    let reader = try QuoteStore(at: market)
    let first = try reader.allQuotes.fetch()
    #expect(reader.tickers == ["A", "B", "C"] && first.count == 123)

    // A has other rows, and D is new in the same store; E is in one by itself.
    try store("market/three", ["A", "D"], salt: 7, rows: 60)
    try store("market/four", ["E"])
    try publish(["three", "four"])
    #expect(directory.names(in: market) == ["LOCK", "SHARDS"] + [1, 2, 4, 5].map { "shard-000\($0)" })
    #expect(try reader.allQuotes.fetch() == first, "a snapshot stays")
    #expect(try reader.refresh() && reader.tickers == ["A", "B", "C", "D", "E"])
    #expect(reader.shards.map { $0.path.suffix(4) } == ["0005", "0002", "0004"])
    let naive = try store("naive", ["A", "B", "C"])
    try naive.upsert(["A": .sample(60, salt: 7 + 65), "D": .sample(60, salt: 7 + 68), "E": .sample(41, salt: 69)])
    #expect(try reader.allQuotes.fetch() == naive.allQuotes.fetch())

    try store("market/five", ["X"])
    try publish(["five"], replacing: true)
    // The shards of the list before are there, those of earlier lists aren't.
    #expect(directory.names(in: market) == ["LOCK", "SHARDS"] + [2, 4, 5, 6].map { "shard-000\($0)" })
    #expect(try reader.refresh() && reader.tickers == ["X"])
    try store("market/six", ["Y"])
    try publish(["six"])
    #expect(directory.names(in: market) == ["LOCK", "SHARDS", "shard-0006", "shard-0007"])
    #expect(try reader.refresh() && reader.tickers == ["X", "Y"] && QuoteStore.verify(at: market).damages.isEmpty)
    try publish([], replacing: true)
    #expect(try reader.refresh() && reader.tickers.isEmpty && QuoteStore(at: market, mustExist: true).tickers.isEmpty)
  }

  @Test func an_ordinary_store_takes_finished_ones_in_one_commit() throws {
    let store = try store("market", ["A", "B"])
    for isReplacing in [false, true] {
      try self.store("market/done", ["B", "C"], salt: 3)
      try QuoteStore.publish([market + "/done"], in: market, replacing: isReplacing)
      #expect(try store.refresh() && store.tickers == (isReplacing ? ["B", "C"] : ["A", "B", "C"]))
    }
    try QuoteStore.publish([], in: market, replacing: true)
    #expect(try store.refresh() && store.tickers.isEmpty)
    #expect(store.generation == 4 && !directory.names(in: market).contains("done"))
  }

  @Test func a_ticker_twice_and_what_isnt_a_store_are_refused_and_change_nothing() throws {
    try store("market/one", ["A"])
    try store("market/two", ["A"])
    let paths = ["one", "two"].map { market + "/" + $0 }
    #expect(throws: StoreError.tickerTwice("A", path: paths[0], otherPath: paths[1])) {
      try QuoteStore.publish(paths, in: market)
    }
    #expect(throws: StoreError.noStore(path: market + "/three")) {
      try QuoteStore.publish([paths[0], market + "/three"], in: market)
    }
    #expect(directory.names(in: market).filter { $0 != "LOCK" } == ["one", "two"])
  }

  @Test func stores_that_no_list_names_are_left_alone() throws {
    let own = try store("market/shard-0001", ["A"])
    #expect(throws: StoreError.notAStore(path: market)) { try own.divide(into: 2, at: market) }
    try store("market/done", ["B"])
    try QuoteStore.publish([market + "/done"], in: market)
    try store("market/done", ["C"])
    try QuoteStore.publish([market + "/done"], in: market, replacing: true)
    #expect(try own.allQuotes.count() == 41 && QuoteStore.verify(at: own.path).damages.isEmpty)
    #expect(try QuoteStore(at: market).tickers == ["C"])
  }

  @Test func after_an_error_finished_stores_are_where_they_were() throws {
    try store("whole", ["A", "B"]).divide(into: 1, at: market)
    let file = market + "/shard-0001/00000001.columns"
    try SystemFiles().rename(file, to: file + ".away")
    try store("market/new", ["N"])
    try store("market/more", ["A"], salt: 5)
    #expect(throws: StoreError.self) { try QuoteStore.publish(["new", "more"].map { market + "/" + $0 }, in: market) }
    #expect(directory.names(in: market) == ["LOCK", "SHARDS", "more", "new", "shard-0001"])
    try SystemFiles().rename(file + ".away", to: file)
    #expect(try QuoteStore(at: market).tickers == ["A", "B"] && QuoteStore(at: market + "/new").tickers == ["N"])
  }

  @Test func no_number_in_a_list_is_too_large() throws {
    try store("whole", ["A", "B"]).divide(into: 2, at: market)
    var list = try #require(try ShardList.read(in: market, SystemFiles()))
    list.base = 1 << 60 - 1
    try list.publish(in: market, SystemFiles())
    #expect(try QuoteStore(at: market).tickers == ["A", "B"] && QuoteStore.stamp(of: market).generation == 1 << 60 + 1)
    list.base = .max
    try list.publish(in: market, SystemFiles())
    #expect(throws: StoreError.self) { try QuoteStore(at: market) }
    #expect(ShardList.newName(besides: ["shard-\(Int.max)", "shard-0007", "shard-"]) == "shard-0008")
  }

  @Test func a_damaged_list_and_a_missing_shard_are_told() throws {
    try store("whole", ["A", "B"]).divide(into: 2, at: market)
    let path = market + "/SHARDS"
    let bytes = try #require(try ShardList.read(in: market, SystemFiles())).bytes
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8(place % 8)
      #expect(throws: StoreError.self, "byte \(place)") { try ShardList(damaged, path: path) }
    }
    for count in bytes.indices {
      #expect(throws: StoreError.self, "\(count) bytes") { try ShardList(Array(bytes.prefix(count)), path: path) }
    }
    #expect(try ShardList(bytes, path: path).bytes == bytes)
    try SystemFiles().rename(market + "/shard-0002", to: market + "/elsewhere")
    #expect(throws: StoreError.damaged(path: path, offset: 0, reason: "a store that it names is missing")) {
      try QuoteStore(at: market)
    }
  }
}
