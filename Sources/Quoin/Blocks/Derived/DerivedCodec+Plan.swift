// Where the factors come from. The vendor's factors aren't in the data, but every row limits its factor: the unrounded product
// is within half a unit of the value's last digit, so the factor is within (value - half) / source ... (value + half) /
// source. The intervals of a stretch are intersected until the intersection is empty; there the next stretch begins. A single
// row that disagrees is a patch. The vendor rounded differently over the years (to 14 significant digits in 2018, to 12 in
// 2016), so the likely roundings are tried. Nothing is taken on trust: each row is computed as the decoder will compute it,
// and a row that differs is a patch.
//
// Sound throughout: rows are those of the block, and the source has as many values.

extension DerivedCodec {
  /// To how many digits vendors round, the likeliest first.
  static let roundings = [14, 12, 13, SignificantDigits.all, 10].map(SignificantDigits.init)

  /// The values as computed from the source; nil if the source explains too few of them.
  static func plan<Value>(_ input: BlockInput<Value>, unless knownByteCount: Int) -> BlockPlan<Value>? {
    guard let source = input.source, source.isDerivable,
      let values = unsafe input.values as? UnsafeBufferPointer<Double>
    else { return nil }
    precondition(source.rows.count == input.count && source.rows.upperBound <= source.values.count)
    switch source.values {
    case .doubles(let column):
      return unsafe column.withUnsafeBufferPointer { column in
        unsafe plan(DerivedInput(values: values, source: UnsafeBufferPointer(rebasing: column[source.rows])))
      }
    case .integers(let column):
      let room = unsafe input.scratch.decoding.source(Double.self, count: input.count)
      unsafe column.withUnsafeBufferPointer {
        unsafe Double.convert(UnsafeBufferPointer(rebasing: $0[source.rows]), into: room)
      }
      return unsafe plan(DerivedInput(values: values, source: UnsafeBufferPointer(room), isOfIntegers: true))
    }
  }

  private static func plan<Value>(_ input: DerivedInput) -> BlockPlan<Value>? {
    var best: BlockPlan<Value>?
    // More stretches would cost as much as they save.
    let stretchLimit = max(2, input.count / 16)
    for digits in input.roundings {
      guard let stretches = input.stretches(digits, limit: stretchLimit) else { continue }
      let plan: BlockPlan<Value> = plan(input, stretches, digits)
      if plan.byteCount < best?.byteCount ?? .max { best = plan }
      if plan.header.patchCount * 32 <= input.count { break }
    }
    return best
  }

  private static func plan<Value>(
    _ input: DerivedInput, _ stretches: [BlockListEntry], _ digits: SignificantDigits
  ) -> BlockPlan<Value> {
    var patches: [UInt16] = []
    for (index, stretch) in stretches.enumerated() {
      let end = index + 1 < stretches.count ? Int(stretches[index + 1].row) : input.count
      let factor = DerivedFactor(value: Double(bitPattern: stretch.bits), digits: digits)
      unsafe factor.appendPatches(of: Int(stretch.row)..<end, input.values, from: input.source, to: &patches)
    }
    var header = BlockHeader(encoding: .derived, rowCount: input.count)
    header.base = input.isOfIntegers ? 1 : 0
    header.step = UInt32(stretches.count)
    header.exponent = digits.digits
    header.patchCount = patches.count
    var plan = BlockPlan<Value>(header)
    (plan.list, plan.patchRows) = (stretches, patches)
    return plan
  }

  static func write<Value>(
    _ plan: BlockPlan<Value>, _ input: BlockInput<Value>, to payload: UnsafeMutableRawBufferPointer
  ) {}

  /// Whether the block says the same as the plan.
  ///
  /// The plan has computed every row from the source's values, which their own block is known to give back, and its patches
  /// are all the rows that differed. It did so with the decoder's function, or four rows at a time with the same operations
  /// in the same order, which have the same result by IEEE 754 (and a test checks). So the stretches, the rounding and the
  /// patches are what the bytes must give back; computing the rows again would prove nothing new.
  static func isFaithful<Value>(_ block: EncodedBlock, _ plan: BlockPlan<Value>, _ input: BlockInput<Value>) -> Bool {
    guard block.header == plan.header else { return false }
    let saysStretches = plan.list.indices.allSatisfy { index in
      let (row, bits) = block.listEntry(index, of: plan.list.count)
      return plan.list[index] == BlockListEntry(bits: bits, row: UInt16(row))
    }
    return saysStretches
      && plan.patchRows.indices.allSatisfy { index in
        let (row, bits) = block.patch(index)
        return unsafe row == plan.patchRows[index] && bits == input.values[row].bits
      }
  }
}

/// The values of a block and of the one that they may be computed from, row by row.
@safe
private struct DerivedInput {
  let values: UnsafeBufferPointer<Double>
  let source: UnsafeBufferPointer<Double>
  /// Whether the source is int64.
  var isOfIntegers = false

  var count: Int { unsafe values.count }

  /// The roundings that are worth trying, the likeliest first. Volumes are whole numbers, or have all their digits after
  /// a split such as 3 for 2.
  var roundings: [SignificantDigits] {
    guard isOfIntegers else { return DerivedCodec.roundings }
    let fractionCount = unsafe values.count { SignificantDigits.whole.rounded($0) != $0 && !$0.isNaN }
    if fractionCount == 0 { return [.whole] }
    return fractionCount * 32 <= count ? [.whole] + DerivedCodec.roundings : DerivedCodec.roundings
  }

  /// The stretches of rows, each explained by one factor; nil if there are more than `limit`.
  func stretches(_ digits: SignificantDigits, limit: Int) -> [BlockListEntry]? {
    var stretches: [BlockListEntry] = []
    var (firstRow, factors, decade) = (0, FactorInterval(), RoundingDecade.none)
    var (row, nextLook) = (0, 4)
    while row < count {
      if row >= nextLook {
        row += agreeing(from: row, factors, decade)
        // Where a search ended, the next few rows are no better.
        nextLook = row + 4
        guard row < count else { break }
      }
      let missing = missingRows(from: row)
      if missing.end > row {
        if missing.isStretch {
          if row > firstRow { stretches.append(factors.stretch(from: firstRow)) }
          stretches.append(BlockListEntry(bits: Double.missing.bits, row: UInt16(row)))
          if stretches.count >= limit { return nil }
          (firstRow, factors) = (missing.end, FactorInterval())
        }
        row = missing.end
        continue
      }
      if let product = product(row, digits, &decade), !factors.admit(product), !agrees(row + 1, digits, factors) {
        stretches.append(factors.stretch(from: firstRow))
        if stretches.count >= limit { return nil }
        (firstRow, factors) = (row, FactorInterval(of: product))
      }
      row += 1
    }
    return firstRow < count ? stretches + [factors.stretch(from: firstRow)] : stretches
  }

  /// The end of the rows from `first` on whose values are missing, and whether a stretch of their own is shorter than their patches:
  /// it takes the bytes of one, and so does the stretch behind it.
  private func missingRows(from first: Int) -> (end: Int, isStretch: Bool) {
    var (end, patchCount) = (first, 0)
    while end < count, unsafe values[end].isMissing {
      if unsafe !source[end].isMissing { patchCount += 1 }
      end += 1
    }
    return (end, patchCount > (end < count ? 2 : 1))
  }

  /// Whether one of the factors explains a row.
  private func agrees(_ row: Int, _ digits: SignificantDigits, _ factors: FactorInterval) -> Bool {
    var decade = RoundingDecade.none
    guard row < count, let product = product(row, digits, &decade) else { return false }
    return factors.explains(product)
  }

  /// What a row says of its factor; nil if it says nothing.
  ///
  /// - Parameter decade: that of the last value, because values of neighboring rows mostly lie together.
  @inline(__always)
  private func product(
    _ row: Int, _ digits: SignificantDigits, _ decade: inout RoundingDecade
  ) -> DerivedProduct? {
    let (value, source) = unsafe (values[row], source[row])
    guard source > 0, value > 0, value < .infinity else { return nil }
    if !decade.contains(value) { decade = digits.decade(of: value) }
    return DerivedProduct(source: source, low: value - decade.halfUnit, high: value + decade.halfUnit)
  }

  /// How many of the rows from `first` on say nothing new of the factors: both ends of their products lie beyond those of
  /// the interval's. The search is quick and may stop early.
  private func agreeing(from first: Int, _ factors: FactorInterval, _ decade: RoundingDecade) -> Int {
    var row = first
    while row &+ 4 <= count {
      let (value, size) = unsafe (values.four(row), source.four(row))
      let isInDecade = value .>= decade.low .& value .< decade.high
      let isWide =
        value - decade.halfUnit .<= size * factors.lower .& value + decade.halfUnit .>= size * factors.upper
      guard Double.isAll(isInDecade .& isWide .& size .> 0) else { break }
      row &+= 4
    }
    return row &- first
  }
}

/// What one row says of its factor: the source, and the smallest and largest unrounded product that give the value.
struct DerivedProduct {
  let source: Double
  let low: Double
  let high: Double
}

/// The factors that explain all rows of a stretch so far.
private struct FactorInterval {
  private(set) var lower = 0.0
  private(set) var upper = Double.infinity

  init() {}

  init(of product: DerivedProduct) { (lower, upper) = (product.low / product.source, product.high / product.source) }

  @inline(__always)
  func explains(_ product: DerivedProduct) -> Bool {
    product.low <= upper * product.source && product.high >= lower * product.source
  }

  /// Keeps the factors that explain one more row; if there are none, keeps all and returns false.
  @inline(__always)
  mutating func admit(_ product: DerivedProduct) -> Bool {
    // Most rows say nothing new, which multiplications can tell.
    guard explains(product) else { return false }
    if product.low > lower * product.source { lower = min(product.low / product.source, upper) }
    if product.high < upper * product.source { upper = max(product.high / product.source, lower) }
    return true
  }

  /// A stretch with one of the factors.
  func stretch(from row: Int) -> BlockListEntry { BlockListEntry(bits: factor.bitPattern, row: UInt16(row)) }

  /// A whole number if there is one, else a fraction of few bits, such as that of a split of 3 for 2, else the middle.
  private var factor: Double {
    if upper == .infinity { return 1 }
    let whole = lower.rounded(.up)
    if whole <= upper, whole >= 1 { return whole }
    for shift in 1...10 {
      let scale = Double(1 << shift)
      let fraction = ((lower * scale).rounded(.down) + 1) / scale
      // An end itself may lead to a tie that the vendor broke otherwise.
      if fraction < upper { return fraction }
    }
    return lower + (upper - lower) / 2
  }
}
