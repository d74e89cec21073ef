import ArgumentParser
import Quoin
import QuoteGenerator

/// The arguments make no sense; the sentence says what to write instead.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// There is nothing of this name: says what it may have meant, or else what there is.
  static func unknownName(_ name: String, what: String, among names: [String]) -> UsageError {
    let nearest = Suggestion.nearestName(to: name, among: names)
    return UsageError(
      "there is no \(what) '\(name)'; " + (nearest.map { "did you mean '\($0)'?" } ?? list(names)))
  }

  private static func list(_ names: [String]) -> String { "there are " + names.joined(separator: ", ") }
}

/// What was asked for cannot be done with this data.
struct DataError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension ExitCode {
  /// `scan --exit-status` found no rows.
  static let noRows = ExitCode(1)
  /// `repair` could not save all.
  static let losses = ExitCode(1)
  /// The data or the operating system stood in the way.
  static let failedOperation = ExitCode(2)
}

extension Error {
  /// How to go on, where the error doesn't say it.
  var advice: String {
    guard case .damaged = self as? StoreError else { return "" }
    return "; 'quoin verify' lists all damage, and 'quoin repair' saves what is sound into a new store"
  }

  /// Whether the arguments are to blame.
  var isWrongUsage: Bool {
    self is UsageError || self is PredicateSyntaxError || self is TickerSymbolError || self is QuoteGeneratorError
  }
}
