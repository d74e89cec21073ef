import CKernels

/// A term of a linear sum that is the mean of a window, in one block: its rows, and as many before as its windows reach, as integers.
// Sound: the memory is owned, and what a term points to is used only while the block is the one that was set last.
@safe
final class LinearWindow {
  private let weight: LinearWeight
  /// The integers, after one that is 0: those before the block, and the block's.
  private let numbers: ColumnMemory<Int32>
  /// What the block before is.
  private var before: (form: LinearForm, term: quoin_linear_term)?
  /// Where among the integers patches are, and their values.
  private let patchPlaces: ColumnMemory<Int32>
  private let patchValues: ColumnMemory<Double>
  private var patchCount = 0
  /// An integer stands for the value (base + integer) / power.
  private var power = 1.0
  private var base = 0.0

  /// - Returns: nil for a term that is no window.
  init?(_ weight: LinearWeight) {
    guard weight.isWindow else { return nil }
    self.weight = weight
    numbers = ColumnMemory(repeating: 0, count: 1 + weight.reach + Limits.rowsPerBlock + 16)
    patchPlaces = ColumnMemory(repeating: 0, count: Int(QUOIN_LINEAR_PATCHES))
    patchValues = ColumnMemory(repeating: 0, count: Int(QUOIN_LINEAR_PATCHES))
  }

  /// The least common multiple of the windows' rows; nil if it is too large for sums of so many integers to be exact.
  static func commonMultiple(of weights: [LinearWeight]) -> Int? {
    var multiple = 1
    for weight in weights {
      var (a, b) = (multiple, weight.rows)
      while b > 0 { (a, b) = (b, a % b) }
      multiple = multiple / a * weight.rows
      if multiple > 4096 { return nil }
    }
    return multiple
  }

  var hasBefore: Bool { unsafe before != nil }
  var exponentBefore: Int? { unsafe before?.form.exponent }

  func forgetBefore() { unsafe before = nil }

  /// Sets what is before the block: the last rows of an earlier block, which has as many as are read.
  ///
  /// - Returns: whether they are integers.
  func setBefore(_ term: UnsafePointer<quoin_linear_term>, _ form: LinearForm) -> Bool {
    // Sound: the block has so many rows, and the memory room for them.
    precondition(unsafe weight.reach <= term.pointee.rows, "\(weight.reach) rows before a block")
    if form.exponent == nil || weight.isDivisor && form.base <= 0 { return false }
    unsafe quoin_linear_tail(
      term.pointee.payload, term.pointee.width, term.pointee.rows, Int32(weight.reach), numbers.base + 1)
    var term = unsafe term.pointee
    unsafe term.is_divisor = weight.isDivisor ? 1 : 0
    unsafe before = (form, term)
    return true
  }

  /// What a window counts in a sum.
  struct Part {
    /// Where all offsets are 0.
    let origin: Double
    /// At most besides.
    let most: Double
    /// The largest magnitude of a value.
    let value: Double
    /// How far it may be off, because patches are rounded.
    let error: Double
  }

  /// Adds what it counts in the rows of a block.
  ///
  /// - Parameters:
  ///   - term: the block.
  ///   - unit: what a value is multiplied by beside the weight.
  ///   - isFirst: whether nothing was added yet.
  ///   - patched: gets the rows that may be off, as bits.
  /// - Returns: nil if its integers are too large, or a value is missing.
  func add(
    _ term: UnsafePointer<quoin_linear_term>, _ form: LinearForm, _ unit: Double, to added: ColumnMemory<Float>,
    isFirst: Bool, _ patched: ColumnMemory<UInt64>, _ count: Int
  ) -> Part? {
    guard let exponent = form.exponent else { preconditionFailure("a window of what are no integers") }
    power = powersOfTen[max(exponent, exponentBefore ?? 0)]
    base = form.base * (power / form.power)
    var window = unsafe quoin_linear_window()
    var (most, value) = (form.largestOffset * form.step * (power / form.power), form.magnitude)
    if let (form, _) = unsafe before {
      let factor = power / form.power
      let delta = form.base * factor - base
      most = max(most, delta.magnitude, (delta + form.largestOffset * form.step * factor).magnitude)
      value = max(value, form.magnitude)
      if most * Double(weight.rows) >= 0x1p31 { return nil }
      // A step isn't used where all offsets are 0.
      unsafe window.before_step = Int32(form.largestOffset == 0 ? 0 : form.step * factor)
      unsafe window.before_delta = Int32(delta)
    }
    if most * Double(weight.rows) >= 0x1p31 { return nil }
    let scale = weight.weight * (unit / power / Double(weight.rows))
    unsafe (window.term, window.step) = (
      term, Int32(form.largestOffset == 0 ? 0 : form.step * (power / form.power))
    )
    unsafe (window.reach, window.count, window.adds) = (Int32(weight.reach), Int32(weight.rows), isFirst ? 0 : 1)
    unsafe (window.power, window.base, window.factor) = (power, base, scale)
    unsafe (window.patch_places, window.patch_values) = (patchPlaces.base, patchValues.base)
    unsafe (window.patch_max, window.patched) = ((0x1p31 - 1) / Double(weight.rows), patched.base)
    guard unsafe addRows(&window, to: added, count) else { return nil }
    patchCount = unsafe Int(window.patch_count)
    most = unsafe max(most, window.patch_most)
    for place in 0..<patchCount { value = max(value, patchValues[place].magnitude) }
    return unsafe Part(
      origin: weight.weight * (unit / form.power) * form.base, most: most * Double(weight.rows) * scale.magnitude,
      value: value, error: window.patch_error * scale.magnitude)
  }

  private func addRows(
    _ window: UnsafeMutablePointer<quoin_linear_window>, to added: ColumnMemory<Float>, _ count: Int
  ) -> Bool {
    precondition(unsafe count <= window.pointee.term.pointee.rows && count <= Limits.rowsPerBlock)
    // Sound: the payload has the block's rows, and the memory room for the window's.
    guard var (_, term) = unsafe before else {
      return unsafe quoin_linear_add_windows(window, count, numbers.base, added.base) != 0
    }
    return unsafe withUnsafePointer(to: &term) { term in
      unsafe window.pointee.before = term
      return unsafe quoin_linear_add_windows(window, count, numbers.base, added.base) != 0
    }
  }

  /// What patches count in a row beyond their rounded numbers, of the block that was added last.
  func roundedAway(in row: Int, _ unit: Double) -> Double {
    var sum = 0.0
    for patch in 0..<patchCount where (row + 1...row + weight.rows).contains(Int(patchPlaces[patch])) {
      sum += patchValues[patch] * power - base - Double(numbers[Int(patchPlaces[patch])])
    }
    return sum * weight.weight * (unit / power / Double(weight.rows))
  }

  /// The sum or the mean of the values in a row, of the block that was added last, as the language defines it.
  func value(isMean: Bool, in row: Int) -> Double {
    var sum = ExactSum()
    var patch = 0
    let first = hasBefore ? row + 1 : max(row, weight.reach) + 1
    for place in first...(row + weight.rows) {
      while patch < patchCount, patchPlaces[patch] < place { patch += 1 }
      let isPatch = patch < patchCount && patchPlaces[patch] == place
      sum.add(isPatch ? patchValues[patch] : (base + Double(numbers[place])) / power)
    }
    return isMean ? sum.mean(of: row + weight.rows + 1 - first) : sum.value
  }
}
