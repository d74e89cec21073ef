import Testing

@testable import Quoin

/// Columns as vendors call them. The numbers are those of a log of other people's files.
@Suite struct ColumnFormTests {
  private static let row = "FDX 2024-01-19 10 12 9 11 100"

  private static let names: [FormCase] = [
    FormCase(
      "1 Nasdaq.com, indices", "Date,Close/Last,Open,High,Low\n01/19/2024,11,10,12,9\n",
      rows: ["FDX 2024-01-19 10 12 9 11 -"]),
    FormCase(
      "3 Investing.com",
      "\u{FEFF}\"Date\",\"Price\",\"Open\",\"High\",\"Low\",\"Vol.\",\"Change %\"\n\"01/19/2024\",\"11\",\"10\",\"12\",\"9\",\"\",\"0.20%\"\n",
      rows: ["FDX 2024-01-19 10 12 9 11 -"]),
    FormCase(
      "4 Yahoo's page", "Date,Open,High,Low,Close*,Adj Close**,Volume\n2024-01-19,10,12,9,11,5.5,100\n",
      rows: [row + " ac=5.5"]),
    FormCase(
      "5 Sierra Chart",
      "Date, Time, Open, High, Low, Last, Volume, NumberOfTrades\n2024/1/19, 00:00:00, 10, 12, 9, 11, 100, 7\n",
      rows: [row]),
    FormCase(
      "6 Quandl's futures",
      #"{"dataset":{"dataset_code":"FDX","column_names":["Date","Open","High","Low","Last","Settle","Volume"],"data":[["2024-01-19",10,12,9,8,11,100]]}}"#,
      name: "a.json", rows: [row]),
    FormCase("8 FSE", "Date,Open,High,Low,Close,Traded Volume\n2024-01-19,10,12,9,11,100\n", rows: [row]),
    FormCase(
      "8 NSE", "Date,Open,High,Low,Last,Close,Total Trade Quantity,Turnover (Lacs)\n2024-01-19,10,12,9,10.5,11,100,5\n",
      rows: [row]),
    FormCase(
      "8 BSE", "Date,Open,High,Low,Close,No. of Shares,No. of Trades\n2024-01-19,10,12,9,11,100,5\n", rows: [row]),
    FormCase(
      "10 NSE", "Date,Open Price,High Price,Low Price,Close Price,Volume\n2024-01-19,10,12,9,11,100\n", rows: [row]),
    FormCase(
      "11 tidyquant", "symbol,date,open,high,low,close,volume,adjusted\nFDX,2024-01-19,10,12,9,11,100,5.5\n",
      rows: [row + " ac=5.5"]),
    FormCase(
      "11 Sharadar",
      "ticker,date,open,high,low,close,volume,closeadj,closeunadj,lastupdated\nFDX,2024-01-19,10,12,9,11,100.0,5.5,22,2024-01-20\n",
      rows: [row + " ac=5.5"]),
    FormCase(
      "11 yahooquery",
      "symbol,date,open,high,low,close,volume,adjclose,splits,dividends\nFDX,2024-01-19,10,12,9,11,100,5.5,0,0.25\n",
      rows: [row + " d=0.25 s=1 ac=5.5"]),
    FormCase(
      "12 MetaTrader 5",
      "<DATE>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n2024.01.19\t10.5\t12\t9\t11\t1000\t0\t3\n",
      rows: ["FDX 2024-01-19 10.5 12 9 11 1000"]),
    FormCase(
      "12 both volumes",
      "<DATE>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\n2024.01.19\t10.5\t12\t9\t11\t1000\t7\n",
      rows: ["FDX 2024-01-19 10.5 12 9 11 7"]),
    FormCase(
      "110 quantmod",
      "\"\",\"FDX.Open\",\"FDX.High\",\"FDX.Low\",\"FDX.Close\",\"FDX.Volume\",\"FDX.Adjusted\"\n\"2024-01-19\",10,12,9,11,100,5.5\n",
      name: "x.csv", rows: [row + " ac=5.5"]),
    FormCase(
      "units in brackets", "date,open (USD),high (USD),low (USD),close (USD),volume\n2024-01-19,10,12,9,11,100\n",
      rows: [row]),
    FormCase(
      "172 the name of the company", "Name,Date,Open,High,Low,Close,Volume\nFedEx,2024-01-19,10,12,9,11,100\n",
      rows: [row]),
    FormCase(
      "172 a number for a name", "name,Date,Open,High,Low,Close,Volume\n2781,2024-01-19,10,12,9,11,100\n", rows: [row]),
    FormCase(
      "172 tickers under the name of names", "date,open,high,low,close,volume,Name\n2024-01-19,10,12,9,11,100,FDX\n",
      name: "all_stocks_5yr.csv", rows: [row]),
    FormCase(
      "11 Stooq, as in its archives",
      "<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\nFDX.US,D,20240119,000000,10,12,9,11,100,0\n",
      name: "fdx.us.txt", rows: [row]),
    FormCase(
      "11 Stooq, another country",
      "<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\n7203.JP,D,20240119,000000,10,12,9,11,100,0\n",
      name: "7203.jp.txt", rows: ["7203.JP 2024-01-19 10 12 9 11 100"]),
    FormCase(
      "days as SAS writes them", "date,close\n19JAN2024,11\n22JAN2024:00:00:00,12\n",
      rows: ["FDX 2024-01-19 - - - 11 -", "FDX 2024-01-22 - - - 12 -"]),
    FormCase(
      "candles of a coin without a header",
      "1705622400000,10,12,9,11,100,1705708799999,1100,7,50,550,0\n1705708800000,10,12,9,11,100,1705795199999,1100,7,50,550,0\n",
      rows: [row, "FDX 2024-01-20 10 12 9 11 100"]),
    FormCase(
      "Turkish", "Tarih;Açılış;Yüksek;Düşük;Kapanış;Hacim\n19 Oca 2024;10;12;9;11;100\n", rows: [row]),
    FormCase("Taiwan", "日期,成交股數,開盤價,最高價,最低價,收盤價\n2024/01/19,100,10,12,9,11\n", rows: [row]),
    FormCase("Sweden", "Datum;Öppningskurs;Högst;Lägst;Slutkurs;Volym\n2024-01-19;10;12;9;11;100\n", rows: [row]),
    FormCase("Russian", "Дата;Открытие;Макс;Мин;Закрытие;Объём\n19 января 2024;10;12;9;11;100\n", rows: [row]),
    FormCase("the tape's letters", "t,o,h,l,c,v,n,vw\n2024-01-19,10,12,9,11,100,3,10.7\n", rows: [row]),
    FormCase(
      "167 two currencies",
      "Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USDT\n2024-01-19,FDX,10,12,9,11,100,1100\n", rows: [row]),
    FormCase("one currency", "Date,Open,High,Low,Close,Volume USD\n2024-01-19,10,12,9,11,100\n", rows: [row]),
    FormCase(
      "NSE, bhavcopy",
      "TradDt,TckrSymb,SctySrs,OpnPric,HghPric,LwPric,ClsPric,LastPric,PrvsClsgPric,SttlmPric,TtlTradgVol\n2024-01-19,FDX,EQ,10,12,9,11,10.9,10.1,11,100\n",
      name: "x.csv", rows: [row]),
    FormCase(
      "German", "Datum;Erster;Hoch;Tief;Schlusskurs;Stuecke;Volumen\n19.01.2024;10,5;12;9;11;100;1.100\n",
      rows: ["FDX 2024-01-19 10.5 12 9 11 100"]),
    FormCase("96 FRED", "observation_date,price\n2024-01-19,11\n", rows: ["FDX 2024-01-19 - - - 11 -"]),
    FormCase("162 pandas' index", ",Open,High,Low,Close,Volume\n2024-01-19,10,12,9,11,100\n", rows: [row]),
    FormCase("163 pandas, twice", "Unnamed: 0,Open,High,Low,Close,Volume\n2024-01-19,10,12,9,11,100\n", rows: [row]),
    FormCase(
      "171 parts of a day", "Year,Month,Day,Open,High,Low,Close,Volume\n2024,1,19,10,12,9,11,100\n", rows: [row]),
    FormCase(
      "195 splits", "date,open,high,low,close,volume,dividend,split\n2024-01-19,10,12,9,11,100,0.0,0\n",
      rows: [row + " d=0 s=1"]),
  ]

  @Test(arguments: names) func a_vendors_names_are_known(_ form: FormCase) { form.check() }

  private static let refusals: [FormCase] = [
    FormCase(
      "a close of an unknown name", "Date,Open,High,Low,Fixing\n2024-01-19,10,12,9,11.5\n",
      refused: "has open, high and low but no close, and columns that aren't known: 'Fixing' (prices such as 11.5)"),
    FormCase(
      "a volume alone", "Date,Fixing,Volume\n2024-01-19,11.5,100\n",
      refused: "has volume but no open, high, low or close, and columns that aren't known: 'Fixing'"),
    FormCase(
      "a high of an unknown name", "Date,Open,Zenith,Low,Close\n2024-01-19,10,12.5,9,11\n",
      refused: "has open, low and close but no high, and columns that aren't known: 'Zenith' (prices such as 12.5)"),
    FormCase(
      "172 names of companies", "Name,Date,Close\nApple,2024-01-18,1.5\nMicrosoft,2024-01-18,2.5\n",
      refused: "rows of several securities in column 'Name' (Apple, Microsoft)"),
    FormCase(
      "no header", "FDX,11.5,01/19/2024\n", refused: "has no header: its first line is the row 'FDX,11.5,01/19/2024'"),
    FormCase(
      "the same in JSON",
      #"{"dataset":{"dataset_code":"FDX","column_names":["Date","Open","Fixing"],"data":[["2024-01-19",10,11]]}}"#,
      name: "a.json", refused: "aren't known: 'Fixing'"),
    FormCase("FRED's series", "DATE,DGS10\n2024-01-19,4.1\n", refused: "has a date but none of open"),
    FormCase(
      "an unknown name of the day", "Session,Open,Close\n2024-01-19,10,11\n",
      refused: "but column 'Session' looks like it (2024-01-19)"),
    FormCase(
      "165 ISINs on other days", "ISIN,Date,Close\nUS0378331005,2024-01-18,1.5\nDE0007164600,2024-01-19,2.5\n",
      refused: "rows of several securities in column 'ISIN' (DE0007164600, US0378331005)"),
    FormCase(
      "164 ISINs on one day", "ISIN,Date,Close\nUS0378331005,2024-01-18,1.5\nDE0007164600,2024-01-18,2.5\n",
      refused: "rows of several securities"),
    FormCase(
      "166 Refinitiv",
      "Instrument,Date,Price Close,Price Open,Volume\nAAPL.O,2024-01-18T00:00:00Z,1.5,1,10\nMSFT.O,2024-01-18T00:00:00Z,2,1,10\n",
      refused: "rows of several securities in column 'Instrument'"),
    FormCase(
      "two names for one attribute", "Date,Open,Open,Close\n2024-01-19,10,12,9\n", refused: "two columns for 'Open'"),
    FormCase(
      "119 spellings", "ticker,date,close\nBRKa,2024-01-19,1\nBRKA,2024-01-22,2\n", name: "x.csv",
      refused: "has the tickers 'BRKa' and 'BRKA'"),
    FormCase(
      "120 spellings on one day", "ticker,date,close\nGBP,2024-01-19,1\nGBp,2024-01-19,2\n", name: "x.csv",
      refused: "has the tickers 'GBP' and 'GBp'"),
    FormCase("168 pairs", "symbol,date,close\nBTC/USDT,2024-01-19,1\n", name: "x.csv", refused: "isn't a ticker"),
  ]

  @Test(arguments: refusals) func what_would_be_lost_is_refused(_ form: FormCase) { form.check() }

  private static let said: [FormCase] = [
    FormCase(
      "ignored columns", "Date,Open,High,Low,Fixing\n2024-01-19,10,12,9,11.5\n",
      { $0.columnUses = ["Fixing": .ignored] }, rows: ["FDX 2024-01-19 10 12 9 - -"]),
    FormCase(
      "a close by the caller", "Date,Open,High,Low,Fixing\n2024-01-19,10,12,9,11.5\n",
      { $0.columnUses = ["Fixing": .attribute(.close)] }, rows: ["FDX 2024-01-19 10 12 9 11.5 -"]),
    FormCase("nothing is left out", "Date,Open\n2024-01-19,10\n", rows: ["FDX 2024-01-19 10 - - - -"]),
    FormCase("only texts are left out", "Date,Open,Mood\n2024-01-19,10,fine\n", rows: ["FDX 2024-01-19 10 - - - -"]),
    FormCase(
      "ISINs as tickers", "ISIN,Date,Close\nUS0378331005,2024-01-18,1.5\n", { $0.columnUses = ["ISIN": .ticker] },
      rows: ["US0378331005 2024-01-18 - - - 1.5 -"]),
    FormCase(
      "168 pairs with another sign", "symbol,date,close\nBTC/USDT,2024-01-19,1\n", name: "x.csv",
      { $0.tickerSigns = ["/": "-"] }, rows: ["BTC-USDT 2024-01-19 - - - 1 -"]),
    FormCase(
      "a name in lower case", "ticker,date,close\nfdx,2024-01-19,1\nfdx,2024-01-22,2\n", name: "x.csv",
      rows: ["FDX 2024-01-19 - - - 1 -", "FDX 2024-01-22 - - - 2 -"]),
  ]

  @Test(arguments: said) func what_the_caller_says_decides(_ form: FormCase) { form.check() }

  @Test func no_name_has_two_meanings() {
    for name in ["Close", "close", "Adj. Close", "adj_close", "Adj Close**", "ex-dividend", "split_ratio"] {
      #expect(ColumnRole(named: name).attribute != nil, "\(name)")
    }
    #expect(ColumnRole(named: "Closed") == .ignored && ColumnRole(named: "openinterest") == .ignored)
  }
}
