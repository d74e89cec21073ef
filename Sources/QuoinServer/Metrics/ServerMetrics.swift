import CoreMetrics
import QuandlService
import Synchronization

/// What the server counts.
final class ServerMetrics: Sendable {
  /// What is counted apart.
  private struct Kind: Hashable {
    let method: String
    let route: String
    let status: Int
  }

  /// What is told of each request of a kind.
  private struct RequestMetrics {
    let requests: Counter
    let bytes: Counter
    let duration: Timer
  }

  private let backend: PrometheusMetrics
  /// Kept, for looking them up by their labels takes a twentieth of a short answer's time.
  private let requests = Mutex<[Kind: RequestMetrics]>([:])
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
    let metrics = metrics(of: Kind(method: method, route: route, status: status))
    metrics.requests.increment()
    metrics.bytes.increment(by: byteCount)
    metrics.duration.recordNanoseconds(Int64(time / .nanoseconds(1)))
  }

  private func metrics(of kind: Kind) -> RequestMetrics {
    requests.withLock { known in
      if let metrics = known[kind] { return metrics }
      let byRoute = [("route", kind.route)]
      let dimensions = [("method", kind.method), ("route", kind.route), ("status", "\(kind.status)")]
      let metrics = RequestMetrics(
        requests: Counter(label: "quoin_http_requests_total", dimensions: dimensions, factory: backend),
        bytes: Counter(label: "quoin_http_response_bytes_total", dimensions: byRoute, factory: backend),
        duration: Timer(label: "quoin_http_request_duration_seconds", dimensions: byRoute, factory: backend))
      known[kind] = metrics
      return metrics
    }
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
