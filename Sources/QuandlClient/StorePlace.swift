import AsyncHTTPClient
import Quoin
import Synchronization

/// A directory elsewhere that has a store's files: of a web server, or in a bucket.
struct StorePlace: Sendable {
  let client: QuandlClient
  /// The address as people write it, without a slash at the end.
  let shown: String

  init(
    _ address: String, apiKey: String?, _ access: BucketAccess, _ configuration: QuandlClient.Configuration
  ) throws(QuandlClientError) {
    let isBucket = address.hasPrefix(BucketAccess.scheme)
    if isBucket, apiKey != nil {
      throw QuandlClientError(
        .usage, "a bucket takes no token; its key is in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
    }
    let url = isBucket ? try access.address(of: address) : address
    let service = VendorService(
      name: "store", title: "the server", address: url, key: .quandl,
      keyVariable: isBucket ? "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY" : nil)
    client = try QuandlClient(
      service, apiKey: apiKey, access: isBucket ? access : nil, baseURL: url, configuration: configuration,
      timing: .system)
    shown = isBucket ? address.withoutLastSlashes : client.baseURL
  }

  func address(of name: String) -> String { "\(shown)/\(name)" }

  /// A small file, and what tells this version of it from others; nil if there is none.
  func read(
    _ name: String, byteCountMax: Int
  ) async throws(QuandlClientError) -> (bytes: [UInt8], version: String)? {
    let limits = client.configuration.timeLimits
    var call = Call(client.base.url(name))
    call.isDownload = true
    return try await ifThere { () async throws(QuandlClientError) in
      try await client.retrying(call.url) { () async throws(QuandlClientError) in
        try await client.exchange(call, Deadline(limits.answer, silence: limits.silence)) {
          (response, url, deadline) async throws(QuandlClientError) in
          let bytes = try await client.collect(response, url, deadline, byteCountMax: byteCountMax)
          return (bytes, response.headers.first(name: "etag") ?? "")
        }
      }
    }
  }

  /// Sends a request without an answer in words.
  @discardableResult
  func send<Result: Sendable>(
    _ upload: Upload, _ name: String, _ read: @Sendable (HTTPClientResponse) -> Result
  ) async throws(QuandlClientError) -> Result {
    let limits = client.configuration.timeLimits
    let gone = Mutex(0)
    let counted = Upload(upload) { count in
      gone.withLock { $0 += count }
      upload.progress(count)
    }
    var call = Call(client.base.url(name))
    call.isDownload = true
    call.upload = counted
    let deadline = Deadline(limits.download, silence: limits.downloadSilence)
    return try await client.retrying(call.url) { () async throws(QuandlClientError) in
      let again = gone.withLock { gone in
        defer { gone = 0 }
        return gone
      }
      if again > 0 { upload.progress(-again) }
      return try await client.exchange(call, deadline) { (response, url, _) async throws(QuandlClientError) in
        read(response)
      }
    }
  }

  /// Nil where the server has no such file.
  func ifThere<Value>(
    _ body: () async throws(QuandlClientError) -> Value
  ) async throws(QuandlClientError) -> Value? {
    do { return try await body() } catch {
      guard error.status == 404 || error.status == 410 else { throw error }
      return nil
    }
  }
}

/// Turns what a copy throws into this client's errors.
func translatingErrors<Result: Sendable>(
  _ body: () async throws -> Result
) async throws(QuandlClientError) -> Result {
  do { return try await body() } catch {
    if Task.isCancelled || error is CancellationError { throw .cancelled }
    if let error = error as? StoreError { throw QuandlClientError(error) }
    guard let error = error as? QuandlClientError else { preconditionFailure("\(error)") }
    throw error
  }
}
