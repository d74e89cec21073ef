/// What can go wrong with a store. Unless it is `commitUnknown`, nothing in the store has changed.
///
/// Later versions may have more cases, so a `switch` needs an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no store at the path.
  case noStore(path: String)
  /// The directory holds something else.
  case notAStore(path: String)
  /// There is already a store at the path of a new one.
  case storeExists(path: String)
  /// The operating system refused a file operation.
  case inputOutput(FileSystemError)
  /// Bytes that are not what was written, at an offset in a file. The reason is for people.
  case damaged(path: String, offset: Int, reason: String)
  /// The store was written by another version of the format.
  case unsupportedVersion(path: String, found: UInt32, supported: UInt32)
  /// The store has something that this version of Quoin doesn't know: a column when it is written, a block's encoding when
  /// that block is read.
  case unsupported(path: String, feature: String)
  /// Another writer is at work; nil if it is unknown who.
  case locked(path: String, holder: LockHolder?)
  /// The last sync failed. The commit is complete or absent; the next time the store is opened shows which.
  /// Repeating the same import is safe.
  case commitUnknown(FileSystemError)
  /// An earlier sync failed, so this object refuses to write. Open the store again.
  case writerStopped(path: String)
  /// A snapshot can't be kept.
  case snapshotRefused(name: String, SnapshotFault)
  /// The store keeps no snapshot of this name, or no generation of this number.
  case noSnapshot(path: String, name: String)
  /// The generation before the last change isn't kept.
  case nothingToUndo(path: String)
  /// A view of a snapshot was asked to write.
  case readOnly(path: String)
  /// A sharded store was asked to write. Its shards are written to.
  case sharded(path: String)
  /// An update gave this quote another ticker or another day.
  case keyChanged(ticker: TickerSymbol, date: TradingDay)
  /// A ticker that is to be renamed has no quotes.
  case noQuotes(path: String, ticker: TickerSymbol)
  /// A ticker of which some days are to be renamed has no quotes of these days; the first or the last one is nil for all days.
  case noQuotesOfDays(path: String, ticker: TickerSymbol, first: TradingDay?, last: TradingDay?)
  /// A question takes values of a ticker that the store has no quotes of.
  case unknownTicker(TickerSymbol)
  /// The new name of a ticker has quotes of the same days already, of this one first.
  case dayTaken(path: String, ticker: TickerSymbol, day: TradingDay)
  /// A ticker is in two of the stores that are to be shown as one.
  case tickerTwice(TickerSymbol, path: String, otherPath: String)
  /// The store that is to be merged into another one is the same, or a copy of it.
  case sameStore(path: String)
  /// A ticker whose adjusted values are to be computed has some that weren't computed from its rows, or follow from them all.
  case alreadyAdjusted(path: String, ticker: TickerSymbol)
  /// The prices don't move by a split, so they are adjusted for it already.
  case splitInPrices(ticker: TickerSymbol, day: TradingDay, ratio: Double)
  /// An expression or a predicate has more than `Limits.predicateLevels` operations inside each other.
  case predicateTooDeep(levelCountMax: Int)
  /// A question computes more than `Limits.questionSteps` different values of each quote.
  case questionTooLarge(stepCountMax: Int)
  /// A pivot has so many different values of this key, each of which would be columns.
  case tooManyColumns(key: String, count: Int, countMax: Int)
  /// A question has taken all of the time that it may (`QuestionLimits.seconds`).
  case questionTooLong(seconds: Double)
  /// A question would hold so many bytes at once, and may hold fewer (`QuestionLimits.megabytes`).
  case questionTooBig(byteCount: Int, byteCountMax: Int)
  /// A question needs so many bytes more, and the questions that are being answered leave fewer.
  case questionsTooBig(byteCount: Int, byteCountFree: Int)
  /// So many tickers and runs that the manifest would be longer than `Limits.manifestByteCount`.
  case manifestTooLong(byteCount: Int, byteCountMax: Int)
  /// A question to a store as of a day asks for values of later rows.
  case looksAhead(asOf: TradingDay)
  /// The volumes of a ticker's rows from one day to another, which would be one bar, add up to more than an int64 holds.
  case volumeTooLarge(ticker: TickerSymbol, days: ClosedRange<TradingDay>)
  /// A volume that no float64 is, or an infinite one, is to be stored beside volumes with fractions, which are float64s.
  case inexactVolume(ticker: TickerSymbol, day: TradingDay)
  /// A row that is to be stored has a value that no quote has: an infinite one, or a volume below zero.
  case impossibleValue(ticker: TickerSymbol, day: TradingDay, attribute: Attribute, text: String)
  /// Rows that are to be stored have a day twice, with different values.
  case dayTwice(ticker: TickerSymbol, day: TradingDay)
  /// The directory is a copy that was made while a writer changed the store: it has files of two generations.
  case twoGenerations(path: String)
  /// A backup can't be made in this directory.
  case backupRefused(path: String, BackupFault)
  /// The task that waited for an async call was cancelled.
  case cancelled

  /// Whether it is the question that can't be answered: the store is well, and answers others.
  package var isOfQuestion: Bool {
    switch self {
    case .looksAhead, .predicateTooDeep, .questionTooLarge, .tooManyColumns, .volumeTooLarge, .splitInPrices: true
    default: false
    }
  }

  /// One line that says what is wrong and what to do about it.
  public var description: String { sentence.printable }

  private var sentence: String {
    switch self {
    case .noStore(let path): "there is no store at '\(path)'; import quotes into it first"
    case .notAStore(let path): "'\(path)' is a directory with other files in it and no Quoin store; name another one"
    case .storeExists(let path): "there is a store at '\(path)' already; name a directory for a new one"
    case .inputOutput(let error): error.description
    case .damaged(let path, let offset, let reason): "'\(path)' is damaged at byte \(offset): \(reason)"
    case .unsupportedVersion(let path, let found, let supported):
      found < supported
        ? "'\(path)' was written by an early Quoin, in format \(found), which is no longer read; import the quotes again"
        : "'\(path)' has format version \(found), and this version of Quoin reads \(supported); use a newer one"
    case .unsupported(let path, let feature):
      "'\(path)' has \(feature), which this version of Quoin doesn't know; use a newer one"
    case .locked(let path, let holder):
      "another writer holds '\(path)': \(holder?.description ?? "unknown"); try again when it is done"
    case .commitUnknown(let error):
      "\(error); whether the change was kept shows when the store is opened again, and repeating it is safe"
    case .writerStopped(let path): "a sync of '\(path)' failed earlier, so nothing more is written; open the store anew"
    case .snapshotRefused(let name, .badName):
      "'\(name)' can't be the name of a snapshot: it has 1 to 64 letters, digits, '.', '_' and '-', and begins with a letter"
    case .snapshotRefused(let name, .nameTaken): "there is a snapshot '\(name)' already; delete it or take another name"
    case .snapshotRefused(_, .emptyStore): "an empty store has no snapshot; import quotes first"
    case .noSnapshot(let path, let name): "'\(path)' keeps no snapshot '\(name)'"
    case .nothingToUndo(let path):
      "'\(path)' doesn't keep what it had before its last change, so nothing can be taken back"
    case .readOnly(let path): "a snapshot of '\(path)' is only read; write to the store itself"
    case .sharded(let path):
      "'\(path)' is made of shards, and each is written to by itself; name the one that has the ticker, such as '\(path)/shard-0001'"
    case .keyChanged(let ticker, let date):
      "an update gave the quote of \(ticker) on \(date) another ticker or day; delete it and store the other quote"
    case .noQuotes(let path, let ticker): "'\(path)' has no quotes of \(ticker)"
    case .unknownTicker(let ticker): "there are no quotes of \(ticker)"
    case .noQuotesOfDays(let path, let ticker, let first, let last):
      "'\(path)' has no quotes of \(ticker)\(first.map { " from \($0)" } ?? "")\(last.map { " to \($0)" } ?? "")"
    case .dayTaken(let path, let ticker, let day):
      "'\(path)' has quotes of \(ticker) on \(day) already, so the two histories can't be joined; nothing has changed"
    case .tickerTwice(let ticker, let path, let otherPath):
      "'\(path)' and '\(otherPath)' both have quotes of \(ticker); delete them in one of the two"
    case .sameStore(let path):
      "'\(path)' is the same store, or a copy of it, so there is nothing to merge; name another one"
    case .alreadyAdjusted(let path, let ticker):
      "'\(path)' has adjusted values of \(ticker) already; they are computed only if they are to be replaced"
    case .splitInPrices(let ticker, let day, let ratio):
      "the price of \(ticker) doesn't move by the split of \(day), whose ratio is \(ratio): it is in the prices already, and to "
        + "adjust them for it would divide twice; store these quotes with the split ratio 1"
    case .predicateTooDeep(let limit):
      "an expression or a condition may have \(limit) operations inside each other, as a + b + c has two, and this one has more; ask in "
        + "several parts"
    case .questionTooLarge(let limit):
      "a question may compute \(limit) different values of each quote, and this one computes more; ask in several parts"
    case .tooManyColumns(let key, let count, let limit):
      "the values of '\(key)' would be \(count) columns, and a pivot has \(limit) at most; let fewer groups in, or ask without it"
    case .questionTooLong(let seconds):
      "the question was given up after \(Self.text(ofSeconds: seconds)), which is the time that it may take (question_seconds); ask "
        + "for fewer tickers or days, or give it more"
    case .questionTooBig(let count, let limit):
      "the question needs \(Self.megabytes(count)) MB of memory at once, and may hold \(Self.megabytes(limit)) MB "
        + "(question_megabytes); ask for fewer tickers, days or columns, or give it more"
    case .questionsTooBig(let count, let free):
      "the question needs \(Self.megabytes(count)) MB of memory more, and the questions that are being answered leave "
        + "\(Self.megabytes(free)) MB; ask again when they are done"
    case .manifestTooLong(let count, let limit):
      "a store has room for a manifest of \(limit) bytes, and this one has \(count)"
    case .looksAhead(let day):
      "the quotes are those as of \(day), and 'next' looks ahead from each of them; use 'prev', which looks back"
    case .volumeTooLarge(let ticker, let days):
      "the volumes of \(ticker) from \(days.lowerBound) to \(days.upperBound) add up to more than \(Int64.max); correct "
        + "them, or resample by a shorter period"
    case .inexactVolume(let ticker, let day):
      "the volume of \(ticker) on \(day) can't be stored beside volumes with fractions: these are float64s, which hold whole numbers "
        + "up to \(1 << 53) exactly; round the volumes that have fractions, or keep them in a store of their own"
    case .impossibleValue(let ticker, let day, let attribute, let text):
      "the \(attribute.wikiName) of \(ticker) on \(day) is \(text): no quote has an infinite value or a volume below zero; correct it, or leave "
        + "it missing"
    case .dayTwice(let ticker, let day):
      "\(ticker) has \(day) twice, with different values; leave one of the rows out, or say that the last one counts"
    case .twoGenerations(let path):
      "'\(path)' has files of two generations, because it was copied while a writer changed the store; copy it again as a backup"
    case .backupRefused(let path, .isStore):
      "'\(path)' is a store by itself, and a backup would replace it; name another directory"
    case .backupRefused(let path, .hasOtherHistory):
      "'\(path)' has a backup of another store, or of one that was changed in another way since; name another directory"
    case .backupRefused(let path, .changedMeanwhile):
      "'\(path)' has got another copy meanwhile, and keeps it; the same command tries again"
    case .cancelled: "the task was cancelled"
    }
  }
}

extension StoreError {
  /// Megabytes, rounded up.
  private static func megabytes(_ byteCount: Int) -> Int { byteCount >> 20 + (byteCount & 0xf_ffff > 0 ? 1 : 0) }

  private static func text(ofSeconds seconds: Double) -> String {
    seconds == 1 ? "1 second" : "\(seconds.description.hasSuffix(".0") ? "\(Int(seconds))" : "\(seconds)") seconds"
  }
}

extension Cancellation {
  /// Throws if the waiting task was cancelled.
  package func check() throws(StoreError) {
    if isCancelled { throw .cancelled }
  }
}

extension StoreError {
  /// Why a snapshot can't be kept.
  public enum SnapshotFault: Hashable, Sendable {
    /// The name isn't 1 to 64 letters, digits, `.`, `_` and `-` that begin with a letter.
    case badName
    /// There is a snapshot of that name.
    case nameTaken
    /// The store has no commit yet.
    case emptyStore
  }
}

extension StoreError {
  /// Why a backup can't be made in a directory.
  public enum BackupFault: Hashable, Sendable {
    /// There is a store that no backup has made, or that was written to since.
    case isStore
    /// There is a backup of another store, or of a state that this store never had or has left by another way.
    case hasOtherHistory
    /// Another copy came there meanwhile.
    case changedMeanwhile
  }
}

extension StoreError {
  /// Whether a sync failed. Then it is unknown what the disk holds.
  var isFailedSync: Bool {
    switch self {
    case .inputOutput(let error), .commitUnknown(let error): error.operation == .sync
    default: false
    }
  }
}
