import Foundation
import Quoin

/// A store, and the changes that aren't saved in it yet. It has the name and the calls of the tutorials' stack; there is no Core
/// Data below it.
///
/// Any thread may use it. Two stacks of one name are two lists of unsaved changes of one store.
public final class CoreDataStack: Sendable {
  /// The store's directory.
  public let modelName: String
  /// The unsaved changes.
  public let managedContext: ManagedContext
  private let openStore: @Sendable (_ mustExist: Bool) throws(StoreError) -> QuoteStore

  /// A stack over the store in this directory, which the first save creates. Each call sees the newest generation.
  public init(withModelName modelName: String) {
    let openStore = { @Sendable (mustExist: Bool) throws(StoreError) in
      try QuoteStore(at: modelName, mustExist: mustExist)
    }
    self.modelName = modelName
    self.openStore = openStore
    managedContext = ManagedContext { () throws(StoreError) in try openStore(false) }
  }

  /// A stack over the default store of the command line: the environment's `QUOIN_STORE`, else `./quoin-store`.
  public convenience init() {
    let path = ProcessInfo.processInfo.environment["QUOIN_STORE"] ?? ""
    self.init(withModelName: path.isEmpty ? "./quoin-store" : path)
  }

  /// A stack over this store, which shows what has been saved.
  public init(store: QuoteStore) {
    modelName = store.path
    openStore = { _ in store }
    managedContext = ManagedContext { store }
  }

  /// Stores all unsaved changes in one commit.
  ///
  /// It doesn't throw, as in the tutorials: if it fails, a line on standard error says why, the changes stay unsaved
  /// (`managedContext.hasChanges`), and the next call tries again. `managedContext.save()` does the same and throws.
  public func saveContext() {
    do { try managedContext.save() } catch { Complaint.print("\(error)") }
  }

  /// The store.
  ///
  /// - Parameter mustExist: whether it is an error if there is no store yet.
  func store(mustExist: Bool) throws(StoreError) -> QuoteStore { try openStore(mustExist) }
}
