import CoreMetrics
import Synchronization

/// The values with one name and set of labels.
protocol MetricSeries: AnyObject, Sendable {
  /// Its lines in Prometheus's text format.
  func text(name: String, labels: String) -> String
}

extension MetricSeries {
  static func line(_ name: String, _ labels: String, _ value: String) -> String {
    labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
  }

  /// The number, without a decimal point if it is whole.
  static func number(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? "\(value)" }
}

/// A value that only grows.
final class CounterSeries: MetricSeries, CounterHandler {
  private let value = Atomic<Int64>(0)

  func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }

  func reset() { value.store(0, ordering: .relaxed) }

  func text(name: String, labels: String) -> String {
    Self.line(name, labels, "\(value.load(ordering: .relaxed))")
  }
}

/// A value that goes up and down.
final class GaugeSeries: MetricSeries, RecorderHandler, MeterHandler {
  private let value = Mutex(0.0)

  func record(_ value: Int64) { set(Double(value)) }
  func record(_ value: Double) { set(value) }
  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { self.value.withLock { $0 = value } }
  func increment(by amount: Double) { value.withLock { $0 += amount } }
  func decrement(by amount: Double) { value.withLock { $0 -= amount } }

  func text(name: String, labels: String) -> String { Self.line(name, labels, Self.number(value.withLock { $0 })) }
}

/// The distribution of values.
final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
  static let latencies = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
    300,
  ]
  static let powersOfTen = (0...9).map { (0..<$0).reduce(1.0) { power, _ in power * 10 } }

  private struct State {
    var counts: [Int]
    var sum = 0.0
    var count = 0
  }

  /// The largest value of each bucket, ascending.
  private let bounds: [Double]
  private let state: Mutex<State>

  init(bounds: [Double]) {
    self.bounds = bounds
    state = Mutex(State(counts: Array(repeating: 0, count: bounds.count)))
  }

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    let bucket = bounds.firstIndex { value <= $0 }
    state.withLock { state in
      if let bucket { state.counts[bucket] += 1 }
      state.sum += value
      state.count += 1
    }
  }

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

  func text(name: String, labels: String) -> String {
    let state = state.withLock { $0 }
    let prefix = labels.isEmpty ? "" : labels + ","
    var text = ""
    var total = 0
    for (bound, count) in zip(bounds, state.counts) {
      total += count
      text += Self.line(name + "_bucket", prefix + "le=\"\(Self.number(bound))\"", "\(total)")
    }
    return text + Self.line(name + "_bucket", prefix + "le=\"+Inf\"", "\(state.count)")
      + Self.line(name + "_sum", labels, Self.number(state.sum)) + Self.line(name + "_count", labels, "\(state.count)")
  }
}
