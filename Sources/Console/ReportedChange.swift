import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A change of a store is made, and what should be said of it can't be.
package struct UnreportedChange: Error, CustomStringConvertible {
  /// What is done, and why nothing more is said of it.
  package let description: String
}

/// Says what has come of a change that is committed. Whatever fails here, the change stays; so an error says that first, and has
/// an exit status of its own.
///
/// - Parameters:
///   - change: what is done, as the beginning of a sentence: `the import into 'prices'`.
///   - body: reads what the report needs, and prints it.
package func reportChange(_ change: String, _ body: () throws -> Void) throws {
  // A reader of the report that has left must not end the process as if nothing had been done.
  _ = signal(SIGPIPE, SIG_IGN)
  do { try body() } catch {
    throw UnreportedChange(description: "\(change) is done, and only its report is not: \(error)")
  }
}
