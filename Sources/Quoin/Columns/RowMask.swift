/// Which rows of one block survive: bit 1 = the row survives. A scan starts with all bits set and only clears bits.
struct RowMask: Equatable, Sendable, BitwiseCopyable {
  /// Bit `row % 64` of word `row / 64`.
  var words: SIMD16<UInt64>

  static let none = RowMask(words: .zero)

  init(words: SIMD16<UInt64>) { self.words = words }

  /// The first `count` rows.
  init(first count: Int) {
    precondition(count >= 0 && count <= Limits.rowsPerBlock, "\(count) rows in a mask")
    if count == Limits.rowsPerBlock {
      words = SIMD16(repeating: ~0)
      return
    }
    words = .zero
    // In memory: to set one element of the vector loads and stores all of it.
    unsafe withUnsafeMutableBytes(of: &words) { bytes in
      // Sound: a vector of 16 words is 16 words in memory, and there are no more rows than bits.
      let words = unsafe bytes.baseAddress!.assumingMemoryBound(to: UInt64.self)
      for word in 0..<(count / 64) { unsafe words[word] = ~0 }
      if count % 64 > 0 { unsafe words[count / 64] = (1 << UInt64(count % 64)) - 1 }
    }
  }

  /// The rows `range`.
  init(rows range: Range<Int>) {
    self = RowMask(first: range.upperBound)
    subtract(RowMask(first: range.lowerBound))
  }

  var isEmpty: Bool { words == .zero }

  /// The number of surviving rows. The bits of all words are added up in pairs, fours and bytes at once, because the
  /// baseline of x86-64 has no instruction that counts them.
  var count: Int {
    var sums = words &- ((words &>> 1) & 0x5555_5555_5555_5555)
    sums = (sums & 0x3333_3333_3333_3333) &+ ((sums &>> 2) & 0x3333_3333_3333_3333)
    sums = (sums &+ (sums &>> 4)) & 0x0F0F_0F0F_0F0F_0F0F
    // Each byte of the 16 words is at most 8, so their sum is at most 128; four 16-bit sums are at most 1,024.
    let bytes = sums.wrappedSum()
    let pairs = (bytes & 0x00FF_00FF_00FF_00FF) &+ ((bytes &>> 8) & 0x00FF_00FF_00FF_00FF)
    return Int((pairs &* 0x0001_0001_0001_0001) &>> 48)
  }

  /// Whether any row of `range` survives.
  func hasRows(in range: Range<Int>) -> Bool {
    var word = range.lowerBound >> 6
    let last = (range.upperBound - 1) >> 6
    var bits = words[word] & ~0 << UInt64(range.lowerBound & 63)
    while word < last {
      if bits != 0 { return true }
      word += 1
      bits = words[word]
    }
    return bits << UInt64(63 - (range.upperBound - 1) & 63) != 0
  }

  subscript(row: Int) -> Bool {
    get { words[row >> 6] & 1 << UInt64(row & 63) != 0 }
    set {
      precondition(row >= 0 && row < Limits.rowsPerBlock, "row \(row) of a mask")
      // Changing an element of the vector would load and store all of it, so one word is changed in memory.
      unsafe withUnsafeMutableBytes(of: &words) { bytes in
        // Sound: the precondition keeps the word among the sixteen of the mask.
        let word = unsafe bytes.baseAddress!.assumingMemoryBound(to: UInt64.self) + (row >> 6)
        let bit: UInt64 = 1 << UInt64(row & 63)
        unsafe word.pointee = word.pointee & ~bit | (newValue ? bit : 0)
      }
    }
  }

  /// Sets so many rows, each to whether it survives.
  @inline(__always)
  mutating func set(_ count: Int, _ row: (Int) -> (row: Int, survives: Bool)) {
    unsafe withUnsafeMutableBytes(of: &words) { bytes in
      // Sound: the precondition keeps the word among the sixteen of the mask.
      let words = unsafe bytes.baseAddress!.assumingMemoryBound(to: UInt64.self)
      for index in 0..<count {
        let (row, survives) = row(index)
        precondition(row >= 0 && row < Limits.rowsPerBlock, "row \(row) of a mask")
        let bit: UInt64 = 1 << UInt64(row & 63)
        unsafe words[row >> 6] = words[row >> 6] & ~bit | (survives ? bit : 0)
      }
    }
  }

  /// The most rows of a span.
  static let spanMax = 64

  /// The last 64 of the first `count` rows; the last one is the highest bit.
  func last(of count: Int) -> UInt64 {
    let (word, bit) = ((count - 1) >> 6, UInt64((count - 1) & 63))
    let high = words[word] << (63 - bit)
    return word == 0 || bit == 63 ? high : high | words[word - 1] >> (bit + 1)
  }

  /// The rows up to which `span` rows all survive, or one of them does.
  ///
  /// - Parameter before: the 64 rows before the first one.
  func spanned(_ span: Int, areAll: Bool, before: UInt64) -> RowMask {
    var (rows, before, count) = (self, before, 1)
    // Of each row and the one before; then of two and two; of four and four.
    while count < span {
      let step = UInt64(min(count, span - count))
      var (shifted, carried) = (rows, before)
      for word in 0..<16 {
        shifted.words[word] = rows.words[word] << step | carried >> (64 - step)
        carried = rows.words[word]
      }
      if areAll {
        rows.formIntersection(shifted)
        before &= before << step
      } else {
        rows.formUnion(shifted)
        before |= before << step
      }
      count += Int(step)
    }
    return rows
  }

  mutating func remove(_ row: Int) { self[row] = false }

  mutating func formIntersection(_ other: RowMask) { words &= other.words }
  mutating func formUnion(_ other: RowMask) { words |= other.words }
  func union(_ other: RowMask) -> RowMask { RowMask(words: words | other.words) }
  mutating func subtract(_ other: RowMask) { words &= ~other.words }

  /// Calls `body` with the 16 words in memory.
  @inline(__always)
  func withWords<Result>(_ body: (UnsafePointer<UInt64>) -> Result) -> Result {
    unsafe withUnsafeBytes(of: words) { bytes in
      // Sound: a vector of 16 words is 16 words in memory.
      unsafe body(bytes.baseAddress!.assumingMemoryBound(to: UInt64.self))
    }
  }

  /// Calls `body` with each surviving row, in rising order.
  @inline(__always)
  func forEachRow(_ body: (Int) -> Void) {
    for word in 0..<16 {
      var bits = words[word]
      while bits != 0 {
        body(word << 6 | bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
    }
  }
}

extension RowMask {
  /// The rows below `count` for which `matches` holds: 64 lanes at a time, without branches.
  @inline(__always)
  init(rowsBelow count: Int, where matches: (Int) -> Bool) {
    self = .none
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { lanes in
      // Sound: 64 lanes are written before 64 are read.
      let lane = lanes.baseAddress!
      for word in 0..<(count / 64) {
        for index in 0..<64 { unsafe lane[index] = matches(word * 64 + index) ? 1 : 0 }
        words[word] = unsafe Self.packed(UnsafeRawPointer(lane))
      }
    }
    for row in (count / 64 * 64)..<count where matches(row) { self[row] = true }
  }

  /// 64 bytes of 0 or 1 as the bits of a word. The multiplication moves byte i's bit to bit 56 + i.
  @inline(__always)
  private static func packed(_ lanes: UnsafeRawPointer) -> UInt64 {
    // Sound: callers have 64 lanes.
    var word: UInt64 = 0
    for group in 0..<8 {
      let bytes = UInt64(littleEndian: unsafe lanes.loadUnaligned(fromByteOffset: group * 8, as: UInt64.self))
      word |= ((bytes &* 0x0102_0408_1020_4080) >> 56) << UInt64(group * 8)
    }
    return word
  }
}

extension RowMask {
  /// The first surviving row from `row` on.
  func firstRow(from row: Int) -> Int? {
    guard row < Limits.rowsPerBlock else { return nil }
    var bits = words[row >> 6] & (~0 << UInt64(row & 63))
    for word in (row >> 6)..<16 {
      if word > row >> 6 { bits = words[word] }
      if bits != 0 { return word << 6 | bits.trailingZeroBitCount }
    }
    return nil
  }

  /// The last surviving row before `end`.
  func lastRow(before end: Int) -> Int? {
    guard end > 0 else { return nil }
    let row = end - 1
    var bits = words[row >> 6] & (~0 >> UInt64(63 - row & 63))
    for word in stride(from: row >> 6, through: 0, by: -1) {
      if word < row >> 6 { bits = words[word] }
      if bits != 0 { return word << 6 | (63 - bits.leadingZeroBitCount) }
    }
    return nil
  }
}

extension ColumnBuffer<UInt16> {
  /// Appends the rows of a mask, which has `count` of them.
  mutating func append(rowsOf mask: RowMask, count: Int) {
    unsafe append(count: count) { rows in
      var index = 0
      // Sound: a mask has as many rows as it counts.
      mask.forEachRow { row in
        unsafe rows[index] = UInt16(row)
        index += 1
      }
    }
  }
}

/// The number of a mask's rows before any row, without counting all bits again.
struct RowRanks {
  private let words: SIMD16<UInt64>
  private var counts = SIMD16<UInt16>.zero

  init(_ mask: RowMask) {
    words = mask.words
    var count = 0
    for word in 0..<16 {
      counts[word] = UInt16(count)
      count += words[word].nonzeroBitCount
    }
    self.count = count
  }

  /// The number of surviving rows.
  let count: Int

  func count(in rows: Range<Int>) -> Int { count(before: rows.upperBound) - count(before: rows.lowerBound) }

  func count(before row: Int) -> Int {
    guard row < Limits.rowsPerBlock else { return count }
    let below: UInt64 = (1 << UInt64(row & 63)) - 1
    return Int(counts[row >> 6]) + (words[row >> 6] & below).nonzeroBitCount
  }
}
