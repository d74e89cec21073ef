import NIOHTTP1

/// The part of a file that has come.
struct DownloadedPart {
  var byteCount = 0
  private(set) var totalByteCount: Int?
  /// The strong entity tag of the file; without one, the rest may be another file's.
  private(set) var tag: String?

  init() {}

  /// Nothing yet of the file that an answer with these headers has.
  init(_ headers: HTTPHeaders) {
    guard !headers.contains(name: "content-encoding") else { return }
    totalByteCount = headers.first(name: "content-length").flatMap { Int($0) }
    tag = headers.first(name: "etag").flatMap { $0.hasPrefix("\"") ? $0 : nil }
  }

  /// The call for the whole file or, if a part is there, for the rest.
  func call(_ url: ServiceURL) -> Call {
    var call = Call(url)
    call.isDownload = true
    if let tag, byteCount > 0 { call.rest = (from: byteCount, tag: tag) }
    return call
  }
}
