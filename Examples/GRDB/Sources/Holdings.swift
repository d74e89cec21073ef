// What one's shares are worth: a table of GRDB's joined with a store.

import CQuoinSQLite
import GRDB
import GRDBSQLite

struct Holding: Codable, FetchableRecord, PersistableRecord {
  var ticker: String
  var shares: Int
}

/// Has each connection of this process that is opened from now on know stores.
func addQuoin() {
  let entry:
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?) -> Int32 = {
      sqlite3_quoin_init($0, $1, $2)
    }
  _ = sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self))
}

@main
struct Holdings {
  static func main() throws {
    addQuoin()
    let database = try DatabaseQueue()
    try database.write { db in
      try db.execute(sql: "create virtual table temp.quotes using quoin('quoin-store')")
      try db.create(table: "holding") { table in
        table.primaryKey("ticker", .text)
        table.column("shares", .integer).notNull()
      }
      try Holding(ticker: "KO", shares: 500).insert(db)
      try Holding(ticker: "AAPL", shares: 20).insert(db)
    }
    try database.read { db in
      let worth = try Row.fetchAll(
        db,
        sql: """
          select ticker, date, shares * close as worth from holding join quotes using (ticker) where date >= ? order by ticker, date
          """, arguments: ["2018-03-26"])
      for row in worth {
        let (ticker, date, value): (String, String, Double) = (row["ticker"], row["date"], row["worth"])
        print(ticker, date, value)
      }
      let tops = try Row.fetchAll(
        db,
        sql:
          "select ticker, value1 from quoin_aggregate('quotes', 'max(close)', 'ticker') join holding using (ticker) order by ticker"
      )
      for row in tops {
        let (ticker, top): (String, Double) = (row["ticker"], row["value1"])
        print(ticker, "at most", top)
      }
    }
  }
}
