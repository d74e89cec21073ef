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
  private let openedAt = ContinuousClock.now

  init(_ store: QuoteStore, _ stamp: StoreStamp) {
    (self.store, self.stamp) = (store, stamp)
    service = QuandlService(store: store)
  }

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

  init(_ path: String, onChange: @escaping @Sendable (StoreView) -> Void) {
    self.path = path
    self.onChange = onChange
  }

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
      onChange(view)
      return view
    }
  }
}
