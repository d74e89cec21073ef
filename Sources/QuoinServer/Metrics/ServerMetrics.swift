import CoreMetrics
import QuandlService

/// What the server counts.
final class ServerMetrics: Sendable {
  private let backend: PrometheusMetrics
  private let inFlight: Meter
  private let generation: Gauge
  private let rows: Gauge
  private let tickers: Gauge
  private let refreshes: Counter
  /// Requests that were none, and had no answer but 400.
  let malformed: Counter
  /// Rows that scans have answered.
  let scannedRows: Counter

  init(_ backend: PrometheusMetrics) {
    self.backend = backend
    inFlight = Meter(label: "quoin_http_requests_in_flight", factory: backend)
    generation = Gauge(label: "quoin_store_generation", factory: backend)
    rows = Gauge(label: "quoin_store_rows", factory: backend)
    tickers = Gauge(label: "quoin_store_tickers", factory: backend)
    refreshes = Counter(label: "quoin_store_opened_total", factory: backend)
    malformed = Counter(label: "quoin_http_malformed_total", factory: backend)
    scannedRows = Counter(label: "quoin_scan_rows_total", factory: backend)
  }

  func begin() { inFlight.increment() }

  func end(method: String, route: String, status: Int, byteCount: Int, _ time: Duration) {
    inFlight.decrement()
    let dimensions = [("method", method), ("route", route), ("status", "\(status)")]
    Counter(label: "quoin_http_requests_total", dimensions: dimensions, factory: backend).increment()
    let byRoute = [("route", route)]
    Counter(label: "quoin_http_response_bytes_total", dimensions: byRoute, factory: backend).increment(by: byteCount)
    Timer(label: "quoin_http_request_duration_seconds", dimensions: byRoute, factory: backend)
      .recordNanoseconds(Int64(time / .nanoseconds(1)))
  }

  /// A generation of the store is shown for the first time.
  func show(_ view: StoreView) {
    let summary = view.store.summary
    generation.record(summary.generation)
    rows.record(summary.rowCount)
    tickers.record(summary.tickerCount)
    refreshes.increment()
  }

  var answer: ServiceAnswer {
    ServiceAnswer(
      headers: [("content-type", MediaType.metrics), ("cache-control", "no-store")],
      body: AnswerBody(Array(backend.text.utf8)))
  }
}
