import ArgumentParser
import Quoin

/// The store that a command works on.
package struct StoreOptions: ParsableArguments {
  @Option(help: directoryHelp, completion: .directory)
  package var store: String?

  package static let directoryHelp = ArgumentHelp(
    "The store's directory (default: the environment's QUOIN_STORE, else ./quoin-store).", valueName: "dir")

  package init() {}

  /// The store's directory.
  package var path: String { store ?? System.environment("QUOIN_STORE") ?? "./quoin-store" }

  /// The store, which must exist: a command that reads creates nothing.
  package func open() throws -> QuoteStore {
    Self.warn(of: path)
    return try QuoteStore(at: path, mustExist: true)
  }

  /// The store, or an empty one that the first write creates.
  package func openOrCreate() throws -> QuoteStore {
    Self.warn(of: path)
    return try QuoteStore(at: path)
  }

  /// Warns once if the store is in a place where it isn't safe. Every command calls this.
  package static func warn(of path: String) {
    guard let kind = QuoteStore.networkFileSystem(of: path) else { return }
    StandardStreams.complain(
      "warning: '\(path)' is on a network file system (\(kind)), where neither locks nor commits can be relied on; "
        + "keep the store on a local disk")
  }
}

/// What a command that writes does when another writer is at work.
package struct WriteOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The time to wait for another writer to finish.", valueName: "seconds"))
  package var wait = 0.0

  package init() {}

  package func validate() throws {
    guard wait >= 0, wait <= 1e9 else { throw ValidationError("--wait \(wait): must be at least 0") }
  }

  package var patience: Duration { .seconds(wait) }
}
