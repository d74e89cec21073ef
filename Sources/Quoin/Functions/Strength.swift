/// Indicators that compare rises with falls.
enum Strength {
  /// 100 times Wilder's average of rises, in proportion to those of rises and falls.
  static func rsi(_ count: Int) -> Recurrent {
    Recurrent { inputs -> Beginning<Moves>? in
      let prices = inputs[0]
      guard count < prices.count else { return nil }
      let sums = (1...count).reduce(SIMD2<Double>()) { $0 + Moves.between(prices[$1 - 1], prices[$1]) }
      let moves = Moves(averages: sums / Double(count), before: prices[count], factor: 1 / Double(count))
      return Beginning(count, moves.share, moves)
    }
  }

  /// The averages of rises and falls.
  private struct Moves: Recurrence {
    var averages: SIMD2<Double>
    var before: Double
    let factor: Double

    @inline(__always)
    static func between(_ before: Double, _ price: Double) -> SIMD2<Double> {
      let change = price - before
      // Two choices instead of one branch, which a processor could not predict.
      return SIMD2(change > 0 ? change : 0, change > 0 ? 0 : -change)
    }

    @inline(__always)
    var share: Double { Strength.share(averages[0], averages[1]) }

    @inline(__always)
    mutating func next(_ price: Double, _: Double, _: Double) -> Double {
      averages += (Self.between(before, price) - averages) * factor
      before = price
      return share
    }
  }

  /// The same of the money that changed hands in the last `count` rows, from `high`, `low`, `close` and `volume`.
  static func mfi(_ inputs: [[Double]], _ count: Int) -> [Double] {
    let prices = Channels.typicalPrices(inputs)
    func flows(_ isMeant: (_ change: Double) -> Bool) -> [Double] {
      let flows = prices.indices.dropFirst().map { row in
        let (price, before) = (prices[row], prices[row - 1])
        // A smaller change comes from rounding, as TA-Lib has it: three prices may add up to the same in decimals.
        let hasMoved = abs(price - before) >= 1e-14 * (abs(price) + abs(before))
        return hasMoved && isMeant(price - before) ? price * inputs[3][row] : 0
      }
      return Array([.missing].prefix(prices.count)) + WindowFunction.sum.values(of: flows, rows: count)
    }
    return zip(flows { $0 > 0 }, flows { $0 < 0 }).map(share)
  }

  /// The volumes of all rows, those of rows with a fall taken off.
  static func obv(_ prices: [Double], _ volumes: [Double]) -> [Double] {
    var sum = 0.0
    return prices.indices.map { row in
      let (price, volume) = (prices[row], volumes[row])
      let before = row == 0 ? -.infinity : prices[row - 1]
      sum += price > before ? volume : price < before ? -volume : 0
      return sum
    }
  }

  @inline(__always)
  private static func share(_ rise: Double, _ fall: Double) -> Double {
    rise + fall == 0 ? 0 : 100 * (rise / (rise + fall))
  }
}
