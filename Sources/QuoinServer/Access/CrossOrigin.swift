import HTTPTypes

/// What an answer to a page of another site, which may ask, says to the browser (the Fetch standard's CORS protocol).
enum CrossOrigin {
  /// The headers of the answer to the question whether the page may ask. The browser sends it without the token.
  static let preflight = [
    (name: "access-control-allow-methods", value: "GET, HEAD, POST"),
    (
      name: "access-control-allow-headers",
      value: "authorization, x-api-token, content-type, range, if-range, if-match, if-none-match"
    ),
    (name: "access-control-max-age", value: "600"),
  ]

  /// Lets the page read the answer.
  static func allow(_ origin: String, in headers: inout HTTPFields) {
    for (name, value) in [
      ("access-control-allow-origin", origin), ("cross-origin-resource-policy", "cross-origin"),
      ("access-control-expose-headers", "etag, last-modified, content-range, cursor_id, retry-after, quoin-remark"),
    ] { HTTPField.Name(name).map { headers[$0] = value } }
    headers[.vary] = (headers[.vary].map { $0 + ", " } ?? "") + "origin"
  }
}
