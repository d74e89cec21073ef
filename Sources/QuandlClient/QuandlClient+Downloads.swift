import Quoin

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The extent of a bulk download.
public enum BulkDownload: String, CaseIterable, Hashable, Sendable {
  /// The days since the last download.
  case partial
  /// All days that the service has.
  case complete
}

extension QuandlClient {
  /// Downloads a table, or the part that a query selects, as one CSV file in a zip.
  ///
  /// The client asks the service until the file is ready. Memory stays bounded; a broken download begins again. The file
  /// appears at its path when it is complete.
  ///
  /// - Parameters:
  ///   - query: what to download. The size of its pages doesn't matter.
  ///   - path: where the file goes; a file that is there is replaced.
  ///   - progress: called with the bytes so far, and with all bytes if the service tells their number.
  /// - Throws: `QuandlClientError`, with the kind `cancelled` in a cancelled task. There is no new file then.
  public func export(
    _ query: DatatableQuery = DatatableQuery(), to path: String,
    progress: (@Sendable (Int, _ total: Int?) -> Void)? = nil
  ) async throws(QuandlClientError) {
    let file = try DownloadFile(for: path)
    try await download(try await exportLink(query), to: file, progress: progress)
    try await file.finish(as: path)
  }

  /// Downloads a database as a zip.
  ///
  /// - Parameters:
  ///   - database: its code: `WIKI`.
  ///   - part: which of its quotes.
  ///   - path: where the file goes; a file that is there is replaced.
  ///   - progress: called with the bytes so far, and with all bytes if the service tells their number.
  /// - Throws: `QuandlClientError`, with the kind `cancelled` in a cancelled task. There is no new file then.
  public func download(
    database: String, _ part: BulkDownload = .complete, to path: String,
    progress: (@Sendable (Int, _ total: Int?) -> Void)? = nil
  ) async throws(QuandlClientError) {
    guard let code = try? DatasetCode("\(database)/X") else {
      throw failure(.usage, "'\(database)' isn't the code of a database, such as WIKI", url: base.text)
    }
    let file = try DownloadFile(for: path)
    let url = base.url("databases/\(ServiceBase.encoded(code.database))/data", [("download_type", part.rawValue)])
    try await download(url, to: file, progress: progress)
    try await file.finish(as: path)
  }

  /// Asks for an export until it is ready, first after a second, at last after half a minute.
  func exportLink(_ query: DatatableQuery) async throws(QuandlClientError) -> ServiceURL {
    let call = query.call(base, isExport: true)
    let deadline = configuration.timeLimits.export
    var (waited, delay) = (Duration.zero, Duration.seconds(1))
    while true {
      let document = try await document(call)
      let file = try decoded(ExportAnswer.self, document).download.file
      if file.status?.lowercased() == "fresh" {
        guard let link = file.link.flatMap(call.url.following) else {
          throw failure(.malformed, "the export has no link that this client follows", call.url)
        }
        return link
      }
      guard waited < deadline else { throw failure(.timeLimit, "no export within \(deadline)", call.url) }
      try await timing.sleep(delay)
      waited += delay
      delay = min(delay * 2, .seconds(30))
    }
  }

  func download(
    _ url: ServiceURL, to file: DownloadFile, progress: (@Sendable (Int, Int?) -> Void)?
  ) async throws(QuandlClientError) {
    var call = Call(url)
    call.accept = "*/*"
    call.acceptsGzip = false
    try await retrying(url) { () async throws(QuandlClientError) in
      try file.empty()
      try await exchange(call, limit: configuration.timeLimits.download) {
        (response, url, deadline) async throws(QuandlClientError) in
        let total = response.headers.first(name: "content-length").flatMap { Int($0) }
        var count = 0
        try await pieces(of: response, url, deadline, byteCountMax: configuration.downloadByteLimit) {
          (piece) throws(QuandlClientError) in
          try file.write(piece.readableBytesSpan)
          count += piece.readableBytes
          progress?(count, total)
        }
      }
    }
  }
}

private struct ExportAnswer: Decodable {
  struct Download: Decodable { let file: File }

  struct File: Decodable {
    let status: String?
    let link: String?
  }

  let download: Download

  private enum CodingKeys: String, CodingKey { case download = "datatable_bulk_download" }
}
