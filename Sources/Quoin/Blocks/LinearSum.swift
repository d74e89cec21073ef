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

/// Which sums are wanted of those above, below, and equal to 0.
struct LinearSigns: OptionSet, Sendable {
  let rawValue: Int32

  static let above = LinearSigns(rawValue: 1)
  static let below = LinearSigns(rawValue: 2)
  static let equal = LinearSigns(rawValue: 4)
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
  /// What was decided last.
  private let rows: UnsafeMutablePointer<quoin_linear_rows>
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
  /// What is divided by more than this is finite.
  static let leastDivisor = 0x1p-200
  /// Up to this, whole numbers are float64s.
  private static let wholeMax = 0x1p53 - 1

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
    unsafe self.rows = .allocate(capacity: 1)
    unsafe self.rows.initialize(to: quoin_linear_rows())
    for room in rooms {
      let weight = weights[room % weights.count]
      var term = unsafe quoin_linear_term()
      unsafe (term.shift, term.is_divisor) = (Int32(weight.shift), weight.isDivisor ? 1 : 0)
      unsafe term.weight = weight.weight
      unsafe term.head = UnsafePointer(heads[room].base)
      unsafe (terms + room).initialize(to: term)
    }
  }

  deinit {
    unsafe terms.deallocate()
    unsafe forms.deallocate()
    unsafe rows.deallocate()
  }

  private func room(_ place: Int, _ index: Int) -> Int {
    precondition(place < Self.blockCount && index < weights.count, "term \(index) of block \(place)")
    return place * weights.count + index
  }

  /// Sets what a term has before the block at a place: the last rows of an earlier block, which has as many as its shift.
  ///
  /// - Returns: false if one may be a whole number that is no float64.
  func setBefore(
    _ place: Int, _ index: Int, _ block: EncodedBlock, areIntegers: Bool, _ scratch: BlockScratch
  ) throws(Damage) -> Bool {
    let (room, count) = (room(place, index), weights[index].shift)
    let before = befores[room]
    guard let form = try block.linearForm(areIntegers: areIntegers, scratch, unpacked: unpacked[room]) else {
      return try block.writeLast(count, to: before, areIntegers: areIntegers, scratch)
    }
    var term = unsafe quoin_linear_term()
    unsafe term.set(form, block, areIntegers: areIntegers)
    return unsafe writeLast(of: &term, count, to: before)
  }

  /// The same where the earlier block is the one at the place before, of which the term was set.
  func setBefore(_ place: Int, _ index: Int) -> Bool {
    unsafe writeLast(of: terms + room(place - 1, index), weights[index].shift, to: befores[room(place, index)])
  }

  private func writeLast(
    of term: UnsafePointer<quoin_linear_term>, _ count: Int, to before: ColumnMemory<Double>
  ) -> Bool {
    // Sound: the block has so many rows, and the memory room for them.
    precondition(unsafe count <= term.pointee.rows && count <= before.count, "\(count) rows before a block")
    return unsafe quoin_linear_last(term, Int32(count), before.base) != 0
  }

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
    // The base of a block of one value is that value, which may be so small that a quotient is infinite.
    if weights[index].isDivisor, form.base <= Self.leastDivisor { return false }
    unsafe forms[room] = form
    unsafe terms[room].set(form, block, areIntegers: areIntegers)
    unsafe terms[room].before = hasBefore ? UnsafePointer(befores[room].base) : nil
    return true
  }

  /// The rows of the block that was decided last whose sum is wanted.
  var held: RowMask { unsafe RowMask(rows.pointee.held) }
  /// Those that can't be told to have such a sum or not to have it.
  var inDoubt: RowMask { unsafe RowMask(rows.pointee.in_doubt) }

  /// Decides in which rows of the block at a place, whose terms were all set, the sum is one of those that are wanted.
  ///
  /// - Returns: whether there are rows in doubt; nil if the sum's error can't be bounded.
  func decide(_ place: Int, count: Int, _ signs: LinearSigns) -> Bool? {
    precondition(count <= Limits.rowsPerBlock)
    let exactUnit = exactUnit(place)
    unsafe rows.pointee.missing = RowMask.none.tuple
    unsafe rows.pointee.in_doubt = RowMask.none.tuple
    var (start, size, wideSize) = (constant.value, 0.0, constant.size)
    var hasPatches = false
    for index in weights.indices {
      let (room, weight) = (room(place, index), weights[index])
      let (form, term) = unsafe (forms[room], terms + room)
      // Over the power of ten, integers stay integers.
      let scale = exactUnit.map { weight.weight * ($0 / form.power) } ?? weight.weight / form.power
      unsafe term.pointee.factor = Float(scale * form.step)
      start += scale * form.base
      var (most, magnitude) = ((scale * form.step * form.largestOffset).magnitude, form.magnitude)
      if unsafe term.pointee.patch_count > 0 {
        hasPatches = true
        magnitude *= 2
        unsafe term.pointee.patch_max = min(magnitude, Self.wholeMax)
      }
      if weight.shift > 0 {
        let head = setHead(room, weight, origin: scale * form.base, exactUnit, count)
        (most, magnitude) = (max(most, head.part), max(magnitude, head.value))
      }
      size += most
      wideSize += weight.size * magnitude
    }
    guard wideSize < 0x1p90, size < 0x1p90 else { return nil }
    size += start.magnitude
    var sum = quoin_linear_sum()
    (sum.start, sum.head_count, sum.signs) = (Float(start), headCount, signs.rawValue)
    (sum.unit, sum.is_exact) = (exactUnit ?? 1, exactUnit == nil ? 0 : 1)
    var rounding = Double(weights.count + 4) * Self.narrowRounding
    if hasPatches {
      // What each term's patch may count, and its rounding.
      sum.part_max = size
      size *= Double(weights.count + 1)
      rounding *= 2
    }
    let error = Float(size * rounding + (exactUnit ?? 1) * wideSize * Self.wideRounding + 0x1p-120).nextUp
    (sum.error, sum.patched_error) = (exactUnit == nil ? error : 0, error)
    // Sound: the terms have these rows.
    return unsafe quoin_linear_decide(terms + place * weights.count, Int32(weights.count), &sum, count, rows) != 0
  }

  /// Sets what a term counts in the rows of a head.
  ///
  /// - Parameters:
  ///   - origin: what it counts where its offset is 0.
  ///   - exactUnit: what a value is multiplied by beside the term's weight, if the sum is one of integers.
  /// - Returns: the largest magnitudes of what it counts in the rows before the block, and of its values there.
  private func setHead(
    _ room: Int, _ weight: LinearWeight, origin: Double, _ exactUnit: Double?, _ count: Int
  ) -> (part: Double, value: Double) {
    let (unit, isExact) = (exactUnit ?? 1, exactUnit != nil)
    let (head, before, scale, term) = (heads[room], befores[room], weight.weight * unit, unsafe terms[room])
    var most = (part: 0.0, value: 0.0)
    var (missing, inDoubt) = (RowMask.none, RowMask.none)
    defer {
      unsafe rows.pointee.missing = (RowMask(rows.pointee.missing).union(missing)).tuple
      unsafe rows.pointee.in_doubt = (RowMask(rows.pointee.in_doubt).union(inDoubt)).tuple
    }
    if unsafe term.before != nil {
      for row in 0..<min(weight.shift, count) {
        let value = before[row]
        if value.isNaN {
          missing[row] = true
          continue
        }
        // Sums of integers are exact; what is none has to be looked at by itself.
        let isWhole = !isExact || (value * unit).magnitude <= 0x1p22 && (value * unit).rounded() / unit == value
        if !isWhole || weight.isDivisor && value <= Self.leastDivisor {
          inDoubt[row] = true
          continue
        }
        let part = (isExact ? weight.weight * (value * unit).rounded() : scale * value) - origin
        most = (max(most.part, part.magnitude), max(most.value, value.magnitude))
        head[row] = Float(part)
      }
    } else {
      for row in 0..<min(weight.shift, count) { missing[row] = true }
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

extension quoin_linear_term {
  /// Takes the values of a block.
  @inline(__always)
  fileprivate mutating func set(_ form: LinearForm, _ block: EncodedBlock, areIntegers: Bool) {
    unsafe payload = form.payload?.assumingMemoryBound(to: UInt8.self)
    unsafe (width, rows) = (Int32(form.width), Int32(block.rowCount))
    unsafe patch_count = Int32(block.header.patchCount)
    unsafe patches = block.patchBytes.assumingMemoryBound(to: UInt8.self)
    unsafe are_integers = areIntegers ? 1 : 0
    unsafe (base, step, power) = (form.base, form.step, form.power)
  }
}

extension RowMask {
  /// Sixteen words as C has them.
  fileprivate typealias Tuple = (
    UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
    UInt64, UInt64
  )

  // Sound: both are sixteen words.
  fileprivate init(_ words: Tuple) { self = unsafe unsafeBitCast(words, to: RowMask.self) }

  fileprivate var tuple: Tuple { unsafe unsafeBitCast(self, to: Tuple.self) }

  fileprivate func union(_ other: RowMask) -> RowMask { RowMask(words: words | other.words) }
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
