import QuandlService
import Quoin
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One snapshot of the store, and the service over it.
struct StoreView: Sendable {
  let store: QuoteStore
  let service: QuandlService
  let stamp: StoreStamp
  private let openedAt: ContinuousClock.Instant

  init(_ store: QuoteStore, _ stamp: StoreStamp) {
    (self.store, self.stamp) = (store, stamp)
    service = QuandlService(store: store)
    openedAt = .now
  }

  private init(_ view: StoreView, _ store: QuoteStore) {
    (self.store, stamp, openedAt) = (store, view.stamp, view.openedAt)
    service = view.service.over(store)
  }

  /// The same snapshot, whose questions take from one budget together.
  func taking(from budget: QuestionBudget) -> StoreView { StoreView(self, store.taking(from: budget)) }

  /// The store's directory, from whichever directory a program looks.
  var absolutePath: String { URL(fileURLWithPath: store.path).standardizedFileURL.path }

  /// Whether the store should be opened again, because a file that can't be read may have been put back.
  fileprivate var isToBeTriedAgain: Bool { !store.isWhole && openedAt.duration(to: .now) > ServerLimits.retryTime }
}

/// The store in a directory as it is now, even if another process commits to it, removes it or replaces it.
final class ServedStore: Sendable {
  private let path: String
  /// Called with each snapshot when it is first shown.
  private let onChange: @Sendable (StoreView) -> Void
  private let current = Mutex<StoreView?>(nil)
  private let knownSize = Mutex(StoreSize())

  init(_ path: String, onChange: @escaping @Sendable (StoreView) -> Void) {
    self.path = path
    self.onChange = onChange
  }

  /// How large the store was when it was last looked at. Nobody waits for it.
  var size: StoreSize { knownSize.withLock { $0 } }

  /// One of the store's files as it is on the disk now; nil if there is none.
  func file(_ name: String) throws(StoreError) -> StoredFile? { try QuoteStore.file(name, in: path) }

  /// The newest snapshot. Without a new commit this costs a few microseconds; after one, a single thread opens the
  /// store anew while the others wait.
  ///
  /// - Throws: `StoreError` if there is no store that can be read. The next call tries again.
  func view() throws(StoreError) -> StoreView {
    // Swift can't infer that the lock passes the typed error on.
    let result = current.withLock { current in
      Result { () throws(StoreError) in try self.newest(after: &current) }
    }
    return try result.get()
  }

  private func newest(after current: inout StoreView?) throws(StoreError) -> StoreView {
    while true {
      let known = current
      // An error leaves no snapshot, so that the files it keeps mapped are released.
      current = nil
      let stamp = try QuoteStore.stamp(of: path)
      if let known, known.stamp == stamp, !known.isToBeTriedAgain {
        current = known
        return known
      }
      let store = try QuoteStore(at: path, mustExist: true)
      // If there was a commit since the stamp was read, answers would carry an outdated stamp.
      guard try QuoteStore.stamp(of: path) == stamp else { continue }
      let view = StoreView(store, stamp)
      current = view
      let summary = store.summary
      knownSize.withLock { $0 = StoreSize(rowCount: summary.rowCount, tickerCount: summary.tickerCount) }
      onChange(view)
      return view
    }
  }
}
