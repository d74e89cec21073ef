import CQuoin
import Quoin

// The cells of an Arrow column from outside.
//
// Sound throughout: the caller has promised a column that Arrow's specification allows, so its buffers have what its type, its
// length and its offset say. Rows are checked against the length before they are looked up.

/// The types that are understood.
enum ArrowCellType {
  case double, float
  case integer(byteCount: Int, isSigned: Bool)
  /// An integer of 4, 8 or 16 bytes, over a power of ten.
  case decimal(byteCount: Int, scale: Int)
  /// Texts, with places of 32 or 64 bits, or as views.
  case text, largeText, textView
  /// Days, or so many ticks to a day, of 8 bytes.
  case day
  case ticks(perDay: Int64)
  /// Nothing but nulls, as of a column that pandas and Polars know no value of. It has no buffers.
  case null

  /// - Parameter format: Arrow's format string.
  init?(format: String) {
    switch format {
    case "g": self = .double
    case "f": self = .float
    case "c", "C": self = .integer(byteCount: 1, isSigned: format == "c")
    case "s", "S": self = .integer(byteCount: 2, isSigned: format == "s")
    case "i", "I": self = .integer(byteCount: 4, isSigned: format == "i")
    case "l", "L": self = .integer(byteCount: 8, isSigned: format == "l")
    case "u": self = .text
    case "U": self = .largeText
    case "vu": self = .textView
    case "n": self = .null
    case "tdD": self = .day
    case "tdm": self = .ticks(perDay: 86_400_000)
    default:
      let units: [(String, Int64)] = [("tss:", 1), ("tsm:", 1000), ("tsu:", 1_000_000), ("tsn:", 1_000_000_000)]
      if let (_, unit) = units.first(where: { format.hasPrefix($0.0) }) {
        self = .ticks(perDay: 86_400 * unit)
      } else if format.hasPrefix("d:"), let decimal = Self.decimal(format.dropFirst(2)) {
        self = decimal
      } else {
        return nil
      }
    }
  }

  /// `19,4` or `19,4,64`: digits, scale, and bits.
  private static func decimal(_ text: Substring) -> ArrowCellType? {
    let numbers = text.split(separator: ",").compactMap { Int($0) }
    let bits = numbers.count > 2 ? numbers[2] : 128
    guard numbers.count >= 2, [32, 64, 128].contains(bits), (0...38).contains(numbers[1]) else { return nil }
    return .decimal(byteCount: bits / 8, scale: numbers[1])
  }

  /// The zone of a timestamp whose midnights aren't those of UTC.
  static func otherZone(format: String) -> String? {
    guard format.hasPrefix("ts"), let zone = format.split(separator: ":", maxSplits: 1).dropFirst().first else {
      return nil
    }
    return ["UTC", "Etc/UTC", "Z", "GMT", "+00:00", "-00:00"].contains(zone) ? nil : String(zone)
  }

  var isText: Bool {
    switch self {
    case .text, .largeText, .textView, .null: true
    default: false
    }
  }

  var isNumber: Bool {
    switch self {
    case .double, .float, .integer, .decimal, .null: true
    default: false
    }
  }

  var isDay: Bool {
    switch self {
    case .day, .ticks, .integer(4, _), .integer(8, _): true
    default: isText
    }
  }

  /// How many buffers a column has at least.
  var bufferCount: Int {
    switch self {
    case .text, .largeText: 3
    case .null: 0
    default: 2
    }
  }
}

/// A column of a batch.
@safe
struct ArrowCells {
  let count: Int
  private let type: ArrowCellType
  private let isAlwaysNull: Bool
  private let offset: Int
  private let buffers: UnsafeMutablePointer<UnsafeRawPointer?>
  private let bits: UnsafeRawPointer?
  private let values: UnsafeRawPointer

  /// What a column of nulls has in place of buffers; no cell is looked up there.
  nonisolated(unsafe) private static let noBuffers = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: 1)

  /// Nil if buffers are missing.
  init?(_ array: UnsafePointer<ArrowArray>?, _ type: ArrowCellType) {
    guard let array = unsafe array?.pointee,
      unsafe array.length >= 0 && array.offset >= 0 && array.n_buffers >= type.bufferCount
    else { return nil }
    (count, offset, self.type) = unsafe (Int(array.length), Int(array.offset), type)
    if case .null = type {
      isAlwaysNull = true
      unsafe (buffers, bits, values) = (Self.noBuffers, nil, UnsafeRawPointer(Self.noBuffers))
      return
    }
    isAlwaysNull = false
    guard let buffers = unsafe array.buffers else { return nil }
    unsafe self.buffers = buffers
    unsafe bits = array.null_count == 0 ? nil : buffers[0]
    guard let values = unsafe buffers[1] ?? (array.length == 0 ? UnsafeRawPointer(buffers) : nil) else { return nil }
    unsafe self.values = values
  }

  var mayHaveNulls: Bool { unsafe isAlwaysNull || bits != nil }

  func isNull(_ row: Int) -> Bool {
    if isAlwaysNull { return true }
    guard let bits = unsafe bits else { return false }
    let place = offset + row
    return unsafe bits.load(fromByteOffset: place / 8, as: UInt8.self) >> UInt8(place % 8) & 1 == 0
  }

  private func value<Value: BitwiseCopyable>(_ row: Int, _: Value.Type) -> Value {
    unsafe values.loadUnaligned(fromByteOffset: (offset + row) * MemoryLayout<Value>.stride, as: Value.self)
  }
}

// Numbers.
extension ArrowCells {
  /// The numbers of some rows; NaN for nulls.
  func doubles(_ runs: [Range<Int>], count: Int) -> [Double] {
    switch type {
    case .double: numbers(runs, count, as: Double.self) { $0.isNaN ? .missing : $0 }
    case .float: numbers(runs, count, as: Float.self) { $0.isNaN ? .missing : Double($0) }
    case .integer(1, true): numbers(runs, count, as: Int8.self) { Double($0) }
    case .integer(1, _): numbers(runs, count, as: UInt8.self) { Double($0) }
    case .integer(2, true): numbers(runs, count, as: Int16.self) { Double($0) }
    case .integer(2, _): numbers(runs, count, as: UInt16.self) { Double($0) }
    case .integer(4, true): numbers(runs, count, as: Int32.self) { Double($0) }
    case .integer(4, _): numbers(runs, count, as: UInt32.self) { Double($0) }
    case .integer(_, true): numbers(runs, count, as: Int64.self) { Double($0) }
    case .integer(_, _): numbers(runs, count, as: UInt64.self) { Double($0) }
    case .decimal(4, let scale): numbers(runs, count, as: Int32.self) { Self.decimal(Int128($0), scale) }
    case .decimal(8, let scale): numbers(runs, count, as: Int64.self) { Self.decimal(Int128($0), scale) }
    case .decimal(_, let scale): numbers(runs, count, as: Int128.self) { Self.decimal($0, scale) }
    case .text, .largeText, .textView, .day, .ticks, .null: Array(repeating: .missing, count: count)
    }
  }

  private func numbers<Value: BitwiseCopyable>(
    _ runs: [Range<Int>], _ count: Int, as type: Value.Type, _ convert: (Value) -> Double
  ) -> [Double] {
    unsafe Array(unsafeUninitializedCapacity: count) { numbers, initializedCount in
      var place = 0
      for run in runs {
        for row in run {
          unsafe numbers.initializeElement(at: place, to: convert(value(row, type)))
          place += 1
        }
      }
      initializedCount = place
      guard mayHaveNulls else { return }
      place = 0
      for run in runs {
        for row in run {
          if isNull(row) { unsafe numbers[place] = .missing }
          place += 1
        }
      }
    }
  }

  /// The nearest float64.
  private static func decimal(_ digits: Int128, _ scale: Int) -> Double {
    // Both are exact, so the quotient is rounded once.
    if digits.magnitude <= 1 << 53, scale <= 22 { return Double(Int64(digits)) / powersOfTen[scale] }
    return Double("\(digits)e-\(scale)") ?? .missing
  }

  private static let powersOfTen = (0...22).map { Double("1e\($0)") ?? .infinity }

  /// Whether numbers may have fractions.
  var isFractional: Bool {
    switch type {
    case .double, .float: true
    case .decimal(_, let scale): scale > 0
    default: false
    }
  }

  /// The whole number of a row: missing for null and NaN; nil if it isn't whole or no int64 holds it.
  func integer(_ row: Int) -> Int64? {
    if isNull(row) { return .missing }
    let number: Int64?
    switch type {
    case .integer(8, true): number = value(row, Int64.self)
    case .integer(8, false): number = Int64(exactly: value(row, UInt64.self))
    case .decimal(16, 0): number = Int64(exactly: value(row, Int128.self))
    case .decimal(8, 0): number = value(row, Int64.self)
    default:
      let double = doubles([row..<(row + 1)], count: 1)[0]
      if double.isMissing { return .missing }
      number = Int64(exactly: double)
    }
    return number == .missing ? nil : number
  }
}

// Days and texts.
extension ArrowCells {
  /// The day of a row; nil if it has none, or a time that isn't midnight.
  func day(_ row: Int, _ texts: inout TextDays) -> TradingDay? {
    if isNull(row) { return nil }
    switch type {
    case .day: return TradingDay(daysSince1970: Int(value(row, Int32.self)))
    case .ticks(let perDay):
      let (day, rest) = value(row, Int64.self).quotientAndRemainder(dividingBy: perDay)
      return rest == 0 ? TradingDay(daysSince1970: Int(day)) : nil
    case .integer: return integer(row).flatMap { TextDays.day($0) }
    default: return unsafe text(row).flatMap { unsafe texts.day($0) }
    }
  }

  /// The bytes of a row's text; nil if it has none.
  func text(_ row: Int) -> UnsafeRawBufferPointer? {
    if isNull(row) { return nil }
    switch type {
    case .text: return unsafe bytes(Int(value(row, Int32.self)), Int(value(row + 1, Int32.self)), of: buffers[2])
    case .largeText:
      return unsafe bytes(Int(value(row, Int64.self)), Int(value(row + 1, Int64.self)), of: buffers[2])
    case .textView:
      // Its length, and up to 12 bytes, or 4 of them, the buffer and the place there.
      let view = value(row, SIMD4<Int32>.self)
      let (length, start) = (Int(view[0]), Int(view[3]))
      if length > 12 { return unsafe bytes(start, start + length, of: buffers[2 + Int(view[2])]) }
      let place = (offset + row) * 16 + 4
      return unsafe bytes(place, place + length, of: values)
    default: return nil
    }
  }

  private func bytes(_ start: Int, _ end: Int, of buffer: UnsafeRawPointer?) -> UnsafeRawBufferPointer? {
    guard start >= 0, end >= start, let buffer = unsafe buffer ?? (end == start ? values : nil) else { return nil }
    return unsafe UnsafeRawBufferPointer(start: buffer + start, count: end - start)
  }
}
