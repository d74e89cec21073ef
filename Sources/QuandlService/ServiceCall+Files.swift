import Quoin

extension ServiceCall {
  /// The rows that a question selects, as one CSV in a zip.
  func tableFile(_ question: TableQuestion) throws -> ServiceAnswer {
    let name = "\(Self.database)_\(Self.table)"
    return try zip(rows(question, hasHeader: true), name: name, contentName: name)
  }

  /// All rows, as Quandl sent whole databases: without a header, and with the day of the last import in the CSV's name.
  func databaseFile() throws -> ServiceAnswer {
    let day = refreshTimes.moments(in: store).values.max().map { $0.description.prefix(10).replacing("-", with: "") }
    let contentName = Self.database + (day.map { "_" + $0 } ?? "")
    return try zip(rows(TableQuestion(), hasHeader: false), name: Self.database, contentName: contentName)
  }

  private func rows(_ question: TableQuestion, hasHeader: Bool) -> PieceSource {
    var walk = walk(question, question.tickers.tickers(in: store), from: question.start.map { .init(key: $0) })
    let columns = question.columns
    let head = hasHeader ? columns.map(\.name).joined(separator: ",") + "\n" : ""
    let text = RowText(.csv, isText: columns.map(\.isText))
    return textPieces(text, head: head, tail: "") { text in
      guard let batch = try walk.nextBatch() else { return false }
      text.append(batch.columns.cells(of: columns, tickers: batch.tickers), rows: 0..<batch.rowCount)
      return true
    }
  }

  /// A zip of one CSV, for clients to save under this name.
  func zip(_ contents: @escaping PieceSource, name: String, contentName: String) throws -> ServiceAnswer {
    let body = try AnswerBody(reading: zipPieces(fileName: contentName + ".csv", of: contents))
    return ServiceAnswer(
      .zip, headers: [("content-disposition", "attachment; filename=\(name).zip")], body: body)
  }

  /// A link to the file of a question. It repeats the whole question, so that the service has nothing to remember.
  func exportLink() throws -> ServiceAnswer {
    let link = try link()
    let moment = refreshTimes.moments(in: store).values.max().map { String($0.description.prefix(19)) }
    let time = JSONValue(moment.map { $0.replacing("T", with: " ") + " UTC" })
    guard form != .csv else {
      return try csv([
        ("file.link", .string(link)), ("file.status", "fresh"), ("file.data_snapshot_time", time),
        ("datatable.last_refreshed_time", time),
      ])
    }
    return answer([
      "datatable_bulk_download": [
        "file": ["link": .string(link), "status": "fresh", "data_snapshot_time": time],
        "datatable": ["last_refreshed_time": time],
      ]
    ])
  }

  private func link() throws(ServiceError) -> String {
    let pageOptions = TableQuestion.pageOptions.map(\.name)
    var items = parameters.items.filter { !pageOptions.contains($0.name) }
    if !request.linkQuery.isEmpty { items.removeAll { Parameters.namesOfClients.contains($0.name) } }
    items += request.linkQuery.map { ($0.name, [$0.value]) }
    let query = items.map { "\($0.name.percentEncoded)=\($0.values.map(\.percentEncoded).joined(separator: ","))" }
    let path = QuandlService.tableExport.path(Self.database, Self.table)
    let link = request.origin + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    guard link.utf8.count <= ServiceLimits.linkByteCount else {
      throw ServiceError(
        .tooLarge, "The filters don't fit in a link of \(ServiceLimits.linkByteCount) bytes; export in several parts.")
    }
    return link
  }
}

extension String {
  /// The text as part of a query. Commas stay as they are, because they separate the elements of lists.
  package var percentEncoded: String {
    var bytes: [UInt8] = []
    for byte in utf8 {
      if Self.unreserved.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~,".utf8)
}
