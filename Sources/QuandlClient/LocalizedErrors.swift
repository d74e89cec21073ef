#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// What Foundation's `localizedDescription` says: the sentence.

extension QuandlClientError: LocalizedError {
  /// The sentence of `description`.
  public var errorDescription: String? { description }
}

extension DatasetCodeError: LocalizedError {
  /// The sentence of `description`.
  public var errorDescription: String? { description }
}
