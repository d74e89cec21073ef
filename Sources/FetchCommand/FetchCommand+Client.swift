import Console
import QuandlClient
import Quoin

extension FetchCommand {
  /// A client of Quandl's API, configured by the options and the environment.
  func makeClient(_ line: FetchLine) throws -> QuandlClient {
    try made(line) { configuration throws(QuandlClientError) in
      try QuandlClient(
        apiKey: configuration.key ?? QuandlClient.environmentKey, baseURL: apiBase ?? QuandlClient.defaultBaseURL,
        configuration: configuration.client)
    }
  }

  /// A client of a vendor that answers with CSV.
  func makeClient(of service: VendorService, _ line: FetchLine) throws -> VendorClient {
    if let name = service.keyVariable, apiKeyFile == nil, service.environmentKey == nil {
      throw UsageError("\(service.title) wants a key; set \(name), or name a file that has it: --api-key-file key.txt")
    }
    return try made(line) { configuration throws(QuandlClientError) in
      try VendorClient(
        service, apiKey: configuration.key, baseURL: apiBase, configuration: configuration.client)
    }
  }

  private func made<Client: QuoteSource>(
    _ line: FetchLine,
    _ make: ((key: String?, client: QuandlClient.Configuration)) throws(QuandlClientError) -> Client
  ) throws -> Client {
    let client = try usage { try make((try apiKeyFile.map { try APIKeyFile.key(in: $0) }, try .ofPrograms(line))) }
    if client.sendsKeyUnencrypted {
      StandardStreams.complain("warning: the API key goes to \(client.baseURL) unencrypted; use https")
    }
    return client
  }
}

/// Makes a client; what it says of its arguments is wrong usage of the command.
func usage<Client>(_ make: () throws -> Client) throws -> Client {
  do { return try make() } catch let error as QuandlClientError where error.kind == .usage {
    throw UsageError(error.description)
  }
}

extension QuandlClient.Configuration {
  /// That of the programs: proxies come from the environment, and each repetition is told.
  static func ofPrograms(_ line: FetchLine) throws -> Self {
    var configuration = Self()
    configuration.proxies = try QuandlClient.environmentProxies
    configuration.willRetry = { error, delay in
      let code = error.code.map { "\($0): " } ?? ""
      let message = error.message.hasSuffix(".") ? error.message.dropLast() : error.message[...]
      line.erase()
      StandardStreams.complain(
        "\(code)\(message); trying again in \(delay.asShortTime) (attempt \(error.attemptCount + 1))")
    }
    return configuration
  }
}

/// A file whose first line is a key.
enum APIKeyFile {
  static func key(in path: String) throws -> String {
    let line = try beginning(of: path).prefix { !$0.isNewline }
    guard let key = line.split(whereSeparator: \.isWhitespace).first else {
      throw DataError("'\(path)' has no API key in its first line")
    }
    return String(key)
  }

  /// The first bytes of a file, more than any key has.
  private static func beginning(of path: String) throws -> String {
    do throws(SystemError) { return String(decoding: try System.beginning(of: path, 8192), as: UTF8.self) } catch {
      throw DataError("cannot read the API key from '\(path)': \(systemMessage(error.code))")
    }
  }
}
