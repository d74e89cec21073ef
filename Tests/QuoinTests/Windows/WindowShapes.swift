@testable import Quoin
@testable import QuoteGenerator

/// Columns as they come in histories of quotes, and worse ones.
enum WindowShape: CaseIterable {
  case prices, pricesWithGaps, sparse, volumes, spikes, flat, steps, returns, wide, tiny, huge, infinite, zeros, missing

  func column(_ count: Int, _ dice: inout SeededRandom) -> [Double] {
    (0..<count).map { row in value(row, &dice) }
  }

  private func value(_ row: Int, _ dice: inout SeededRandom) -> Double {
    let price = Double(7000 + dice.below(3000)) / 100
    return switch self {
    case .prices: price
    case .pricesWithGaps: dice.chance(0.1) ? .nan : price
    case .sparse: dice.chance(0.8) ? .nan : price
    case .volumes: Double(dice.below(1 << 30))
    case .spikes: dice.chance(0.03) ? 1e9 : price
    case .flat: 80.98
    case .steps: Double(row / 17 % 3) * 0.1 + 0.3
    case .returns: dice.unit() * 0.1 - 0.05
    // Values of more bits than two numbers have; half of them are few, so sums are ties or nearly so.
    case .wide: dice.element(of: [1, 3, (1.0).nextUp, 1e-14 * price, 1e-20, -1e-20, 0x1p-52, 0x1p-110])
    // The smallest numbers, of more bits than the sums' units have, and denormal ones.
    case .tiny: dice.unit() * dice.element(of: [1e-300, 1e-9, 1, .leastNonzeroMagnitude * 9])
    case .huge: dice.chance(0.7) ? price : dice.chance(0.5) ? 1.7e308 : -1.7e308
    case .infinite: dice.chance(0.9) ? price : dice.chance(0.3) ? -.infinity : .infinity
    case .zeros: dice.chance(0.5) ? 0 : -0.0
    case .missing: .nan
    }
  }
}
