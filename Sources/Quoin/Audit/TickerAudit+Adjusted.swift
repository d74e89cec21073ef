// Adjusted values, by the vendor's recursion:
//
//   factor[i-1] = factor[i] * close[i] / (close[i] + dividend[i]) / ratio[i]       adjusted price  = price * factor
//   shares[i-1] = shares[i] * ratio[i]                                             adjusted volume = volume * shares
//
// or by CRSP's, in which a dividend takes 1 - dividend[i] / close[i-1]. Without a dividend or split both say that
//
//   adjusted[i-1] * price[i] = adjusted[i] * price[i-1]
//
// which nearly every row meets (`continuesPlainly`). Other rows are looked at more closely.

/// An unadjusted value with its adjusted one.
struct AdjustedPair {
  let value: Double
  let adjusted: Double

  /// How far two adjusted values may differ from what they should be, in parts of themselves.
  private static let tolerance = 1e-6

  /// Whether the factor from unadjusted to adjusted is `step` times that of `later`. The adjusted values count as rounded to
  /// their last decimal.
  func agrees(with later: AdjustedPair, step: Double = 1) -> Bool {
    let (a, b) = (adjusted * later.value, later.adjusted * value * step)
    let difference = (a - b).magnitude
    // So that a product that overflows contradicts nothing.
    return !(difference > Self.tolerance * b.magnitude) || !(difference > roundingError(later, step))
  }

  /// Whether both pairs are known and have the same factor, or the other one isn't known.
  @inline(__always)
  func plainlyAgrees(with other: AdjustedPair) -> Bool {
    let (a, b) = (adjusted * other.value, other.adjusted * value)
    return value > 0 && other.value > 0 && (a - b).magnitude <= Self.tolerance * b && b < .infinity || !other.isKnown
  }

  private func roundingError(_ later: AdjustedPair, _ step: Double) -> Double {
    let halfUnit = min(adjusted.halfUnit, later.adjusted.halfUnit)
    return halfUnit * (later.value + value * step)
  }

  /// What the later adjusted value would have to be.
  func expected(at later: Double, step: Double) -> Double {
    SignificantDigits(digits: 10).rounded(adjusted / value * later / step)
  }

  /// Whether both are finite numbers, the unadjusted one above 0 and the adjusted one not below it.
  var isKnown: Bool { value > 0 && value < .infinity && adjusted >= 0 && adjusted < .infinity }
}

extension Double {
  /// Half a unit of the number's last decimal; 0 if it has 15 or more.
  fileprivate var halfUnit: Double {
    var scale = 1.0
    while scale < 1e15 {
      if (self * scale).rounded() / scale == self { return 0.5 / scale }
      scale *= 10
    }
    return 0
  }
}

/// Follows the factor from unadjusted to adjusted through a ticker's rows.
struct FactorTrail {
  /// A row, and how its factor has to differ from that of the present row, by either recursion.
  struct Mark {
    let pair: AdjustedPair
    var steps = (1.0, 1.0)

    func agrees(with later: AdjustedPair) -> Bool {
      pair.agrees(with: later, step: steps.0) || (steps.0 != steps.1 && pair.agrees(with: later, step: steps.1))
    }
  }

  /// The last row that didn't contradict the rows before it.
  private var trusted: Mark?
  /// The row before the present one, if it contradicted them. If the present row agrees with it, the factor has changed for good.
  private var disputed: Mark?

  init() {}

  /// At a row that is trusted; at none if the pair isn't known.
  init(trusting pair: AdjustedPair) { trusted = pair.isKnown ? Mark(pair: pair) : nil }

  var isEmpty: Bool { trusted == nil }

  /// Goes on to the next row, whose dividend and split change the factor by either of these.
  mutating func step(_ vendor: Double, _ crsp: Double) {
    func stepped(_ mark: Mark?) -> Mark? {
      mark.map { Mark(pair: $0.pair, steps: ($0.steps.0 * vendor, $0.steps.1 * crsp)) }
    }
    (trusted, disputed) = (stepped(trusted), stepped(disputed))
  }

  /// Forgets the rows before: how the factor has changed since isn't known.
  mutating func forget() { self = FactorTrail() }

  /// Goes on to a row. Returns the value that it contradicts; nil if it doesn't.
  mutating func follow(_ pair: AdjustedPair) -> Double? {
    guard let trusted, !trusted.agrees(with: pair), !(disputed?.agrees(with: pair) ?? false) else {
      self = FactorTrail(trusting: pair)
      return nil
    }
    disputed = Mark(pair: pair)
    return trusted.pair.expected(at: pair.value, step: trusted.steps.0)
  }
}

extension TickerAudit {
  mutating func checkAdjusted() {
    var trails = (price: FactorTrail(), volume: FactorTrail())
    var closeBefore = Double.missing
    // Whether all trails have come to the row before.
    var isSettled = false
    for row in rows {
      if isSettled {
        if continuesPlainly(row) { continue }
        trails = (FactorTrail(trusting: close(row - 1)), FactorTrail(trusting: volume(row - 1)))
        closeBefore = columns.close[row - 1]
      }
      step(row, closeBefore, &trails.price, &trails.volume)
      isSettled = false
      if isDoubtful(row) { continue }
      let (close, volume) = (close(row), volume(row))
      var wrong = isPlain(row) ? [] : contradictions(knownPrices(row))
      let isTrusted = wrong.isEmpty && close.isKnown
      if isTrusted, let expected = trails.price.follow(close) {
        wrong += [Value(.adjustedClose, close.adjusted), Value("expected_adj_close", expected, like: .close)]
      }
      if volume.isKnown, let expected = trails.volume.follow(volume) {
        wrong += [Value(.adjustedVolume, volume.adjusted), Value("expected_adj_volume", expected, like: .volume)]
      }
      if !wrong.isEmpty { noteAdjusted(row, wrong) }
      isSettled = wrong.isEmpty && isTrusted && (volume.isKnown || trails.volume.isEmpty)
      if close.value > 0 { closeBefore = close.value }
    }
  }

  @inline(__always)
  private func close(_ row: Int) -> AdjustedPair {
    AdjustedPair(value: columns.close[row], adjusted: columns.adjustedClose[row])
  }

  @inline(__always)
  private func volume(_ row: Int) -> AdjustedPair {
    AdjustedPair(value: columns.volume[row], adjusted: columns.adjustedVolume[row])
  }

  /// Whether unadjusted values look so wrong that nothing follows from the adjusted ones.
  private func isDoubtful(_ row: Int) -> Bool {
    !columns.isRangeSound(row) || columns.hasZeroPrice(row) || (row > rows.lowerBound && columns.repeatsRowBefore(row))
  }

  /// Whether a row has no dividend and no split, and the same factors in all its cells as the row before.
  @inline(__always)
  private func continuesPlainly(_ row: Int) -> Bool {
    let (before, volume, volumeBefore) = (close(row - 1), volume(row), volume(row - 1))
    return columns.exDividend[row] == 0 && columns.splitRatio[row] == 1 && isPlain(row)
      && before.plainlyAgrees(with: close(row)) && close(row).isKnown
      && (volume.isKnown ? volume.plainlyAgrees(with: volumeBefore) : !volumeBefore.isKnown)
  }

  /// Whether open, high and low have the same factor as the close, or aren't known.
  @inline(__always)
  private func isPlain(_ row: Int) -> Bool {
    let close = close(row)
    return close.plainlyAgrees(with: AdjustedPair(value: columns.open[row], adjusted: columns.adjustedOpen[row]))
      && close.plainlyAgrees(with: AdjustedPair(value: columns.high[row], adjusted: columns.adjustedHigh[row]))
      && close.plainlyAgrees(with: AdjustedPair(value: columns.low[row], adjusted: columns.adjustedLow[row]))
  }

  private mutating func noteAdjusted(_ row: Int, _ expected: [Value]) {
    var causes: [Value] = []
    if columns.dividend(row) != 0 { causes.append(Value(.exDividend, columns.dividend(row))) }
    if columns.ratio(row) != 1 { causes.append(Value(.splitRatio, columns.ratio(row))) }
    note(.adjusted, columns.days[row], expected + causes)
  }

  /// Takes a row's dividend and split into account; if one of them is missing, what was before can't be compared.
  private func step(_ row: Int, _ closeBefore: Double, _ prices: inout FactorTrail, _ volumes: inout FactorTrail) {
    let (dividend, ratio) = (columns.dividend(row), columns.ratio(row))
    if columns.exDividend[row] == 0, columns.splitRatio[row] == 1 { return }
    guard !columns.splitRatio[row].isMissing else {
      volumes.forget()
      return prices.forget()
    }
    if ratio != 1 { volumes.step(ratio, ratio) }
    let close = columns.close[row]
    guard !columns.exDividend[row].isMissing, dividend == 0 || close > 0 else { return prices.forget() }
    let vendor = dividend > 0 ? close / (close + dividend) : 1
    let crsp = dividend > 0 && dividend < closeBefore ? 1 - dividend / closeBefore : vendor
    prices.step(vendor / ratio, crsp / ratio)
  }

  /// A row's prices that are known, unadjusted and adjusted.
  private func knownPrices(_ row: Int) -> [(name: Attribute, pair: AdjustedPair)] {
    [
      (.adjustedOpen, AdjustedPair(value: columns.open[row], adjusted: columns.adjustedOpen[row])),
      (.adjustedHigh, AdjustedPair(value: columns.high[row], adjusted: columns.adjustedHigh[row])),
      (.adjustedLow, AdjustedPair(value: columns.low[row], adjusted: columns.adjustedLow[row])),
      (.adjustedClose, AdjustedPair(value: columns.close[row], adjusted: columns.adjustedClose[row])),
    ].filter { $0.pair.isKnown }
  }

  /// The prices that aren't the multiple that most of the row's prices are; if there is no majority, the close says what it is.
  private func contradictions(_ prices: [(name: Attribute, pair: AdjustedPair)]) -> [Value] {
    func support(_ pair: AdjustedPair) -> Int { prices.count { $0.pair.agrees(with: pair) } }
    guard let model = prices.reversed().max(by: { support($0.pair) < support($1.pair) })?.pair else { return [] }
    return prices.filter { !$0.pair.agrees(with: model) }.flatMap { name, pair -> [Value] in
      [
        Value(name, pair.adjusted),
        Value("expected_\(name.wikiName)", model.expected(at: pair.value, step: 1), like: name),
      ]
    }
  }
}
