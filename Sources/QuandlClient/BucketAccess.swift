import NIOHTTP1
import Quoin

/// How buckets of S3 are reached, of AWS or of another server with its interface.
///
/// Requests are signed as "Signature Version 4" of AWS wants it. A dump doesn't show the secret key.
public struct BucketAccess: Sendable, CustomReflectable {
  /// The name of the key; without one, requests aren't signed, as for a bucket that everybody can read.
  public var keyID: String?
  /// The key itself, which is never sent.
  public var secretKey: String?
  /// What a key that soon ends comes with.
  public var sessionToken: String?
  /// Where the bucket is.
  public var region = "us-east-1"
  /// Another server than AWS: `http://127.0.0.1:9000`.
  public var endpoint: String?

  /// Without a key.
  public init() {}

  /// The mirror has nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// What the environment says to programs of AWS: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_REGION`, else
  /// `AWS_DEFAULT_REGION`, and `AWS_ENDPOINT_URL_S3`, else `AWS_ENDPOINT_URL`.
  public static var environment: BucketAccess {
    var access = BucketAccess()
    access.keyID = ProcessEnvironment["AWS_ACCESS_KEY_ID"]
    access.secretKey = ProcessEnvironment["AWS_SECRET_ACCESS_KEY"]
    access.sessionToken = ProcessEnvironment["AWS_SESSION_TOKEN"]
    access.region = ProcessEnvironment["AWS_REGION"] ?? ProcessEnvironment["AWS_DEFAULT_REGION"] ?? access.region
    access.endpoint = ProcessEnvironment["AWS_ENDPOINT_URL_S3"] ?? ProcessEnvironment["AWS_ENDPOINT_URL"]
    return access
  }
}

extension BucketAccess {
  static let scheme = "s3://"

  /// Where the web has what `s3://bucket/path` names.
  ///
  /// - Throws: `QuandlClientError` if it names no bucket.
  func address(of location: String) throws(QuandlClientError) -> String {
    var words = location.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false).map(
      String.init)
    while words.last == "" { words.removeLast() }
    guard let bucket = words.first, (3...63).contains(bucket.utf8.count), bucket.utf8.allSatisfy(Self.isOfBucket),
      !words.contains(""), !words.contains("."), !words.contains("..")
    else {
      throw QuandlClientError(.usage, "'\(location)' names no place in a bucket; write it as s3://bucket/market")
    }
    let path = words.dropFirst().map { "/" + ServiceBase.encoded($0) }.joined()
    if let endpoint {
      return endpoint.withoutLastSlashes + "/" + bucket + path
    }
    // A certificate is for one word before the region's name.
    return bucket.contains(".")
      ? "https://s3.\(region).amazonaws.com/\(bucket)\(path)" : "https://\(bucket).s3.\(region).amazonaws.com\(path)"
  }

  private static func isOfBucket(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  /// The headers that prove who asks.
  ///
  /// - Parameters:
  ///   - url: without a query that has a signature already; its path is encoded.
  ///   - headers: which the signature covers too, in lower case.
  ///   - hash: that of the body.
  func signature(
    of method: HTTPMethod, _ url: ServiceURL, _ headers: [(name: String, value: String)] = [], hash: String,
    at time: CommitTime
  ) -> [(name: String, value: String)] {
    guard let keyID, let secretKey else { return [] }
    let moment = "\(time)".filter { $0 != "-" && $0 != ":" }
    let day = String(moment.prefix { $0 != "T" })
    var added = [("x-amz-content-sha256", hash), ("x-amz-date", moment)]
    if let sessionToken { added.append(("x-amz-security-token", sessionToken)) }
    let signed = (headers + added + [("host", url.host)]).sorted { $0.name < $1.name }
    let names = signed.map(\.name).joined(separator: ";")
    let (path, query) = url.pathAndQuery
    let request =
      [method.rawValue, path, query] + signed.map { "\($0.name):\($0.value)" } + ["", names, hash]
    let scope = "\(day)/\(region)/s3/aws4_request"
    let text = [
      "AWS4-HMAC-SHA256", moment, scope, SHA256.digest(Array(request.joined(separator: "\n").utf8)).hexadecimal,
    ]
    let key = scope.split(separator: "/").reduce(Array("AWS4\(secretKey)".utf8)) {
      SHA256.authentication(of: String($1), by: $0)
    }
    let proof = SHA256.authentication(of: text.joined(separator: "\n"), by: key).hexadecimal
    let value = "AWS4-HMAC-SHA256 Credential=\(keyID)/\(scope), SignedHeaders=\(names), Signature=\(proof)"
    return added + [("authorization", value)]
  }
}

extension ServiceURL {
  /// The host as a request names it.
  fileprivate var host: String {
    let usual = origin.scheme == "https" ? 443 : 80
    return origin.port == usual ? origin.host : "\(origin.host):\(origin.port)"
  }

  /// What follows the host, its query as a signature wants it.
  fileprivate var pathAndQuery: (path: String, query: String) {
    let rest = text.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" && $0 != "?" }
    let path = String(rest.prefix { $0 != "?" })
    let items = rest.drop { $0 != "?" }.dropFirst().split(separator: "&").map { $0.contains("=") ? $0 : $0 + "=" }
    return (path.isEmpty ? "/" : path, items.sorted().joined(separator: "&"))
  }
}
