import CQuoin
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What went wrong, as the outside learns of it.
struct Failure: Error {
  let code: quoin_code
  let sentence: String

  init(_ code: quoin_code, _ sentence: String) { (self.code, self.sentence) = (code, sentence) }

  init(_ error: StoreError) {
    if case .cancelled = error {
      self.init(.interrupted, "the question was interrupted")
    } else {
      self.init(quoin_code(error), "\(error)")
    }
  }

  init(_ error: ImportError) {
    if case .store(let error) = error { self.init(error) } else { self.init(.badInput, "\(error)") }
  }

  /// A mistake in a text of the language.
  ///
  /// - Parameter field: which text.
  init(_ error: some Error, in field: String) { self.init(.syntax, "\(field): \(error)") }

  /// What callbacks of a stream return.
  var systemCode: Int32 {
    switch code {
    case .noStore, .io, .damaged, .unsupported, .other: EIO
    case .interrupted: EINTR
    default: EINVAL
    }
  }
}

extension quoin_code {
  static let ok = QUOIN_OK
  static let misuse = QUOIN_MISUSE
  static let syntax = QUOIN_SYNTAX
  static let unknownTicker = QUOIN_UNKNOWN_TICKER
  static let noStore = QUOIN_NO_STORE
  static let io = QUOIN_IO
  static let damaged = QUOIN_DAMAGED
  static let unsupported = QUOIN_UNSUPPORTED
  static let unanswerable = QUOIN_UNANSWERABLE
  static let other = QUOIN_OTHER
  static let badInput = QUOIN_BAD_INPUT
  static let locked = QUOIN_LOCKED
  static let unknownSnapshot = QUOIN_UNKNOWN_SNAPSHOT
  static let overBudget = QUOIN_OVER_BUDGET
  static let interrupted = QUOIN_INTERRUPTED

  init(_ error: StoreError) {
    switch error {
    case .noStore, .notAStore: self = .noStore
    case .inputOutput: self = .io
    case .damaged, .twoGenerations: self = .damaged
    case .unsupported, .unsupportedVersion: self = .unsupported
    case .unknownTicker, .noQuotes: self = .unknownTicker
    case _ where error.isOfQuestion: self = .unanswerable
    case .dayTaken, .alreadyAdjusted: self = .unanswerable
    case .questionTooLong, .questionTooBig, .questionsTooBig: self = .overBudget
    case .cancelled: self = .interrupted
    case .locked: self = .locked
    case .impossibleValue, .dayTwice: self = .badInput
    case .noSnapshot, .nothingToUndo: self = .unknownSnapshot
    case .snapshotRefused: self = .syntax
    case .tickerTwice, .readOnly, .sharded, .sameStore, .backupRefused: self = .misuse
    default: self = .other
    }
  }
}

/// An error that the outside has.
final class CallError: Sendable {
  let code: quoin_code
  let message: CText

  init(_ failure: Failure) { (code, message) = (failure.code, CText(failure.sentence)) }
}

/// Runs a call of the outside's, and hands out what went wrong.
func call(
  _ error: UnsafeMutablePointer<OpaquePointer?>?, _ body: () throws(Failure) -> Void
) -> quoin_code {
  // Sound: the caller has room for a pointer there, or gives NULL.
  let error = unsafe error.flatMap { unsafe UnsafeRawPointer($0).isPlausible(for: OpaquePointer.self) ? $0 : nil }
  unsafe error?.pointee = nil
  do throws(Failure) {
    try body()
    return .ok
  } catch let failure {
    if let error = unsafe error { unsafe error.pointee = Live.errors.add(CallError(failure)) }
    return failure.code
  }
}
