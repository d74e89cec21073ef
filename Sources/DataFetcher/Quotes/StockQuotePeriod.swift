import Foundation
import Quoin

/// What one document of Quandl's brings: a ticker, the days that the document says it covers, and its quotes.
///
/// A period isn't stored, as it is in the tutorials; its quotes are, once the context is saved. The store keeps a record of each
/// import too: `QuoteStore.importRecords()`.
public final class StockQuotePeriod {
  /// The ticker's symbol, which the tutorials call the company's name.
  public var companyName: String?
  /// The document's `start_date`, as the moment at which the day begins; nil if it has none. The first quote may be later.
  public var startDate: Date?
  /// The document's `end_date`, as the moment at which the day begins; nil if it has none.
  public var endDate: Date?
  /// The quotes, in the order in which they were added.
  public private(set) var quotes: [DailyQuoteSummary] = []

  private let context: ManagedContext

  /// A period without quotes. Those that are added to it wait in this context to be saved.
  public init(context: ManagedContext) { self.context = context }

  /// The quotes as a set of `DailyQuoteSummary`, as Core Data has them.
  public var dailyQuoteSummary: NSSet? { NSSet(array: quotes) }

  /// Adds a quote, which is stored under its own ticker when the context is saved.
  public func addToDailyQuoteSummary(_ value: DailyQuoteSummary) { add([value]) }

  func add(_ summaries: [DailyQuoteSummary]) {
    quotes += summaries
    context.insert(summaries.map(\.quote))
  }
}
