import Quoin

extension Responder {
  private static let zipHeaders = [("content-type", "application/zip")]

  /// The whole table, whatever part of it is asked for: Quandl's `partial` was the last day.
  func wholeTable() throws -> ServiceAnswer {
    enum Extent: String, CaseIterable {
      case partial, complete, full
    }
    _ = try parameters.choice("download_type", among: Extent.self)
    return try file(TableQuestion())
  }

  /// The rows that a question selects, as one CSV in a zip.
  func file(_ question: TableQuestion) throws -> ServiceAnswer {
    let name = "\(Self.database)_\(Self.table)"
    var walk = walk(question, question.tickers.tickers(in: store), from: question.start.map { .init(key: $0) })
    let columns = question.columns
    let head = columns.map(\.name).joined(separator: ",") + "\n"
    let text = RowText(.csv, isText: columns.map(\.isText))
    let rows = textPieces(text, head: head, tail: "") { text in
      guard let batch = try walk.nextBatch() else { return false }
      text.append(batch.columns.cells(of: columns, tickers: batch.tickerValues), rows: 0..<batch.rowCount)
      return true
    }
    return try zip(rows, name: name, fileName: name + ".csv")
  }

  /// The code and the name of each dataset, as a CSV in a zip, which never had a header.
  func codes() throws -> ServiceAnswer {
    var tickers = store.tickers[...]
    let lines: PieceSource = {
      let next = tickers.prefix(1024)
      tickers = tickers.dropFirst(next.count)
      guard !next.isEmpty else { return nil }
      return next.flatMap { "\(Self.database)/\($0),\"\(DatasetCatalog.name(of: $0))\"\n".utf8 }
    }
    let name = "\(Self.database)-datasets-codes"
    return try zip(lines, name: name, fileName: name + ".csv")
  }

  private func zip(_ contents: @escaping PieceSource, name: String, fileName: String) throws -> ServiceAnswer {
    let disposition = "attachment; filename=\(name).zip"
    let body = try AnswerBody(reading: zipPieces(fileName: fileName, of: contents))
    return ServiceAnswer(headers: Self.zipHeaders + [("content-disposition", disposition)], body: body)
  }

  /// Where the file of a question is: at a link that says the whole question again, so that nothing has to be kept.
  func exportLink() throws -> ServiceAnswer {
    let link = try link()
    let moment = refreshTimes.moments(in: store).values.max().map { String($0.description.prefix(19)) }
    let time = JSONValue(moment.map { $0.replacing("T", with: " ") + " UTC" })
    return ServiceAnswer(json: [
      "datatable_bulk_download": [
        "file": ["link": .string(link), "status": "fresh", "data_snapshot_time": time],
        "datatable": ["last_refreshed_time": time],
      ]
    ])
  }

  private func link() throws(ServiceError) -> String {
    var items = parameters.items.filter { !TableQuestion.pageOptions.contains($0.name) }
    if !request.linkQuery.isEmpty { items.removeAll { TableQuestion.ignoredNames.contains($0.name) } }
    items += request.linkQuery.map { ($0.name, [$0.value]) }
    let query = items.map { "\($0.name.percentEncoded)=\($0.values.map(\.percentEncoded).joined(separator: ","))" }
    let path = "\(Route.prefix)datatables/\(Self.database)/\(Self.table)/\(Route.TablePart.export.rawValue)"
    let link = request.origin + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    guard link.utf8.count <= ServiceLimits.linkByteCount else {
      throw ServiceError(
        .tooLarge, "The filters don't fit in a link of \(ServiceLimits.linkByteCount) bytes; export in several parts.")
    }
    return link
  }
}

extension String {
  /// The text as part of a query. A comma stays: lists are written with it.
  fileprivate var percentEncoded: String {
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
