import Foundation
import NIOHTTP1
import Quoin
import Testing

@testable import QuandlClient

/// Stores that go to buckets of S3 and come from there.
@Suite struct BucketTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func makeStore() throws -> QuoteStore {
    let store = try folder.store("store")
    for (number, ticker) in (["A", "B"] as [TickerSymbol]).enumerated() {
      try Self.write(ticker, 3000, salt: number, to: store)
    }
    return store
  }

  // In a function of its own, because an async function would call the async form.
  private static func write(_ ticker: TickerSymbol, _ rows: Int, salt: Int, to store: QuoteStore) throws {
    let days = (0..<rows).map { TradingDay(daysSince1970: 10_000 + $0)! }
    let closes = (0..<rows).map { Double(($0 * 7919 + salt) % 10_007) / 100 }
    try store.upsert([ticker: try QuoteColumns(days: days, doubles: [.close: closes])])
  }

  private static func access(_ server: ScriptedServer? = nil) -> BucketAccess {
    var access = BucketAccess()
    (access.keyID, access.secretKey) = ("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    access.endpoint = server.map { "http://127.0.0.1:\($0.port)" }
    return access
  }

  /// The digests of FIPS 180's examples, of messages whose padding takes one block and two, and RFC 4231's second and sixth case.
  @Test func digests_are_those_of_the_standards() {
    func digest(_ text: String) -> String { SHA256.digest(Array(text.utf8)).hexadecimal }
    #expect(digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      digest(String(repeating: "a", count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    #expect(
      SHA256.authentication(of: "what do ya want for nothing?", by: Array("Jefe".utf8)).hexadecimal
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      SHA256.authentication(
        of: "Test Using Larger Than Block-Size Key - Hash Key First", by: [UInt8](repeating: 0xaa, count: 131)
      ).hexadecimal == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    // Pieces of any sizes.
    for size in [1, 55, 56, 63, 64, 65, 127, 128, 1000] {
      let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7) }
      var hash = SHA256()
      for start in stride(from: 0, to: bytes.count, by: size) {
        hash.add(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(hash.digest == SHA256.digest(bytes))
    }
  }

  /// The examples of AWS's documentation ("Signature Calculations for the Authorization Header").
  @Test func signatures_are_those_of_the_documentation() throws {
    let time = CommitTime(secondsSince1970: 1_369_353_600)
    func signature(
      _ method: HTTPMethod, _ text: String, _ headers: [(String, String)] = [], hash: String = Upload.emptyHash
    ) throws -> String {
      let base = try ServiceBase("https://examplebucket.s3.amazonaws.com", usualPath: "")
      let url = ServiceURL(text: base.text + text, shown: text, origin: base.origin)
      let signed = Self.access().signature(of: method, url, headers, hash: hash, at: time)
      let proof = signed.first { $0.name == "authorization" }?.value ?? ""
      return String(proof.split(separator: "=").last ?? "")
    }
    #expect(
      try signature(.GET, "/test.txt", [("range", "bytes=0-9")])
        == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    #expect(
      try signature(
        .PUT, "/test%24file.text",
        [("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
        hash: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
        == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    #expect(
      try signature(.GET, "/?lifecycle") == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    #expect(
      try signature(.GET, "/?max-keys=2&prefix=J")
        == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
  }

  @Test func a_place_in_a_bucket_has_an_address() throws {
    var access = BucketAccess()
    access.region = "eu-central-1"
    func address(_ text: String) throws -> String { try access.address(of: text) }
    #expect(try address("s3://quotes/market") == "https://quotes.s3.eu-central-1.amazonaws.com/market")
    #expect(try address("s3://quotes/") == "https://quotes.s3.eu-central-1.amazonaws.com")
    #expect(try address("s3://my.quotes/a/b") == "https://s3.eu-central-1.amazonaws.com/my.quotes/a/b")
    #expect(try address("s3://quotes/WIKI prices") == "https://quotes.s3.eu-central-1.amazonaws.com/WIKI%20prices")
    access.endpoint = "http://127.0.0.1:9000/"
    #expect(try address("s3://quotes/market/") == "http://127.0.0.1:9000/quotes/market")
    for text in [
      "s3://", "s3://ab", "s3:///market", "s3://Quotes/x", "s3://quotes//x", "s3://quotes/../x", "s3://quotes?x",
    ] {
      let error = #expect(throws: QuandlClientError.self) { try address(text) }
      #expect(error?.message == "'\(text)' names no place in a bucket; write it as s3://bucket/market")
    }
    #expect(!"\(Self.access())".contains("wJalr"))
    var dump = ""
    Swift.dump(Self.access(), to: &dump)
    #expect(!dump.contains("wJalr"))
  }

  @Test func a_store_goes_to_a_bucket_and_comes_from_there() async throws {
    let store = try makeStore()
    let copy = path("copy")
    let bucket = ScriptedBucket()
    try await bucket.server().run { server in
      let place = try StoreUpload(to: "s3://quotes/market", access: Self.access(server))
      let gone = Shared(0)
      let first = try await place.push(store) { count in gone.withLock { $0 += count } }
      #expect(first.copiedFileCount == first.fileCount && gone.value == first.byteCount)
      #expect(server.requests.allSatisfy { $0.header("authorization")?.hasPrefix("AWS4-HMAC-SHA256 Cred") == true })
      #expect(server.requests.allSatisfy { $0.target.hasPrefix("/quotes/market/") })
      #expect(try await place.push(store).copiedFileCount == 0)
      let market = try StoreDownload(of: "s3://quotes/market", access: Self.access(server))
      #expect(try await market.pull(into: copy).byteCount == first.byteCount)
      try Self.write("C", 10, salt: 5, to: store)
      #expect(try await place.push(store).copiedFileCount == 1)
      #expect(try await market.pull(into: copy).copiedFileCount == 1)
    }
    #expect(try folder.store("copy").csv() == store.csv())
    #expect(bucket.wrongHashes == 0 && bucket.conditions.sorted() == ["if-match", "if-none-match"])
  }

  /// Each second request breaks off, and what has arrived doesn't go again.
  @Test func broken_connections_are_tried_again() async throws {
    let store = try makeStore()
    let bucket = ScriptedBucket()
    try await bucket.server { index in index % 2 == 0 }.run { server in
      var configuration = QuandlClient.Configuration()
      configuration.retries.firstDelay = .milliseconds(1)
      let place = try StoreUpload(
        to: "s3://quotes/market", access: Self.access(server), configuration: configuration)
      let gone = Shared(0)
      let result = try await place.push(store) { count in gone.withLock { $0 += count } }
      #expect(gone.value == result.byteCount)
      #expect(try await place.push(store).copiedFileCount == 0)
      // As after a push that was killed before its manifest.
      bucket.remove("/quotes/market/MANIFEST")
      #expect(try await place.push(store).copiedFileCount == 0)
    }
  }

  @Test func a_refusal_says_what_the_bucket_says() async throws {
    let store = try makeStore()
    let server = ScriptedServer { request, _ in
      .status(
        request.method == "GET" ? 403 : 500,
        "<?xml version=\"1.0\"?><Error><Code>InvalidAccessKeyId</Code><Message>No such key.</Message></Error>")
    }
    try await server.run { server in
      let place = try StoreUpload(to: "s3://quotes/market", access: Self.access(server))
      let error = try await clientError { try await place.push(store) }
      #expect(error.code == "InvalidAccessKeyId" && error.message == "No such key." && error.status == 403)
      #expect(error.description.hasSuffix("is there a valid key in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY?"))
    }
    let moved = ScriptedServer { _, _ in .status(301, "<Error><Code>PermanentRedirect</Code></Error>") }
    try await moved.run { server in
      let place = try StoreUpload(to: "s3://quotes/market", access: Self.access(server))
      let error = try await clientError { try await place.push(store) }
      #expect(error.kind == .redirect && error.message == "the bucket is in another region; name it in AWS_REGION")
    }
    #expect(throws: QuandlClientError.self) { try StoreUpload(to: "https://files.example/market") }
    #expect(throws: QuandlClientError.self) { try StoreDownload(of: "s3://quotes/market", apiKey: "a-token") }
  }

  @Test func the_command_pushes_to_a_bucket_and_a_directory() async throws {
    let store = try makeStore()
    let bucket = ScriptedBucket()
    let (folder, whole) = (folder, try store.csv())
    try await bucket.server().run { server in
      let variables = [
        "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_ENDPOINT_URL": "http://127.0.0.1:\(server.port)",
      ]
      func quoin(_ arguments: String...) throws -> ProgramRun {
        try ProgramRun(ProgramRun.built("quoin"), arguments, environment: variables)
      }
      for (place, copy) in [("s3://quotes/market", "a"), (folder.path + "/b", "c")] {
        let first = try quoin("push", place, "--store", store.path)
        #expect(first.status == 0 && first.err.isEmpty, "\(first)")
        #expect(first.out.hasPrefix("Pushed '\(store.path)' to '\(place)': 2 new files of "), "\(first)")
        let second = try quoin("push", place, "--store", store.path)
        #expect(second.status == 0 && second.out.contains(": 0 new files of 0 bytes, 2 files of "), "\(second)")
        let pulled = try quoin("pull", place, "--into", folder.path + "/" + copy)
        #expect(pulled.status == 0 && pulled.err.isEmpty, "\(pulled)")
        #expect(try folder.store(copy).csv() == whole)
      }
      let nothing = try quoin("pull", "s3://quotes/nothing", "--into", folder.path + "/n")
      #expect(
        nothing.status == 2
          && nothing.err
            == "quoin: there is no store at 's3://quotes/nothing/'; the bucket has no MANIFEST there ('quoin push' makes one)\n",
        "\(nothing)")
      let web = try quoin("push", "https://files.example/market", "--store", store.path)
      #expect(web.status == 64 && web.err.contains("'https://files.example/market' takes no store"), "\(web)")
      let wrong = try quoin("push", "s3://Q/market", "--store", store.path)
      #expect(wrong.status == 64 && wrong.err.contains("names no place in a bucket"), "\(wrong)")
      let other = try quoin("push", "s3://quotes/market", "--store", folder.path + "/b")
      #expect(other.status == 0, "\(other)")
    }
  }
}

/// Files by their paths, with the conditions of S3.
private final class ScriptedBucket: Sendable {
  private struct State {
    var files: [String: (bytes: [UInt8], checksum: String?)] = [:]
    var wrongHashes = 0
    var conditions: Set<String> = []
  }

  private let state = Shared(State())

  var wrongHashes: Int { state.value.wrongHashes }
  var conditions: Set<String> { state.value.conditions }

  func remove(_ path: String) { state.withLock { _ = $0.files.removeValue(forKey: path) } }

  /// - Parameter breaks: whether a request's connection ends before the answer.
  func server(breaks: @escaping @Sendable (_ index: Int) -> Bool = { _ in false }) -> ScriptedServer {
    let state = state
    return ScriptedServer { request, index in
      let reply = state.withLock { Self.answer(request, &$0) }
      return breaks(index) ? .close : reply
    }
  }

  private static func answer(_ request: ScriptedRequest, _ state: inout State) -> Reply {
    let found = state.files[request.path]
    func tag(_ bytes: [UInt8]) -> String { "\"\(SHA256.digest(bytes).hexadecimal.prefix(16))\"" }
    if request.header("x-amz-content-sha256") != SHA256.digest(request.bytes).hexadecimal { state.wrongHashes += 1 }
    switch request.method {
    case "PUT":
      for name in ["if-match", "if-none-match"] where request.header(name) != nil { state.conditions.insert(name) }
      if request.header("if-none-match") != nil, found != nil { return .status(412) }
      if let wanted = request.header("if-match"), found.map({ tag($0.bytes) }) != wanted { return .status(412) }
      state.files[request.path] = (request.bytes, request.header("x-amz-meta-quoin-checksum"))
      return .status(200)
    case "DELETE":
      state.files[request.path] = nil
      return .status(204)
    default:
      guard let found else {
        // An answer to HEAD has no body.
        return .status(404, request.method == "HEAD" ? "" : "<Error><Code>NoSuchKey</Code></Error>")
      }
      let headers = ["etag: \(tag(found.bytes))"] + (found.checksum.map { ["x-amz-meta-quoin-checksum: \($0)"] } ?? [])
      if request.method == "HEAD" {
        let lines = ["HTTP/1.1 200 OK", "content-length: \(found.bytes.count)"] + headers
        return Reply(steps: [.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))])
      }
      return .bytes(200, found.bytes, headers: headers)
    }
  }
}
