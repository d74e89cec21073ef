import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Quoin

/// A place in a bucket of S3 for a copy of a store.
///
///     let market = try StoreUpload(to: "s3://bucket/market")
///     try await market.push(store)
public struct StoreUpload: Sendable {
  private let place: StorePlace

  /// - Parameters:
  ///   - address: the bucket, and where in it: `s3://bucket/market`.
  ///   - access: how it is reached.
  ///   - configuration: limits, deadlines and retries.
  /// - Throws: `QuandlClientError` if the address isn't valid.
  public init(
    to address: String, access: BucketAccess = .environment,
    configuration: QuandlClient.Configuration = QuandlClient.Configuration()
  ) throws(QuandlClientError) {
    guard address.hasPrefix(BucketAccess.scheme) else {
      throw QuandlClientError(
        .usage, "'\(address)' takes no store; push it to s3://bucket/market, or have the others pull it")
    }
    place = try StorePlace(address, apiKey: nil, access, configuration)
  }

  /// The address without a slash at the end.
  public var address: String { place.shown }

  /// Copies a store there: the newest generation and all that it keeps. Writers and readers of the store go on.
  ///
  /// Only files that are missing there go, several at a time. Whatever happens meanwhile, the copy of before is there or the new one;
  /// after an interruption, files that have arrived don't go again. Of two pushes at once, one is refused.
  ///
  /// - Parameters:
  ///   - store: the store, of which this is the first copy there, or an earlier one is.
  ///   - progress: called with the number of bytes of each piece that has gone; with a negative one if they have to go again.
  /// - Throws: `QuandlClientError`, with the kind `cancelled` in a cancelled task; with the kind `store` and a `storeError` if there is
  ///   anything else than an earlier copy.
  @discardableResult
  public func push(
    _ store: QuoteStore, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(QuandlClientError) -> BackupReport {
    try await translatingErrors { try await store.push(to: self, progress: progress) }
  }
}

extension StoreUpload: StoreDestination {
  package func address(of name: String) -> String { place.address(of: name) }

  package func read(_ name: String, byteCountMax: Int) async throws -> (bytes: [UInt8], version: String)? {
    try await place.read(name, byteCountMax: byteCountMax)
  }

  package func has(_ name: String, _ file: StoredFile) async throws -> Bool {
    let found = try await place.ifThere { () async throws(QuandlClientError) in
      try await place.send(Upload(.HEAD), name) { ($0.headers.first(name: "content-length"), Upload.checksum($0)) }
    }
    guard let found else { return false }
    return found.0 == "\(file.byteCount)" && found.1 == "\(file.checksum)"
  }

  package func put(
    _ name: String, _ file: StoredFile, _ progress: @escaping @Sendable (Int) -> Void
  ) async throws -> Bool { try await put(Upload(.PUT, file, progress: progress), name, version: nil) }

  package func replace(_ name: String, by bytes: [UInt8], version: String?) async throws -> Bool {
    try await put(Upload(.PUT, StoredFile(of: bytes)), name, version: version)
  }

  /// - Returns: false if there isn't the version that should be, or there is one and should be none.
  private func put(_ upload: Upload, _ name: String, version: String?) async throws -> Bool {
    var upload = upload
    upload.headers.append(version.map { ("if-match", $0) } ?? ("if-none-match", "*"))
    do {
      try await place.send(upload, name) { _ in }
      return true
    } catch {
      guard error.status == 412 || error.status == 409 else { throw error }
      return false
    }
  }

  package func remove(_ name: String) async throws { try await place.send(Upload(.DELETE), name) { _ in } }
}

/// A request that changes a file of a bucket, or asks what it is.
struct Upload: Sendable {
  let method: HTTPMethod
  /// What is sent, and its hash.
  let file: StoredFile?
  let hash: String
  /// Headers that aren't signed.
  var headers: [(name: String, value: String)] = []
  let progress: @Sendable (Int) -> Void

  static let emptyHash = SHA256.digest([]).hexadecimal
  private static let checksumName = "x-amz-meta-quoin-checksum"

  init(_ method: HTTPMethod, _ file: StoredFile? = nil, progress: @escaping @Sendable (Int) -> Void = { _ in }) {
    (self.method, self.file, self.progress) = (method, file, progress)
    hash = file.map(Self.hash) ?? Self.emptyHash
  }

  /// The same with another progress.
  init(_ upload: Upload, progress: @escaping @Sendable (Int) -> Void) {
    (method, file, hash, headers) = (upload.method, upload.file, upload.hash, upload.headers)
    self.progress = progress
  }

  /// Headers that are signed: what tells this file from others with its name.
  var signedHeaders: [(name: String, value: String)] { file.map { [(Self.checksumName, "\($0.checksum)")] } ?? [] }

  /// What such a header says of a file that is there.
  static func checksum(_ response: HTTPClientResponse) -> String? { response.headers.first(name: checksumName) }

  private static func hash(_ file: StoredFile) -> String {
    var (hash, pieces) = (SHA256(), FilePieces(file) { _ in })
    while let piece = pieces.nextBytes() { hash.add(piece) }
    return hash.digest.hexadecimal
  }

  /// What is sent; nil for nothing.
  var body: HTTPClientRequest.Body? {
    file.map { .stream(FilePieces($0, progress), length: .known(Int64($0.byteCount))) }
  }
}

/// A file's bytes, one piece after another.
private struct FilePieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
  private let file: StoredFile
  private let progress: @Sendable (Int) -> Void
  private var offset = 0

  private static let byteCount = 1 << 18

  init(_ file: StoredFile, _ progress: @escaping @Sendable (Int) -> Void) {
    (self.file, self.progress) = (file, progress)
  }

  func makeAsyncIterator() -> FilePieces { self }

  mutating func next() async -> ByteBuffer? { nextBytes().map { ByteBuffer(bytes: $0) } }

  mutating func nextBytes() -> [UInt8]? {
    let range = offset..<Swift.min(file.byteCount, offset + Self.byteCount)
    if range.isEmpty { return nil }
    offset = range.upperBound
    progress(range.count)
    return file.read(range)
  }
}
