import CKernels

/// A sum of columns, each times its weight, that is compared with 0 block by block: in float32, on the offsets that are stored.
///
/// The first rows of a block, in which a term with a shift has rows of an earlier block, are its head: whole words of a mask, in which
/// such terms are float32s. Means of windows are sums of the offsets as integers, which are added as float32s to all rows. There is room for a few blocks at a time, so that one term of all of them can be set and then the next.
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
  /// By block and term, where blocks of guarded files are copied to, and the blocks before them; none until one is.
  private var copies: [(block: BlockCopies, before: BlockCopies)] = []
  /// By block and term, room for a payload that is unpacked, for a head, and for the values before the block.
  private let unpacked: [ColumnMemory<UInt32>]
  private let heads: [ColumnMemory<Float>]
  private let befores: [ColumnMemory<Double>]
  /// By block and term, those that are windows.
  private let windows: [LinearWindow?]
  /// The rows of the block that is decided whose windows have patches.
  private let patchedRows: ColumnMemory<UInt64>
  /// What windows count in the rows of the block that is decided.
  private let added: ColumnMemory<Float>
  /// The terms that are no windows; these come after them.
  private let plainCount: Int
  /// What means have to be multiplied by to be integers, if their columns are; nil if that is a large number.
  private let multiple: Int?
  /// The rows of a head.
  private let headCount: Int
  /// The most rows before a block that a term reads.
  let shiftMax: Int

  /// The blocks that there is room for.
  static let blockCount = 8
  static let termCountMax = Int(QUOIN_LINEAR_TERMS)
  static let largestShift = 256
  /// Of the rows before a block that windows read.
  static let largestReach = Limits.rowsPerBlock - 1

  /// What float32 operations are off at most, in parts of the sum of magnitudes: a rounding for each, with room for those of the bound.
  private static let narrowRounding = Double(Float.ulpOfOne) / 2 * 1.01
  /// The same of some dozen float64 operations, with plenty of room.
  static let wideRounding = 0x1p-36
  /// What is divided by more than this is finite.
  static let leastDivisor = 0x1p-200
  /// Up to this, whole numbers are float64s.
  private static let wholeMax = 0x1p53 - 1

  /// - Precondition: at most `termCountMax` weights, with shifts up to `largestShift` and then windows with reaches up to
  ///   `largestReach`.
  init(_ weights: [LinearWeight], constant: Double, size: Double, isDifference: Bool) {
    precondition(weights.count == 2 || !isDifference)
    plainCount = weights.firstIndex(where: \.isWindow) ?? weights.count
    precondition(
      weights.count <= Self.termCountMax
        && weights[..<plainCount].allSatisfy { (0...Self.largestShift).contains($0.shift) }
        && weights[plainCount...].allSatisfy { $0.isWindow && (0...Self.largestReach).contains($0.reach) })
    (self.weights, self.constant, self.isDifference) = (weights, (constant, size), isDifference)
    multiple = LinearWindow.commonMultiple(of: weights)
    shiftMax = weights.reduce(0) { max($0, $1.reach) }
    headCount = (weights[..<plainCount].reduce(0) { max($0, $1.shift) } + 63) / 64 * 64
    let (rooms, headCount) = (0..<(Self.blockCount * weights.count), headCount)
    windows = rooms.map { LinearWindow(weights[$0 % weights.count]) }
    patchedRows = ColumnMemory(repeating: 0, count: Limits.rowsPerBlock / 64)
    added = ColumnMemory(repeating: 0, count: plainCount < weights.count ? Limits.rowsPerBlock : 8)
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
      unsafe (term.shift, term.is_divisor) = (Int32(weight.isWindow ? 0 : weight.shift), weight.isDivisor ? 1 : 0)
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

  /// Memory for the block at a place, or for the one before it, of a term: one that is read into it can be used while it is there.
  func copies(_ place: Int, _ index: Int, ofBefore: Bool = false) -> BlockCopies {
    if copies.isEmpty { copies = windows.map { _ in (BlockCopies(), BlockCopies()) } }
    let room = copies[room(place, index)]
    return ofBefore ? room.before : room.block
  }

  /// Sets what a term has before the block at a place: the last rows of an earlier block, which has as many as its shift.
  ///
  /// - Returns: false if one may be a whole number that is no float64.
  func setBefore(
    _ place: Int, _ index: Int, _ block: EncodedBlock, areIntegers: Bool, _ scratch: BlockScratch
  ) throws(Damage) -> Bool {
    let (room, count) = (room(place, index), weights[index].reach)
    let form = try block.linearForm(areIntegers: areIntegers, scratch, unpacked: unpacked[room])
    let before = befores[room]
    var term = unsafe quoin_linear_term()
    if let form { unsafe term.set(form, block, areIntegers: areIntegers) }
    if let window = windows[room] { return form.map { unsafe window.setBefore(&term, $0) } ?? false }
    guard form != nil else { return try block.writeLast(count, to: before, areIntegers: areIntegers, scratch) }
    return unsafe writeLast(of: &term, count, to: before)
  }

  /// The same where the earlier block is the one at the place before, of which the term was set.
  func setBefore(_ place: Int, _ index: Int) -> Bool {
    let (room, last) = (room(place, index), room(place - 1, index))
    if let window = windows[room] { return unsafe window.setBefore(terms + last, forms[last]) }
    return unsafe writeLast(of: terms + last, weights[index].shift, to: befores[room])
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
    if let window = windows[room] {
      if form.exponent == nil { return false }
      if !hasBefore { window.forgetBefore() }
    }
    // The base of a block of one value is that value, which may be so small that a quotient is infinite.
    if weights[index].isDivisor, form.base <= Self.leastDivisor { return false }
    unsafe forms[room] = form
    unsafe terms[room].set(form, block, areIntegers: areIntegers)
    unsafe terms[room].before = hasBefore ? UnsafePointer(befores[room].base) : nil
    return true
  }

  /// Sets a term of the block at a place to what another sum's term was set to, which reads the same rows of it.
  func set(_ place: Int, _ index: Int, as other: LinearSum, _ otherIndex: Int) {
    let (room, source, weight) = (room(place, index), other.room(place, otherIndex), weights[index])
    precondition(!weight.isWindow && !weight.isDivisor && weight.shift == other.weights[otherIndex].shift)
    var term = unsafe other.terms[source]
    unsafe (term.weight, term.head, term.is_divisor) = (weight.weight, UnsafePointer(heads[room].base), 0)
    if unsafe term.before != nil {
      befores[room].update(0..<weight.shift, from: other.befores[source], 0)
      unsafe term.before = UnsafePointer(befores[room].base)
    }
    unsafe terms[room] = term
    unsafe forms[room] = other.forms[source]
  }

  /// The rows of the block that was decided last whose sum is wanted.
  var held: RowMask { unsafe RowMask(rows.pointee.held) }
  /// Those that can't be told to have such a sum or not to have it.
  var inDoubt: RowMask { unsafe RowMask(rows.pointee.in_doubt) }
  /// Those in which a term has no value.
  var missing: RowMask { unsafe RowMask(rows.pointee.missing) }
  /// Those whose sum is exact, and 0.
  var zero: RowMask { unsafe RowMask(rows.pointee.zero) }

  /// Decides in which rows of the block at a place, whose terms were all set, the sum is one of those that are wanted.
  ///
  /// - Returns: whether there are rows in doubt; nil if the sum's error can't be bounded.
  func decide(_ place: Int, count: Int, _ signs: LinearSigns) -> Bool? {
    precondition(count <= Limits.rowsPerBlock)
    let unit = hasWindows ? windowUnit(place) : exactUnit(place)
    unsafe rows.pointee.missing = RowMask.none.tuple
    unsafe rows.pointee.in_doubt = RowMask.none.tuple
    var parts = LinearParts(unit: unit ?? 1, start: constant.value * (unit ?? 1), wideSize: constant.size)
    addPlain(place, &parts, isExact: unit != nil && !hasWindows, isScaled: unit != nil, count)
    guard addWindows(place, &parts, count), parts.wideSize < 0x1p90, parts.size < 0x1p90 else { return nil }
    let isExact = unit != nil && !hasWindows
    let areIntegers = unit != nil && hasWindows && headCount == 0 && parts.areIntegers(plainCount, weights.count)
    var sum = unsafe quoin_linear_sum()
    unsafe (sum.start, sum.head_count, sum.signs) = (Float(parts.start), headCount, signs.rawValue)
    unsafe (sum.unit, sum.is_exact) = (parts.unit, isExact ? 1 : 0)
    // Sound: the object has the memory as long as the sum.
    if hasWindows {
      unsafe (sum.added, sum.added_patches) = (UnsafePointer(added.base), UnsafePointer(patchedRows.base))
    }
    var rounding = parts.size * Double(3 * weights.count - 2 * plainCount + 4) * Self.narrowRounding
    // Rows whose windows have rounded patches are sums of integers too.
    if areIntegers { rounding = 0 }
    let wideError = parts.unit * parts.wideSize * Self.wideRounding
    let error = Float(rounding + parts.patchError + wideError + 0x1p-120).nextUp
    unsafe (sum.error, sum.patched_error) = (isExact || areIntegers ? 0 : error, error)
    // What windows count is in float32 in these rows too.
    let rowError = hasWindows ? Double(error) / parts.unit : parts.wideSize * Self.wideRounding
    unsafe (sum.constant, sum.row_error) = (constant.value + parts.windowStart / parts.unit, isExact ? 0 : rowError)
    // Sound: the terms have these rows.
    let hasDoubt = unsafe quoin_linear_decide(terms + place * weights.count, Int32(plainCount), &sum, count, rows) != 0
    if !hasDoubt || !areIntegers || parts.patchError == 0 { return hasDoubt }
    return decidePatched(place, parts, error: wideError, signs)
  }

  private var hasWindows: Bool { plainCount < weights.count }

  /// Adds what terms that are no windows count.
  ///
  /// - Parameters:
  ///   - isExact: whether the sum is one of integers, and of no windows.
  ///   - isScaled: whether it has a unit in which values are integers.
  @inline(__always)
  private func addPlain(_ place: Int, _ parts: inout LinearParts, isExact: Bool, isScaled: Bool, _ count: Int) {
    for index in 0..<plainCount {
      let (room, weight) = (room(place, index), weights[index])
      let (form, term) = unsafe (forms[room], terms + room)
      // Over the power of ten, integers stay integers.
      let scale = isScaled ? weight.weight * (parts.unit / form.power) : weight.weight / form.power
      unsafe term.pointee.factor = Float(scale * form.step)
      parts.start += scale * form.base
      var (most, magnitude) = ((scale * form.step * form.largestOffset).magnitude, form.magnitude)
      if unsafe term.pointee.patch_count > 0 {
        magnitude *= 2
        unsafe term.pointee.patch_max = min(magnitude, Self.wholeMax)
      }
      if weight.shift > 0 {
        let head = setHead(room, weight, origin: scale * form.base, parts.unit, isExact: isExact, count)
        (most, magnitude) = (max(most, head.part), max(magnitude, head.value))
      }
      parts.size += most
      parts.wideSize += weight.size * magnitude
    }
    parts.plainSize = parts.size
    if !hasWindows { parts.size += parts.start.magnitude }
  }

  /// Adds what windows count.
  ///
  /// - Returns: whether all windows can be added up as integers.
  private func addWindows(_ place: Int, _ parts: inout LinearParts, _ count: Int) -> Bool {
    if !hasWindows { return true }
    for word in 0..<patchedRows.count { patchedRows[word] = 0 }
    for index in plainCount..<weights.count {
      let room = room(place, index)
      guard let window = windows[room],
        // Sound: the term is the window's.
        let part = unsafe window.add(
          terms + room, forms[room], parts.unit, to: added, isFirst: index == plainCount, patchedRows, count)
      else { return false }
      if !window.hasBefore {
        let missing = RowMask(first: min(weights[index].missingRows, count))
        let short = RowMask(rows: min(weights[index].missingRows, count)..<min(weights[index].reach, count))
        unsafe rows.pointee.missing = RowMask(rows.pointee.missing).union(missing).tuple
        unsafe rows.pointee.in_doubt = RowMask(rows.pointee.in_doubt).union(short).tuple
        parts.shortRows.formUnion(short)
      }
      parts.start += part.origin
      parts.windowStart += part.origin
      parts.size += part.most
      parts.windowSize = max(parts.windowSize, part.most)
      parts.patchError += part.error
      parts.wideSize += weights[index].size * part.value
    }
    parts.size += parts.start.magnitude
    return true
  }

  /// Decides rows in doubt whose windows have rounded patches, in float64.
  ///
  /// - Returns: whether there are still rows in doubt.
  private func decidePatched(_ place: Int, _ parts: LinearParts, error: Double, _ signs: LinearSigns) -> Bool {
    var (held, rest, sums) = (held, inDoubt, inDoubt)
    // A window of fewer rows than it should have is no sum of these.
    sums.subtract(parts.shortRows)
    sums.forEachRow { row in
      // Sound: the terms have this row. Their factors, and what windows count, are integers.
      let integers = unsafe quoin_linear_row(terms + place * weights.count, Int32(plainCount), row) + Double(added[row])
      let rounded = (plainCount..<weights.count).reduce(0.0) { sum, index in
        sum + (windows[room(place, index)]?.roundedAway(in: row, parts.unit) ?? 0)
      }
      let sum = parts.start + integers + rounded
      guard sum.magnitude > error else { return }
      rest[row] = false
      if signs.contains(sum > 0 ? .above : .below) { held[row] = true }
    }
    unsafe rows.pointee.held = held.tuple
    unsafe rows.pointee.in_doubt = rest.tuple
    return !rest.isEmpty
  }

  /// Writes the values of a term that is no window in some rows of the block at a place, as they are decoded, from `start` on.
  func writeValues(
    of index: Int, in rows: RowMask, ofBlockAt place: Int, to values: ColumnMemory<Double>, from start: Int
  ) {
    precondition(!weights[index].isWindow && start + rows.count <= values.count, "rows of term \(index) from \(start)")
    let term = unsafe terms + room(place, index)
    // Sound: the memory has room for the rows, which are those of the term's block.
    unsafe rows.withWords { unsafe quoin_linear_values(term, $0, values.base + start) }
  }

  /// The sum or the mean of a window's values in a row of the block at a place, which was decided, as the language defines it.
  func value(ofWindow index: Int, isMean: Bool, in row: Int, ofBlockAt place: Int) -> Double {
    guard let window = windows[room(place, index)] else { preconditionFailure("term \(index) is no window") }
    return window.value(isMean: isMean, in: row)
  }

  /// Sets what a term counts in the rows of a head.
  ///
  /// - Parameters:
  ///   - origin: what it counts where its offset is 0.
  ///   - unit: what a value is multiplied by beside the term's weight.
  ///   - isExact: whether the sum is one of integers.
  /// - Returns: the largest magnitudes of what it counts in the rows before the block, and of its values there.
  private func setHead(
    _ room: Int, _ weight: LinearWeight, origin: Double, _ unit: Double, isExact: Bool, _ count: Int
  ) -> (part: Double, value: Double) {
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

  /// What values and means of a difference have to be multiplied by to be integers, with room to add them up as float64s; nil if that is
  /// unknown. Where such integers differ, so do the float64s that they stand for, by far more than these are rounded.
  private func windowUnit(_ place: Int) -> Double? {
    guard isDifference, let multiple else { return nil }
    var exponent = 0
    for index in weights.indices {
      let room = room(place, index)
      guard let own = unsafe forms[room].exponent else { return nil }
      exponent = max(exponent, own, windows[room]?.exponentBefore ?? 0)
    }
    let unit = powersOfTen[exponent] * Double(multiple)
    let fits = weights.indices.allSatisfy { unsafe forms[room(place, $0)].magnitude * unit < 0x1p44 }
    return fits ? unit : nil
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
    unsafe largest = UInt32(form.largestOffset)
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
}
