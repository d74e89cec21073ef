import QuandlService
import Quoin
import Synchronization

/// One generation of the store, and the service over it.
struct StoreView: Sendable {
  let store: QuoteStore
  let service: QuandlService
  let stamp: StoreStamp
}

/// The store in a directory as it is now, whoever commits to it, removes it, or puts another in its place.
final class ServedStore: Sendable {
  private let path: String
  /// Told of each generation when it is first shown.
  private let onChange: @Sendable (StoreView) -> Void
  private let current = Mutex<StoreView?>(nil)

  init(_ path: String, onChange: @escaping @Sendable (StoreView) -> Void) {
    self.path = path
    self.onChange = onChange
  }

  /// The newest generation. As long as nobody commits that costs a few microseconds; otherwise the store is opened anew,
  /// by one thread, for which the others wait.
  ///
  /// - Throws: `StoreError` when there is none that can be read, now; the next call looks again.
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
      // After an error there is none, so that what it keeps mapped is let go.
      current = nil
      let stamp = try QuoteStore.stamp(of: path)
      if let known, known.stamp == stamp {
        current = known
        return known
      }
      let store = try QuoteStore(at: path, mustExist: true)
      // A commit since the stamp was read would let answers go out under an older one.
      guard try QuoteStore.stamp(of: path) == stamp else { continue }
      let view = StoreView(store: store, service: QuandlService(store: store), stamp: stamp)
      current = view
      onChange(view)
      return view
    }
  }
}
