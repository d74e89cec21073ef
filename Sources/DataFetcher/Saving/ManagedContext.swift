import Quoin
import Synchronization

/// The changes of a `CoreDataStack` that aren't saved yet.
///
/// Any thread may use it.
public final class ManagedContext: Sendable {
  private let unsaved = Mutex<[Quoin.DailyQuoteSummary]>([])
  private let openStore: @Sendable () throws(StoreError) -> QuoteStore

  /// How long to wait while another writer is at work: several answers of a service may come at the same time.
  private static let patience = Duration.seconds(10)

  init(_ openStore: @escaping @Sendable () throws(StoreError) -> QuoteStore) { self.openStore = openStore }

  /// Whether there is anything to save.
  public var hasChanges: Bool { unsaved.withLock { !$0.isEmpty } }

  /// Stores all unsaved quotes in one commit, and creates the store if there is none. Blocks the calling thread.
  ///
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed. The quotes stay unsaved, so that the call can be
  ///   repeated.
  public func save() throws(StoreError) {
    try unsaved.withLock { (quotes) throws(StoreError) in
      guard !quotes.isEmpty else { return }
      try openStore().upsert(quotes, source: "Quandl", patience: Self.patience)
      quotes = []
    }
  }

  /// Forgets all unsaved quotes.
  public func rollback() { unsaved.withLock { $0 = [] } }

  func insert(_ quotes: [Quoin.DailyQuoteSummary]) { unsaved.withLock { $0 += quotes } }
}
