import ArgumentParser
import Quoin

/// An error that the arguments are to blame for.
package protocol WrongUsage: Error {}

extension PredicateSyntaxError: WrongUsage {}
extension TickerSymbolError: WrongUsage {}

/// The arguments make no sense; the sentence says what to write instead.
package struct UsageError: WrongUsage, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  /// There is nothing of this name: says what it may have meant, or else what there is.
  package static func unknownName(_ name: String, what: String, among names: [String]) -> UsageError {
    let nearest = Suggestion.nearestName(to: name, among: names)
    return UsageError(
      "there is no \(what) '\(name)'; " + (nearest.map { "did you mean '\($0)'?" } ?? list(names)))
  }

  private static func list(_ names: [String]) -> String { "there are " + names.joined(separator: ", ") }
}

/// What was asked for cannot be done with this data.
package struct DataError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension ExitCode {
  /// `scan --exit-status` found no rows.
  package static let noRows = ExitCode(1)
  /// `repair` could not save all.
  package static let losses = ExitCode(1)
  /// The data or the operating system stood in the way.
  package static let failedOperation = ExitCode(2)
}

extension Error {
  /// How to go on, where the error doesn't say it.
  package var advice: String {
    guard case .damaged = self as? StoreError else { return "" }
    return "; 'quoin verify' lists all damage, and 'quoin repair' saves what is sound into a new store"
  }
}
