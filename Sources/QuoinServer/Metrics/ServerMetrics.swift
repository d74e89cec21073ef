import CoreMetrics
import QuandlService
import Quoin
import Synchronization

/// The metrics of the server.
final class ServerMetrics: Sendable {
  /// Requests that are counted together.
  private struct Kind: Hashable {
    let method: String
    let route: String
    let status: Int
  }

  /// The metrics of a kind of requests.
  private struct RequestMetrics {
    let requests: Counter
    let bytes: Counter
    let duration: Timer
  }

  private let backend: PrometheusMetrics
  /// Kept here, because looking them up by their labels takes a twentieth of a short answer's time.
  private let requests = Mutex<[Kind: RequestMetrics]>([:])
  private let inFlight: Meter
  private let generation: Gauge
  private let rows: Gauge
  private let tickers: Gauge
  private let refreshes: Counter
  /// Input that was no HTTP request, and was answered with 400.
  let malformed: Counter
  /// The rows that scans have sent.
  let scannedRows: Counter
  /// Questions whose work ended because their clients had left.
  let canceled: Counter
  /// Questions whose work ended because it took too long.
  let overBudget: Counter
  private let running: Meter
  private let waiting: Meter
  private let heldBytes: Meter
  private let spoolBytes: Meter

  private static let descriptions = [
    "quoin_build_info": "The version of the program, as a label of the value 1",
    "quoin_http_malformed_total": "Inputs that were no HTTP request",
    "quoin_http_request_duration_seconds": "Time from a request to the end of its answer",
    "quoin_http_requests_in_flight": "Requests that are being answered",
    "quoin_http_requests_total": "Requests that were answered",
    "quoin_http_response_bytes_total": "Bytes of the answers' bodies that were sent",
    "quoin_question_memory_bytes": "Memory of answers that are being made, by estimate",
    "quoin_questions_canceled_total": "Questions whose clients left before their answers were made",
    "quoin_questions_over_budget_total": "Questions that took longer than they may",
    "quoin_questions_running": "Threads that make answers",
    "quoin_questions_waiting": "Questions that wait for a thread or for memory",
    "quoin_scan_rows_total": "Rows that scans have written",
    "quoin_spool_bytes": "Bytes of long answers in files",
    "quoin_store_generation": "Number of the commit that is shown",
    "quoin_store_opened_total": "Commits that were shown",
    "quoin_store_rows": "Rows of the store",
    "quoin_store_tickers": "Tickers of the store",
  ]

  init(_ backend: PrometheusMetrics) {
    self.backend = backend
    for (label, description) in Self.descriptions { backend.describe(label, as: description) }
    Gauge(label: "quoin_build_info", dimensions: [("version", Release.version)], factory: backend).record(1)
    inFlight = Meter(label: "quoin_http_requests_in_flight", factory: backend)
    generation = Gauge(label: "quoin_store_generation", factory: backend)
    rows = Gauge(label: "quoin_store_rows", factory: backend)
    tickers = Gauge(label: "quoin_store_tickers", factory: backend)
    refreshes = Counter(label: "quoin_store_opened_total", factory: backend)
    malformed = Counter(label: "quoin_http_malformed_total", factory: backend)
    scannedRows = Counter(label: "quoin_scan_rows_total", factory: backend)
    canceled = Counter(label: "quoin_questions_canceled_total", factory: backend)
    overBudget = Counter(label: "quoin_questions_over_budget_total", factory: backend)
    running = Meter(label: "quoin_questions_running", factory: backend)
    waiting = Meter(label: "quoin_questions_waiting", factory: backend)
    heldBytes = Meter(label: "quoin_question_memory_bytes", factory: backend)
    spoolBytes = Meter(label: "quoin_spool_bytes", factory: backend)
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

  /// Notes a snapshot of the store that is shown for the first time.
  func show(_ view: StoreView) {
    let summary = view.store.summary
    generation.record(summary.generation)
    rows.record(summary.rowCount)
    tickers.record(summary.tickerCount)
    refreshes.increment()
  }

  /// Notes what is going on.
  func show(_ figures: (running: Int, waiting: Int, byteCount: Int), spoolByteCount: Int) {
    running.set(figures.running)
    waiting.set(figures.waiting)
    heldBytes.set(figures.byteCount)
    spoolBytes.set(spoolByteCount)
  }

  var answer: ServiceAnswer {
    ServiceAnswer(
      .metrics, headers: [("cache-control", "no-store")],
      body: AnswerBody(Array((backend.text + ProcessFacts.text).utf8)))
  }
}
