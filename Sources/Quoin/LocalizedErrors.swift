#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// What Foundation's `localizedDescription` says: the sentence.

extension StoreError: LocalizedError {
  /// The sentence of `description`.
  public var errorDescription: String? { description }
}

extension FileSystemError: LocalizedError {
  /// The sentence of `description`.
  public var errorDescription: String? { description }
}

extension ImportError: LocalizedError {
  /// The text of `description`.
  public var errorDescription: String? { description }
}

extension TickerSymbolError: LocalizedError {
  /// The sentence of `description`.
  public var errorDescription: String? { description }
}

extension QuoteColumnsError: LocalizedError {
  /// The sentence of `description`.
  public var errorDescription: String? { description }
}

extension PredicateSyntaxError: LocalizedError {
  /// The lines of `description`.
  public var errorDescription: String? { description }
}

extension QuestionError: LocalizedError {
  /// The lines of `description`.
  public var errorDescription: String? { description }
}
