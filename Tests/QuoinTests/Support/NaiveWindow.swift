import Foundation

@testable import Quoin

/// One window of rows, computed from the definitions; it shares nothing with the library except the names of functions.
struct NaiveWindow {
  /// The cells of each input, the newest last.
  let cells: [[Double]]

  private var isPair: Bool { cells.count == 2 }
  private var wholeRows: [Int] { cells[0].indices.filter { row in cells.allSatisfy { !$0[row].isNaN } } }
  private func present(_ input: Int) -> [Double] { wholeRows.map { cells[input][$0] + 0 } }
  private var newestIsMissing: Bool { wholeRows.last != cells[0].count - 1 }

  /// What isn't finite is missing.
  func value(_ function: WindowFunction, _ share: Double) -> Double {
    let value = unbounded(function, share)
    return value.isFinite ? value : .nan
  }

  private func unbounded(_ function: WindowFunction, _ share: Double) -> Double {
    let x = present(0)
    let n = Double(x.count)
    if function == .count { return n }
    guard !x.isEmpty else { return .nan }
    switch function {
    case .count: return n
    case .sum: return NaiveSum.sum(x)
    case .mean: return NaiveSum.mean(x)
    case .min: return x.min() ?? .nan
    case .max: return x.max() ?? .nan
    case .first: return x[0]
    case .last: return x[x.count - 1]
    case .shortfall:
      let most = quantile(share)
      return NaiveSum.mean(x.filter { $0 <= most })
    case .argmax, .argmin:
      let extreme = function == .argmax ? x.max() : x.min()
      return Double(cells[0].count - 1 - (cells[0].firstIndex { $0 == extreme } ?? 0))
    case .product: return x.reduce(1, *) + 0
    case .median: return quantile(0.5)
    case .quantile: return quantile(share)
    case .rank:
      guard let newest = cells[0].last, !newestIsMissing else { return .nan }
      let (below, equal) = (x.count { $0 < newest }, x.count { $0 == newest })
      return (Double(below) + (Double(equal) + 1) / 2) / n
    case .mad: return NaiveSum.sum(deviations(0).map(\.magnitude)) / n
    case .populationVariance: return moment(2)
    case .populationStd: return moment(2).squareRoot()
    case .variance: return n < 2 ? .nan : moment(2) * n / (n - 1)
    case .std: return n < 2 ? .nan : (moment(2) * n / (n - 1)).squareRoot()
    case .skew:
      return n < 3 ? .nan : (n * (n - 1)).squareRoot() / (n - 2) * moment(3) / pow(moment(2), 1.5)
    case .kurt:
      guard n > 3 else { return .nan }
      return (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (moment(4) / moment(2) / moment(2) - 3) + 6)
    case .wmean:
      let weights = wholeRows.map { Double($0 + 1) }
      return NaiveSum.sum(zip(weights, x).map(*)) / NaiveSum.sum(weights)
    case .cov: return n < 2 ? .nan : products(0, 1) / (n - 1)
    case .corr: return products(0, 1) / (products(0, 0) * products(1, 1)).squareRoot()
    case .slope: return slope
    case .r2: return slope * products(0, 1) / products(0, 0)
    case .resid:
      return newestIsMissing ? .nan : (deviations(0).last ?? .nan) - slope * (deviations(1).last ?? .nan)
    default: preconditionFailure("the oracle has no \(function)")
    }
  }

  private func quantile(_ share: Double) -> Double { Self.quantile(share, of: present(0).sorted()) }

  /// The value below which a share of rising values lies.
  static func quantile(_ share: Double, of sorted: [Double]) -> Double {
    let place = share * Double(sorted.count - 1)
    let (lower, upper) = (sorted[Int(place.rounded(.down))], sorted[Int(place.rounded(.up))])
    let part = place - place.rounded(.down)
    if lower == upper { return lower }
    if lower.isInfinite || upper.isInfinite { return lower * (1 - part) + upper * part }
    if part == 0.5 { return (lower + upper).isInfinite ? lower / 2 + upper / 2 : (lower + upper) / 2 }
    return lower + part * (upper - lower)
  }

  /// The values of an input less their mean; the second one is the place in the window if there is one input.
  private func deviations(_ input: Int) -> [Double] {
    let values = input == 0 || isPair ? present(input) : wholeRows.map { Double($0) }
    let mean = NaiveSum.mean(values)
    let rest = NaiveSum.sum(values.map { $0 - mean }) / Double(values.count)
    return values.map { ($0 - mean) - rest }
  }

  private func moment(_ power: Int) -> Double {
    NaiveSum.sum(deviations(0).map { pow($0, Double(power)) }) / Double(wholeRows.count)
  }

  private func products(_ a: Int, _ b: Int) -> Double { NaiveSum.sum(zip(deviations(a), deviations(b)).map(*)) }
  private var slope: Double { products(0, 1) / products(1, 1) }
}
