import AsyncHTTPClient
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
  /// The client asks the service until the file is ready. Memory stays bounded. A broken download goes on where it was if the
  /// service gives the file an entity tag, otherwise it begins again. The file appears at its path when it is complete.
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
  ///
  /// - Parameter isPreparing: called before each wait.
  func exportLink(
    _ query: DatatableQuery, isPreparing: () -> Void = {}
  ) async throws(QuandlClientError) -> ServiceURL {
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
      isPreparing()
      try await timing.sleep(delay)
      waited += delay
      delay = min(delay * 2, .seconds(30))
    }
  }

  /// Downloads a file. What has come before the connection breaks isn't asked for again, if the service can prove that the
  /// file is still the same one.
  func download(
    _ url: ServiceURL, to file: some DownloadTarget, progress: (@Sendable (Int, Int?) -> Void)?
  ) async throws(QuandlClientError) {
    let limits = configuration.timeLimits
    let deadline = Deadline(limits.download, silence: limits.downloadSilence)
    var part = DownloadedPart()
    try await retrying(url) { () async throws(QuandlClientError) in
      let before = part.byteCount
      do throws(QuandlClientError) {
        try await exchange(part.call(url), deadline) {
          (response, url, deadline) async throws(QuandlClientError) in
          try begin(&part, response, file, url)
          let room = configuration.downloadByteLimit - part.byteCount
          try await pieces(of: response, url, deadline, byteCountMax: room) {
            (piece) throws(QuandlClientError) in
            try file.write(piece.readableBytesSpan)
            part.byteCount += piece.readableBytes
            progress?(part.byteCount, part.totalByteCount)
          }
        }
      } catch {
        var error = error
        error.hasProgressed = part.tag != nil && part.byteCount > before
        guard error.status == 416, part.byteCount > 0 else { throw error }
        part = DownloadedPart()
        throw failure(.connection, "the service has another file now", url)
      }
    }
  }

  /// Looks at what an answer has: the whole file, or the rest of it.
  private func begin(
    _ part: inout DownloadedPart, _ response: HTTPClientResponse, _ file: some DownloadTarget, _ url: ServiceURL
  ) throws(QuandlClientError) {
    guard response.status == .partialContent else {
      part = DownloadedPart(response.headers)
      return try file.empty()
    }
    let range = response.headers.first(name: "content-range") ?? "none"
    guard range.hasPrefix("bytes \(part.byteCount)-") else {
      throw failure(
        .malformed, "the service was asked for the bytes from \(part.byteCount) on and sends others: '\(range)'", url)
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
