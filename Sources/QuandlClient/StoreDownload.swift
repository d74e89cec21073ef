import Quoin

/// A store that a server has as files: a server of static files, `quoin serve`, or a bucket of S3 (`s3://bucket/market`).
///
///     let market = try StoreDownload(of: "https://host/market")
///     try await market.pull(into: "market")
public struct StoreDownload: Sendable {
  private let place: StorePlace

  /// - Parameters:
  ///   - address: the directory's: `https://host/market`.
  ///   - apiKey: the server's token; nil if it has none. It is sent in a header to this server alone.
  ///   - access: how a bucket is reached.
  ///   - configuration: limits, deadlines and retries.
  /// - Throws: `QuandlClientError` if the key or the address isn't valid.
  public init(
    of address: String, apiKey: String? = nil, access: BucketAccess = .environment,
    configuration: QuandlClient.Configuration = QuandlClient.Configuration()
  ) throws(QuandlClientError) {
    place = try StorePlace(address, apiKey: apiKey, access, configuration)
  }

  /// The address without a slash at the end.
  public var address: String { place.shown }

  /// Whether the token can be read on its way.
  package var sendsKeyUnencrypted: Bool { place.client.sendsKeyUnencrypted }

  /// Copies the store into a directory: the newest generation and all that it keeps.
  ///
  /// Only files that the directory lacks come, several at a time, and each is checked to the last byte before it counts. Whatever
  /// happens meanwhile, the directory has the copy of before or the new one; after an interruption, files that were finished don't come
  /// again. Readers of the directory go on. The copy is a store as a backup is: what writes to it makes it a store of its own, which no
  /// later pull replaces.
  ///
  /// - Parameters:
  ///   - directory: a new directory, or one with an earlier copy of the same store.
  ///   - patience: how long to wait while another copy into the directory is at work.
  ///   - progress: called with the number of bytes of each piece that has come; with a negative one if they have to come again.
  /// - Throws: `QuandlClientError`, with the kind `cancelled` in a cancelled task; with the kind `store` and a `storeError` if there is no
  ///   store, if the directory has anything else, or if something comes that isn't what the manifest names.
  @discardableResult
  public func pull(
    into directory: String, patience: Duration = .zero, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(QuandlClientError) -> BackupReport {
    try await translatingErrors {
      try await QuoteStore.pull(from: self, into: directory, patience: patience, progress: progress)
    }
  }
}

extension StoreDownload: StoreSource {
  package func address(of name: String) -> String { place.address(of: name) }

  package func bytes(of name: String, byteCountMax: Int) async throws -> [UInt8]? {
    try await place.read(name, byteCountMax: byteCountMax)?.bytes
  }

  package func bring(
    _ name: String, to file: ArrivingFile, _ progress: @escaping @Sendable (Int) -> Void
  ) async throws -> Bool {
    let (target, client) = (ArrivingTarget(file: file, progress: progress), place.client)
    return try await place.ifThere { () async throws(QuandlClientError) in
      try await client.download(client.base.url(name), to: target, progress: nil)
    } != nil
  }
}

/// A file of a store that is downloaded.
private final class ArrivingTarget: DownloadTarget {
  private let file: ArrivingFile
  private let progress: @Sendable (Int) -> Void
  private var byteCount = 0

  init(file: ArrivingFile, progress: @escaping @Sendable (Int) -> Void) {
    (self.file, self.progress) = (file, progress)
  }

  func empty() throws(QuandlClientError) {
    progress(-byteCount)
    byteCount = 0
    do { try file.restart() } catch { throw QuandlClientError(error) }
  }

  func write(_ bytes: RawSpan) throws(QuandlClientError) {
    byteCount += bytes.byteCount
    do { try file.write(bytes) } catch { throw QuandlClientError(error) }
    progress(bytes.byteCount)
  }
}
