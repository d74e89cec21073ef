import ArgumentParser
import Quoin

/// An error in the arguments.
package protocol WrongUsage: Error {}

extension PredicateSyntaxError: WrongUsage {}
extension TickerSymbolError: WrongUsage {}

/// The arguments make no sense; the sentence says what to write instead.
package struct UsageError: WrongUsage, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description.printable }

  /// The error that a name is unknown. It suggests the name that may have been meant, or lists all names.
  package static func unknownName(_ name: String, what: String, among names: [String]) -> UsageError {
    UsageError("there is no \(what) '\(name)'; \(Suggestion.hint(for: name, among: names))")
  }
}

/// An error of a library for which a program knows what helps.
package protocol AdvisedError: Error {
  /// The end of the error's sentence: which command or option helps.
  var advice: String { get }
}

/// The request can't be carried out with this data.
package struct DataError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension ExitCode {
  /// `scan --exit-status` found no rows.
  package static let noRows = ExitCode(1)
  /// `diff` found differences, or `check` found quotes that look wrong.
  package static let findings = ExitCode(1)
  /// `repair` could not save everything.
  package static let losses = ExitCode(1)
  /// The data or the operating system prevented the operation. No store has changed.
  package static let failedOperation = ExitCode(2)
  /// A store has changed, and the report of it failed; or it isn't known whether it has.
  package static let changed = ExitCode(3)
}

extension Error {
  /// The exit status of a command that ends with the error.
  var exitCode: ExitCode {
    switch self as any Error {
    case is any WrongUsage: .validationFailure
    case is UnreportedChange, StoreError.commitUnknown, ImportError.store(.commitUnknown): .changed
    default: .failedOperation
    }
  }

  /// The error as a sentence of the command line: what it says, and at the end of its first line which command or option
  /// helps.
  package var sentence: String {
    let text = "\(self)"
    let end = text.firstIndex(of: "\n") ?? text.endIndex
    return text[..<end] + help + text[end...]
  }

  /// The options for SQL's clauses.
  private static var optionsOfClauses: [String: String] {
    [
      "order": "--order 'volume desc'", "sort": "--order 'volume desc'", "limit": "--limit 10",
      "offset": "--offset 10", "group": "--aggregate 'mean(close)' --by month", "having": "--having 'count > 20'",
      "top": "--top '3 by volume per day'", "select": "--columns 'date, close'",
    ]
  }

  /// The commands and options that help, which the libraries don't know.
  private var help: String {
    switch self as any Error {
    case StoreError.noStore, ImportError.store(.noStore): ", or name another with --store"
    case StoreError.damaged, ImportError.store(.damaged):
      "; 'quoin verify' lists all damage, and 'quoin repair' saves what is sound into a new store"
    case StoreError.twoGenerations, ImportError.store(.twoGenerations):
      ": 'quoin backup DIR' makes one while others write"
    case StoreError.splitInPrices:
      ": 'quoin import FILE --splits-in-prices'. If the split is right, --trust-splits counts it"
    case let error as ImportError: error.importAdvice
    case let error as PredicateSyntaxError:
      if let clause = error.clause {
        Self.optionsOfClauses[clause].map { "; write \($0)" } ?? ""
      } else {
        error.quotesAdvice
      }
    case let error as any AdvisedError: error.advice
    default: ""
    }
  }
}

extension PredicateSyntaxError {
  /// What a shell does with `--where high > 80`: the condition is one word, and a file is called 80.
  fileprivate var quotesAdvice: String {
    message.hasPrefix("expected a comparison") && offset == text.utf8.count && !text.contains(" ")
      ? "; to a shell > is a file, so a condition stands in quotes: '\(text) > 80'" : ""
  }
}
