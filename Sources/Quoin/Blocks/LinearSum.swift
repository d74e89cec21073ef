import CKernels

/// What a column counts in a sum of columns.
struct LinearWeight: Sendable {
  /// What a value is multiplied by.
  var weight: Double
  /// What it counts at most in the numbers that the sum stands for: the weights of all places where it stands, without their signs.
  var size: Double
  /// How many rows before it is read.
  var shift: Int
  /// Whether rows in which it isn't above 0 have to be in doubt.
  var isDivisor = false
}

/// The rows of a block in which a sum of columns is above 0, below 0, or can't be told to be one of them.
struct LinearOutcome {
  fileprivate(set) var above = RowMask.none
  fileprivate(set) var below = RowMask.none
  /// The rows without a value.
  fileprivate(set) var missing = RowMask.none
  /// Some rows in doubt, whatever the others are.
  fileprivate(set) var inDoubt = RowMask.none
  /// Whether the rest is equal to 0; else it is in doubt too.
  fileprivate(set) var isExact = false
}

/// A sum of columns, each times its weight, that is compared with 0 block by block: in float32, on the offsets that are stored.
///
/// The first rows of a block, in which a term with a shift has rows of an earlier block, are its head: whole words of a mask, in which
/// such terms are float32s. There is room for a few blocks at a time, so that one term of all of them can be set and then the next.
// Sound: the terms are owned, and what they point to is used only while the blocks are those that were set last.
@safe
final class LinearSum {
  let weights: [LinearWeight]
  private let constant: (value: Double, size: Double)
  /// Whether it is one value less another, which can be compared exactly.
  private let isDifference: Bool
  /// The terms of each block.
  private let terms: UnsafeMutablePointer<quoin_linear_term>
  private let forms: UnsafeMutablePointer<LinearForm>
  /// By block and term, room for a payload that is unpacked, for a head, and for the values before the block.
  private let unpacked: [ColumnMemory<UInt32>]
  private let heads: [ColumnMemory<Float>]
  private let befores: [ColumnMemory<Double>]
  /// The rows of a head.
  private let headCount: Int
  /// The most rows before a block that a term reads.
  let shiftMax: Int

  /// The blocks that there is room for.
  static let blockCount = 8
  static let termCountMax = Int(QUOIN_LINEAR_TERMS)
  static let largestShift = 256

  /// What float32 operations are off at most, in parts of the sum of magnitudes: a rounding for each, with room for those of the bound.
  private static let narrowRounding = Double(Float.ulpOfOne) / 2 * 1.01
  /// The same of some dozen float64 operations, with plenty of room.
  static let wideRounding = 0x1p-36

  /// - Precondition: at most `termCountMax` weights, with shifts up to `largestShift`.
  init(_ weights: [LinearWeight], constant: Double, size: Double, isDifference: Bool) {
    precondition(weights.count == 2 || !isDifference)
    precondition(
      weights.count <= Self.termCountMax && weights.allSatisfy { (0...Self.largestShift).contains($0.shift) })
    (self.weights, self.constant, self.isDifference) = (weights, (constant, size), isDifference)
    shiftMax = weights.reduce(0) { max($0, $1.shift) }
    headCount = (shiftMax + 63) / 64 * 64
    let (rooms, headCount) = (0..<(Self.blockCount * weights.count), headCount)
    unpacked = rooms.map { _ in ColumnMemory(repeating: 0, count: Limits.rowsPerBlock) }
    heads = rooms.map { _ in ColumnMemory(repeating: 0, count: max(8, headCount)) }
    befores = rooms.map { ColumnMemory(repeating: 0, count: max(8, weights[$0 % weights.count].shift)) }
    unsafe terms = .allocate(capacity: max(1, rooms.count))
    unsafe forms = .allocate(capacity: max(1, rooms.count))
    unsafe forms.initialize(repeating: LinearForm(constant: 0), count: rooms.count)
    for room in rooms {
      let weight = weights[room % weights.count]
      var term = unsafe quoin_linear_term()
      unsafe (term.shift, term.is_divisor) = (Int32(weight.shift), weight.isDivisor ? 1 : 0)
      unsafe (term.weight, term.size) = (weight.weight, weight.size)
      unsafe term.head = UnsafePointer(heads[room].base)
      unsafe (terms + room).initialize(to: term)
    }
    precondition(MemoryLayout<LinearOutcome>.offset(of: \.inDoubt) == 3 * MemoryLayout<RowMask>.size)
  }

  deinit {
    unsafe terms.deallocate()
    unsafe forms.deallocate()
  }

  private func room(_ place: Int, _ index: Int) -> Int {
    precondition(place < Self.blockCount && index < weights.count, "term \(index) of block \(place)")
    return place * weights.count + index
  }

  /// Where the values go that a term has before a block.
  func before(_ place: Int, _ index: Int) -> ColumnMemory<Double> { befores[room(place, index)] }

  /// Sets a term of the block at a place.
  ///
  /// - Parameter hasBefore: whether the values before the block are there, as many as the term's shift.
  /// - Returns: whether it has a form that can be added up.
  @inline(__always)
  func set(
    _ place: Int, _ index: Int, _ block: EncodedBlock, areIntegers: Bool, hasBefore: Bool, _ scratch: BlockScratch
  ) throws(Damage) -> Bool {
    let room = room(place, index)
    guard let form = try block.linearForm(areIntegers: areIntegers, scratch, unpacked: unpacked[room]) else {
      return false
    }
    let term = unsafe terms + room
    if unsafe term.pointee.is_divisor != 0, form.base <= 0 { return false }
    unsafe forms[room] = form
    unsafe term.pointee.payload = form.payload?.assumingMemoryBound(to: UInt8.self)
    unsafe term.pointee.width = Int32(form.width)
    unsafe term.pointee.rows = Int32(block.rowCount)
    unsafe term.pointee.patch_count = Int32(block.header.patchCount)
    unsafe term.pointee.patches = block.patchBytes.assumingMemoryBound(to: UInt8.self)
    unsafe term.pointee.are_integers = areIntegers ? 1 : 0
    unsafe term.pointee.base = form.base
    unsafe term.pointee.step = form.step
    unsafe term.pointee.power = form.power
    unsafe term.pointee.before = hasBefore ? UnsafePointer(befores[room].base) : nil
    return true
  }

  /// Compares the sum with 0 in the rows of the block at a place, whose terms were all set.
  ///
  /// - Returns: nil if its error can't be bounded.
  func compared(_ place: Int, count: Int) -> LinearOutcome? {
    precondition(count <= Limits.rowsPerBlock)
    var outcome = LinearOutcome()
    let exactUnit = exactUnit(place)
    outcome.isExact = exactUnit != nil
    var (start, size, wideSize) = (constant.value, 0.0, constant.size)
    for index in weights.indices {
      let (room, weight) = (room(place, index), weights[index])
      let form = unsafe forms[room]
      // Over the power of ten, integers stay integers.
      let scale = exactUnit.map { weight.weight * ($0 / form.power) } ?? weight.weight / form.power
      unsafe terms[room].factor = Float(scale * form.step)
      start += scale * form.base
      var (most, magnitude) = ((scale * form.step * form.largestOffset).magnitude, form.magnitude)
      if weight.shift > 0 {
        let head = setHead(room, weight, origin: scale * form.base, unit: exactUnit ?? 1, count, &outcome)
        (most, magnitude) = (max(most, head.part), max(magnitude, head.value))
      }
      size += most
      wideSize += weight.size * magnitude
    }
    guard wideSize < 0x1p90, size < 0x1p90 else { return nil }
    size += start.magnitude
    let rounding = Double(weights.count + 4) * Self.narrowRounding
    var sum = quoin_linear_sum()
    (sum.constant, sum.size, sum.start, sum.head_count) = (constant.value, constant.size, Float(start), headCount)
    if !outcome.isExact {
      sum.error = Float(size * rounding + wideSize * Self.wideRounding + 0x1p-120).nextUp
      sum.wide_error = Self.wideRounding
    }
    // Sound: a mask is sixteen words in memory, one for each 64 rows of a block, and the terms have these rows.
    unsafe withUnsafeMutableBytes(of: &outcome) { bytes in
      let masks = unsafe bytes.baseAddress!.assumingMemoryBound(to: UInt64.self)
      unsafe quoin_linear_compare(
        terms + place * weights.count, Int32(weights.count), &sum, count, masks, masks + 16, masks + 32, masks + 48)
    }
    return outcome
  }

  /// Sets what a term counts in the rows of a head.
  ///
  /// - Parameters:
  ///   - origin: what it counts where its offset is 0.
  ///   - unit: what a value is multiplied by beside the term's weight.
  /// - Returns: the largest magnitudes of what it counts in the rows before the block, and of its values there.
  private func setHead(
    _ room: Int, _ weight: LinearWeight, origin: Double, unit: Double, _ count: Int, _ outcome: inout LinearOutcome
  ) -> (part: Double, value: Double) {
    let (head, before, scale, term) = (heads[room], befores[room], weight.weight * unit, unsafe terms[room])
    var most = (part: 0.0, value: 0.0)
    if unsafe term.before != nil {
      for row in 0..<min(weight.shift, count) {
        let value = before[row]
        if value.isNaN {
          outcome.missing[row] = true
          continue
        }
        // Sums of integers are exact; what is none has to be looked at by itself.
        let isWhole = !outcome.isExact || (value * unit).magnitude <= 0x1p22 && (value * unit).rounded() / unit == value
        if !isWhole || weight.isDivisor && value <= 0x1p-200 {
          outcome.inDoubt[row] = true
          continue
        }
        let part = (outcome.isExact ? weight.weight * (value * unit).rounded() : scale * value) - origin
        most = (max(most.part, part.magnitude), max(most.value, value.magnitude))
        head[row] = Float(part)
      }
    } else {
      for row in 0..<min(weight.shift, count) { outcome.missing[row] = true }
    }
    let rest = min(headCount, count) - weight.shift
    if rest > 0 {
      // Sound: the payload has the block's rows, and the memory room for a head.
      unsafe quoin_linear_offsets(
        term.payload, term.width, term.rows, rest, term.factor, head.base + weight.shift)
    }
    return most
  }

  /// The power of ten over which the sum is one of integers that float32s hold; nil if there is none.
  private func exactUnit(_ place: Int) -> Double? {
    guard isDifference else { return nil }
    let (x, y) = unsafe (forms[room(place, 0)], forms[room(place, 1)])
    guard let a = x.exponent, let b = y.exponent else { return nil }
    let unit = powersOfTen[max(a, b)]
    func fits(_ form: LinearForm) -> Bool {
      (form.base.magnitude + form.largestOffset * form.step) * (unit / form.power) <= 0x1p22
    }
    return fits(x) && fits(y) ? unit : nil
  }
}

extension EncodedBlock {
  /// Writes the last `count` values as float64s to the first rows of a column.
  ///
  /// - Returns: false if one is a whole number that may be no float64.
  func writeLast(
    _ count: Int, to column: ColumnMemory<Double>, areIntegers: Bool, _ scratch: BlockScratch
  ) throws(Damage) -> Bool {
    let first = rowCount - count
    let mask = RowMask(rows: first..<rowCount)
    var rows = ColumnBuffer<UInt16>()
    rows.append(rowsOf: mask, count: count)
    return try RowLists.with(rows, ColumnBuffer([mask])) { lists throws(Damage) in
      let list = lists.list(0..<count, mask: 0)
      guard areIntegers else {
        try write(list, to: column, rows: 0..<count, scratch, source: nil)
        return true
      }
      let numbers = ColumnMemory<Int64>(capacity: count, count: count)
      try write(list, to: numbers, rows: 0..<count, scratch, source: nil)
      for row in 0..<count {
        let number = numbers[row]
        guard number.isMissing || number.magnitude < 1 << 53 else { return false }
        column[row] = number.isMissing ? .missing : Double(number)
      }
      return true
    }
  }
}
