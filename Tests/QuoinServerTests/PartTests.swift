import CoreMetrics
import Foundation
import Logging
import QuandlService
import Quoin
import Testing

@testable import QuoinServer

extension Logger {
  static var silent: Logger { Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() } }
}

/// The parts that need no connection.
struct PartTests {
  @Test func an_authority_is_a_host_and_perhaps_a_port() {
    #expect(Authority("LocalHost:80") == Authority(name: "localhost", port: 80))
    #expect(Authority("[::1]:8977") == Authority(name: "[::1]", port: 8977))
    #expect(Authority("a-b.example") == Authority(name: "a-b.example", port: nil))
    for text in [
      "", ":80", "a:", "a:b", "a:65536", "a:-1", "a:1:2", "a/b", "a b", "a@b", "[]", "[::1", "::1", "[::1]80", "ä",
      "a\u{0}",
    ] { #expect(Authority(text) == nil, "\(text)") }
  }

  @Test func a_target_is_decoded_once() {
    let target = RequestTarget("/a%2fb%2525?x%5B%5D=1+2&x[]=%C3%A9&y&z=&=v&q=a=b&%zz=%4")
    #expect(target.path.text == "/a/b%25" && target.isPath)
    #expect(target.query.map(\.name) == ["x[]", "x[]", "y", "z", "", "q", "%zz"])
    #expect(target.query.map(\.value) == ["1 2", "é", "", "", "v", "a=b", "%4"])
    #expect(RequestTarget("/?").query.isEmpty)
    #expect(!RequestTarget("*").isPath && !RequestTarget("").isPath)
  }

  @Test func a_logged_target_is_short_and_on_one_line() throws {
    #expect(
      RequestTarget("/a?api_key=x&b=\u{1b}[31m\n\"&token=y&auth_token&Password=z").logged(without: nil)
        == "/a?api_key=REDACTED&b=%1B[31m%0A%22&token=REDACTED&auth_token=REDACTED&Password=REDACTED")
    #expect(RequestTarget("/" + String(repeating: "a", count: 5000)).logged(without: nil).utf8.count < 1100)
    // The token under a wrong name.
    let target = RequestTarget("/a?foo=abcdefghijklmno%70&bar=abcdefghijklmno")
    let token = try AccessToken("abcdefghijklmnop")
    #expect(target.logged(without: token) == "/a?foo=REDACTED&bar=abcdefghijklmno")
  }

  @Test func a_token_is_one_long_word() throws {
    let token = try AccessToken(" abcdefghijklmnop\n")
    #expect(token.matches("abcdefghijklmnop"))
    for text in ["", "abcdefghijklmno", "abcdefghijklmnopa", "Abcdefghijklmnop", "abcdefghijklmnopabcdefghijklmnop"] {
      #expect(!token.matches(text))
    }
    for text in ["", "short", "abcdefgh ijklmnopqr", "abcdefghijklmnopé"] {
      #expect(throws: ServerError.self) { try AccessToken(text) }
    }
  }

  @Test func metrics_come_out_as_prometheus_reads_them() throws {
    let backend = PrometheusMetrics()
    for _ in 0..<3 {
      Counter(label: "a.b-c", dimensions: [("k", "x\"\\\n")], factory: backend).increment(by: 2)
    }
    Gauge(label: "g", factory: backend).record(2.5)
    let meter = Meter(label: "m", factory: backend)
    meter.increment(by: 3.0)
    meter.decrement()
    let timer = CoreMetrics.Timer(label: "t", dimensions: [("r", "1")], factory: backend)
    timer.recordMilliseconds(2)
    timer.recordSeconds(60)
    Recorder(label: "r", factory: backend).record(100)
    Gauge(label: "a_b_c", factory: backend).record(1)
    let lines = backend.text.split(separator: "\n").map(String.init)
    for line in [
      "# TYPE a_b_c counter", #"a_b_c{k="x\"\\\n"} 6"#, "# TYPE a_b_c_gauge gauge", "a_b_c_gauge 1", "g 2.5", "m 2",
      "# TYPE t histogram", #"t_bucket{r="1",le="0.001"} 0"#, #"t_bucket{r="1",le="0.0025"} 1"#,
      #"t_bucket{r="1",le="10"} 1"#, #"t_bucket{r="1",le="+Inf"} 2"#, #"t_sum{r="1"} 60.002"#, #"t_count{r="1"} 2"#,
      #"r_bucket{le="100"} 1"#, #"r_bucket{le="10"} 0"#,
    ] { #expect(lines.contains(line), "\(line)") }
  }

  @Test func what_the_server_did_is_in_its_metrics() throws {
    let server = try ServerProcess(TestFolder())
    _ = try server.get("/api/v1/scan?limit=7")
    _ = try server.get("/api/v1/scan?limit=none")
    _ = try server.get("/nothing")
    _ = try server.get("/bad path")
    let answer = try server.get("/metrics")
    #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    for line in [
      #"quoin_http_requests_total{method="GET",route="/api/v1/scan",status="200"} 1"#,
      #"quoin_http_requests_total{method="GET",route="/api/v1/scan",status="422"} 1"#,
      #"quoin_http_requests_total{method="GET",route="other",status="404"} 1"#,
      #"quoin_http_request_duration_seconds_count{route="/api/v1/scan"} 2"#,
      "quoin_http_requests_in_flight 1", "quoin_scan_rows_total 7", "quoin_store_rows 4224", "quoin_store_tickers 7",
      "quoin_store_opened_total 1", "quoin_http_malformed_total 1",
      #"quoin_build_info{version="\#(Release.version)"} 1"#,
    ] { #expect(answer.text.contains("\n" + line + "\n"), "\(line)") }
    // promtool wants a sentence for each name.
    let lines = answer.text.split(separator: "\n")
    for line in lines where line.hasPrefix("# TYPE") {
      #expect(lines.contains { $0.hasPrefix("# HELP \(line.split(separator: " ")[2]) ") }, "\(line)")
    }
    #if os(Linux)
      func value(_ name: String) -> Double {
        lines.first { $0.hasPrefix(name + " ") }.flatMap { Double($0.split(separator: " ")[1]) } ?? -1
      }
      #expect(abs(value("process_resident_memory_bytes") - Double(server.residentByteCount)) < 32e6)
      #expect(abs(value("process_start_time_seconds") - Date().timeIntervalSince1970) < 600)
      #expect(value("process_open_fds") > 5 && value("process_cpu_seconds_total") >= 0)
    #endif
  }

  @Test func places_for_long_answers_come_back() {
    let slots = StreamSlots(2)
    let first = slots.take()
    var second = slots.take()
    #expect(first != nil && second != nil && slots.take() == nil)
    first?.free()
    first?.free()
    let third = slots.take()
    #expect(third != nil && slots.take() == nil)
    second = nil
    #expect(second == nil && slots.take() != nil)
    withExtendedLifetime(third) {}
  }

  @Test func an_old_store_is_asked_once_more_each_time() throws {
    let folder = try TestFolder()
    let store = ServedStore(folder.store) { _ in }
    let first = try store.view()
    #expect(try store.view().store === first.store)
  }
}
