import Quoin

/// A service that has quotes by ticker.
package protocol QuoteSource: Sendable {
  /// Where the service is.
  var baseURL: String { get }

  /// Whether the API key can be read on its way, because it goes to another machine without TLS.
  var sendsKeyUnencrypted: Bool { get }

  /// A text of the service without the API key, which it may repeat.
  func redacted(_ text: String) -> String

  /// The service's quotes of a dataset in these days, both included.
  func quotes(
    of code: DatasetCode, from firstDay: TradingDay?, to lastDay: TradingDay?
  ) async throws(QuandlClientError) -> QuoteAnswer
}

/// The rows that a service answers with.
package struct QuoteAnswer: Sendable {
  /// What the service calls the ticker.
  package let ticker: TickerSymbol
  /// The rows, with rising days.
  package internal(set) var columns: QuoteColumns
  /// What an import reports of them; nil if there was nothing to read.
  package let summary: ImportSummary?
  /// The address that was asked, without the key.
  package let url: String
}

/// What a download did to a store.
package struct QuoteUpdate: Sendable {
  /// What the service calls the ticker.
  package let ticker: TickerSymbol
  /// What its rows did.
  package internal(set) var counts = UpsertCounts()
  /// What an import reports of the rows; nil if there was nothing to read.
  package let summary: ImportSummary?
  /// Whether the service has the day that was the store's last one.
  package internal(set) var isEndServed = false
  /// Why all of the ticker's days were taken anew; nil if they weren't.
  package internal(set) var reason: RenewedHistory.Reason?
}

extension QuoteSource {
  /// Downloads what a store lacks of a dataset. The store's last day is asked for once more, and if what comes says that earlier
  /// days may have changed, the whole history is downloaded. It is one commit; rows that the service doesn't have stay.
  ///
  /// - Parameters:
  ///   - ticker: what the store calls the dataset.
  ///   - lastDay: the last day, included; nil for the service's.
  ///   - willSave: called when the answer is there.
  package func update(
    _ code: DatasetCode, as ticker: TickerSymbol, in store: QuoteStore, to lastDay: TradingDay?, patience: Duration,
    willSave: () -> Void = {}
  ) async throws(QuandlClientError) -> QuoteUpdate {
    guard let end = try await store.ends(of: [ticker])[ticker] else {
      return try await download(code, into: store, from: nil, to: lastDay, patience: patience, willSave: willSave)
    }
    var answer = try await quotes(of: code, from: end.day, to: lastDay)
    let (isEndServed, reason) = (end.isIn(answer.columns), end.reasonToRenew(answer.columns))
    if reason == nil {
      answer.columns = end.later(answer.columns)
    } else {
      answer = try await quotes(of: code, from: nil, to: lastDay).havingValuedColumns
    }
    var update = try await store.save(answer, patience, willSave)
    (update.isEndServed, update.reason) = (isEndServed, reason)
    return update
  }

  /// Downloads the quotes of a dataset in these days into a store.
  package func download(
    _ code: DatasetCode, into store: QuoteStore, from firstDay: TradingDay?, to lastDay: TradingDay?,
    patience: Duration, willSave: () -> Void = {}
  ) async throws(QuandlClientError) -> QuoteUpdate {
    try await store.save(try await quotes(of: code, from: firstDay, to: lastDay), patience, willSave)
  }
}

extension QuoteAnswer {
  /// Without the columns that have no value: over a stored history, these would erase what the store has.
  fileprivate var havingValuedColumns: QuoteAnswer {
    var answer = self
    answer.columns = columns.having(columns.valuedAttributes)
    return answer
  }
}

extension QuoteStore {
  /// Stores an answer in one commit. Without rows, it changes nothing.
  fileprivate func save(
    _ answer: QuoteAnswer, _ patience: Duration, _ willSave: () -> Void
  ) async throws(QuandlClientError) -> QuoteUpdate {
    var update = QuoteUpdate(ticker: answer.ticker, summary: answer.summary)
    if answer.columns.isEmpty { return update }
    willSave()
    update.counts = try await save([answer.ticker: answer.columns], source: answer.url, patience)
    return update
  }
}
