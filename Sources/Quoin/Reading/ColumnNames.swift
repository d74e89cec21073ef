/// What the name of a column means, as vendors and programs write it.
///
/// A new name of a vendor is a word in one of the lists below. Names are compared in lower case, without spaces, hyphens, points and
/// underscores, without the angle brackets of MetaStock, a unit in brackets and the marks of footnotes.
enum ColumnNames {
  /// What a name means.
  enum Meaning: Equatable {
    /// A role. Of several columns that want one role, the one with the lowest rank has it.
    case role(ColumnRole, rank: Int)
    /// Nothing that a quote has, as is known: the change, the currency, the number of trades.
    case nothing
  }

  /// The meaning of a name; nil if it isn't known.
  static func meaning(of name: String) -> Meaning? {
    let bare = simplified(name)
    if let known = meanings[bare] { return ")]".contains(name.last ?? " ") ? behindOthers(known) : known }
    let isNothing = nothingEndings.contains { bare.hasSuffix($0) } || nothingBeginnings.contains { bare.hasPrefix($0) }
    if isNothing { return .nothing }
    return withoutUnit(name).flatMap { meanings[$0] }.map(behindOthers)
  }

  /// The same meaning behind names without a unit: a volume in a currency counts less than one without.
  private static func behindOthers(_ meaning: Meaning) -> Meaning {
    guard case .role(let role, let rank) = meaning, role.attribute == .volume else { return meaning }
    return .role(role, rank: rank + 100)
  }

  /// The name as the lists below have it.
  static func simplified(_ name: String) -> String {
    guard name.utf8.count <= 64 else { return "" }
    var inside = name[...]
    if inside.hasPrefix("<"), inside.hasSuffix(">") { inside = inside.dropFirst().dropLast() }
    // A unit in brackets: `open (USD)`, `close [EUR]`.
    for (open, close) in [("(", ")"), ("[", "]")] where inside.hasSuffix(close) {
      if let start = inside.firstIndex(of: Character(open)), start > inside.startIndex { inside = inside[..<start] }
    }
    return withoutNumber(bare(inside))
  }

  /// The name in lower case without signs. Most names are ASCII, and a folder of files has many.
  private static func bare(_ name: Substring) -> String {
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
      return name.lowercased().filter { !"-_. \u{A0}*†‡\"'".contains($0) }
    }
    let signs = "-_. *\"'".utf8
    let letters = name.utf8.lazy.filter { !signs.contains($0) }
    return String(decoding: letters.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// The name without a number before it, as in `1. open`.
  private static func withoutNumber(_ name: String) -> String {
    let rest = name.drop { $0.isASCII && $0.isNumber }
    return rest.isEmpty || name.count - rest.count > 1 ? name : String(rest)
  }

  /// The name without a currency behind a space: `Volume BTC`, `Close USD`.
  private static func withoutUnit(_ name: String) -> String? {
    let words = name.split { " _".contains($0) }
    guard words.count == 2, let unit = words.last, 3...5 ~= unit.count,
      unit.allSatisfy({ $0.isASCII && $0.isUppercase })
    else { return nil }
    return simplified(String(words[0]))
  }

  private static let meanings: [String: Meaning] = {
    var meanings: [String: Meaning] = [:]
    for name in nothings { meanings[name] = .nothing }
    func add(_ names: [String], _ role: ColumnRole) {
      for (rank, name) in names.enumerated() { meanings[name] = .role(role, rank: rank) }
    }
    add(tickers, .ticker)
    add(dates, .date)
    for (part, names) in dateParts { add(names, .datePart(part)) }
    for (attribute, names) in attributes {
      let role = attribute == .splitRatio ? ColumnRole.splits(slot: attribute.slot) : ColumnRole(attribute)
      // Behind Quandl's own names, which come first.
      for (rank, name) in names.enumerated() { meanings[name] = .role(role, rank: rank + 1) }
    }
    for attribute in Attribute.allCases {
      for name in [attribute.wikiName, attribute.datasetName, "\(attribute)"] {
        meanings[simplified(name)] = .role(ColumnRole(attribute), rank: 0)
      }
    }
    return meanings
  }()
}

// The lists. Where several columns of a file want one role, the name that comes first here has it.
extension ColumnNames {
  static let tickers = [
    "ticker", "symbol", "tic", "code", "stock", "tickersymbol", "stocksymbol", "actsymbol", "stockcode", "tscode",
    "secucode",
    "tckrsymb", "tradingsymbol", "scrip", "scripcode", "bbgticker", "localsymbol", "pair", "股票代码", "代码",
    "instrumentcode", "name",
  ]

  static let dates = [
    "date", "timestamp", "datetime", "day", "tradedate", "tradingdate", "tradingday", "tradedt", "traddt", "bizdt",
    "observationdate", "quotedate", "pricedate", "marketdate", "businessdate", "sessiondate", "asofdate",
    "effectivedate",
    "dtyyyymmdd", "dateymd", "datadate", "caldt", "dlycaldt", "gmttime", "localtime", "opentime", "windowstart",
    "candlebegintime", "periodstart", "datum", "handelstag", "fecha", "jour", "giorno", "dato", "data", "tarih", "日期",
    "日付", "날짜", "일자", "거래일", "交易日期", "дата", "dátum", "päivämäärä", "päivä", "dag", "tanggal", "ngày", "ημερομηνία",
    "unix", "unixtime", "unixtimestamp", "epoch", "ts", "snappedat", "tsevent", "dt", "starttime", "bartime", "time",
    "t",
  ]

  static let dateParts: [(DatePart, [String])] = [
    (.year, ["year", "yyyy", "yr"]), (.month, ["month", "mm", "mon"]), (.day, ["dd", "dayofmonth"]),
  ]

  static let attributes: [(Attribute, [String])] = [
    (
      .open,
      [
        "openprice", "openingprice", "priceopen", "opening", "opnpric", "pxopen", "dlyopen", "dayopen", "eröffnung",
        "eröffnungskurs", "erster", "apertura", "ouverture", "abertura", "otwarcie", "eröffn", "ouv", "açılış", "prcod",
        "openprc", "firstprice", "开盘", "开盘价", "始値", "시가",
        "開盤", "開盤價", "开市", "acilis", "öppning", "öppningskurs", "åpning", "åbning", "avaus", "avauskurssi", "nyitó",
        "nyitóár",
        "открытие", "откр", "ценаоткрытия", "pembukaan", "otevření",
      ]
    ),
    (
      .high,
      [
        "highprice", "pricehigh", "hghpric", "pxhigh", "dlyhigh", "dayhigh", "highest", "dayshigh", "hoch", "höchst",
        "tageshoch",
        "máximo", "maximo", "haut", "plushaut", "massimo", "máxima", "najwyzszy", "najwyższy", "hoog", "yüksek",
        "prchd", "askhi", "最高", "最高价", "高値", "고가",
        "最高價", "yuksek", "enyüksek", "hög", "högst", "högstakurs", "høy", "høyeste", "højest", "ylin", "maks", "макс",
        "максимум", "ценамакс", "tertinggi", "alto", "alta",
      ]
    ),
    (
      .low,
      [
        "lowprice", "pricelow", "lwpric", "pxlow", "dlylow", "daylow", "lowest", "dayslow", "tief", "tiefst",
        "tagestief", "mínimo",
        "minimo", "bas", "plusbas", "mínima", "minima", "najnizszy", "najniższy", "laag", "düşük", "prcld", "bidlo",
        "最低", "最低价", "安値", "저가",
        "最低價", "dusuk", "endüşük", "låg", "lägst", "lägstakurs", "lav", "laveste", "lavest", "alin", "мин", "минимум",
        "ценамин", "terendah", "basso", "bajo", "baixa",
      ]
    ),
    (
      .close,
      [
        "closeprice", "closingprice", "priceclose", "clspric", "dlyclose", "closing", "schluss", "schlusskurs",
        "cierre",
        "clôture", "cloture", "chiusura", "fechamento", "prccd", "close/last", "pxclose", "pxlast", "settle",
        "settlement",
        "settlementprice", "settleprice", "sttlmpric", "last", "lastprice", "priclast", "lasttradedprice", "lasttrade",
        "lastsale",
        "lastpric", "ltp", "letzter", "ultimo", "último", "dernier", "price", "dlyprc", "kurs", "zuletzt", "laatste",
        "zamkniecie", "zamknięcie", "şimdi", "收盘", "收盘价", "最新价", "終値", "종가",
        "收盤", "收盤價", "收市", "收市价", "kapanış", "kapanis", "clot", "slutkurs", "stängning", "stängningskurs", "slut",
        "sluttkurs", "lukket", "päätös", "päätöskurssi", "záró", "záróár", "закрытие", "закр", "ценазакрытия",
        "penutupan",
        "závěr", "slotkoers", "slot", "quote", "nav", "netassetvalue", "schlusspreis", "indexvalue", "schlussstand",
      ]
    ),
    (
      .volume,
      [
        "vol", "tradedvolume", "volumetraded", "tradevolume", "tradingvolume", "totalvolume", "totaltradequantity",
        "totaltradedquantity", "totaltradedqty", "tottrdqty", "ttltradgvol", "ttltrdqnty", "tradedquantity",
        "quantitytraded",
        "sharevolume", "sharestraded", "noofshares", "numberofshares", "stuecke", "stücke", "umsatzstück", "volumen",
        "quantity", "qty",
        "pxvolume", "cshtrd", "dlyvol", "tickvol", "tickvolume", "volumefrom", "basevolume", "wolumen", "hac", "成交量",
        "出来高", "거래량", "成交股數", "成交股数", "成交數量", "hacim", "volym", "объем", "объём",
        "forgalom", "objem", "turnovershares",
      ]
    ),
    (
      .exDividend,
      [
        "dividend", "dividends", "dividendamount", "dividendpershare", "divcash", "cashdividend", "div",
        "dividendspershare", "exdiv",
      ]
    ),
    (.splitRatio, ["split", "splits", "stocksplits", "stocksplit", "splitcoefficient", "splitfactor", "splitratios"]),
    (.adjustedOpen, ["adjustedopenprice", "openadj", "openadjusted", "adjopenprice"]),
    (.adjustedHigh, ["adjustedhighprice", "highadj", "highadjusted", "adjhighprice"]),
    (.adjustedLow, ["adjustedlowprice", "lowadj", "lowadjusted", "adjlowprice"]),
    (
      .adjustedClose,
      [
        "adjusted", "closeadj", "closeadjusted", "adjcloseprice", "adjustedcloseprice", "adjustedprice", "adjprice",
        "adj", "adjclosing", "adjustedclosingprice", "調整後終値", "sharepriceadjclose", "adjlast",
      ]
    ),
    (.adjustedVolume, ["volumeadj", "volumeadjusted", "adjvol"]),
  ]

  /// What is known to be nothing of a quote's.
  static let nothings: Set<String> = [
    "change", "chg", "netchange", "%change", "change%", "changepercent", "percentchange", "pctchange", "pctchg", "chg%",
    "%chg", "diff",
    "currency", "ccy", "exchange", "market", "mic", "country", "sector", "industry", "company", "companyname",
    "securityname",
    "shortname", "longname", "description", "trades", "tradecount", "numberoftrades", "nooftrades", "noofdeals",
    "numtrades", "count",
    "n", "barcount", "transactions", "vwap", "vw", "average", "wap", "avgprice", "averageprice", "weightedaverage",
    "turnover", "nettrdval", "totaltradevalue", "amount", "value", "marketcap", "mktcap", "openint", "openinterest",
    "oi", "per", "period",
    "interval", "timeframe", "hour", "minute", "previousclose", "prevclose", "prevcloseprice", "prvsclsgpric",
    "lastupdated", "updated",
    "updatedat", "createdat", "id", "index", "row", "rownumber", "unnamed:0", "unnamed0", "bid", "ask", "bidvolume",
    "askvolume", "spread", "note",
    "notes", "series", "sctysrs", "capitalgains", "dividendyield", "52wh", "52wl", "adjfactor", "adjustmentfactor",
    "shareoutstanding",
    "sharesoutstanding", "closetime", "quotevolume", "quoteassetvolume", "takerbuybasevolume", "takerbuyquotevolume",
    "unadjustedvolume",
    "label", "changeovertime", "requestid", "status", "time", "weekday", "quarter", "week", "repaired?", "ignore",
    "frequency",
  ]

  private static let (nothingBeginnings, nothingEndings) = (["%"], ["%", "change", "percent"])
}

/// A part of a day that has a column of its own.
package enum DatePart: Hashable, Sendable, CaseIterable {
  case year, month, day
}
