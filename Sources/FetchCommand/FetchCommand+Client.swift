import Console
import QuandlClient

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FetchCommand {
  /// A client, configured by the options and the environment.
  func makeClient() throws -> QuandlClient {
    var configuration = QuandlClient.Configuration()
    configuration.willRetry = { error, delay in
      let code = error.code.map { "\($0): " } ?? ""
      let message = error.message.hasSuffix(".") ? error.message.dropLast() : error.message[...]
      StandardStreams.complain("\(code)\(message); trying again in \(delay.asShortTime)")
    }
    do {
      let client = try QuandlClient(
        apiKey: try apiKey() ?? QuandlClient.environmentKey, baseURL: apiBase ?? QuandlClient.defaultBaseURL,
        configuration: configuration)
      if client.sendsKeyUnencrypted {
        StandardStreams.complain("warning: the API key goes to \(client.baseURL) unencrypted; use https")
      }
      return client
    } catch let error as QuandlClientError where error.kind == .usage {
      throw UsageError(error.description)
    }
  }

  private func apiKey() throws -> String? {
    guard let apiKeyFile else { return nil }
    let line = try Self.beginning(of: apiKeyFile).prefix { !$0.isNewline }
    guard let key = line.split(whereSeparator: \.isWhitespace).first else {
      throw DataError("'\(apiKeyFile)' has no API key in its first line")
    }
    return String(key)
  }

  /// The first bytes of a file, more than any key has.
  private static func beginning(of path: String) throws -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = descriptor < 0 ? -1 : unsafe read(descriptor, &bytes, bytes.count)
    guard count >= 0 else {
      let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
      throw DataError("cannot read the API key from '\(path)': \(reason)")
    }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
