import CQuoin

// The cells of an Arrow column from outside.
//
// Sound throughout: the caller has promised a column that Arrow's specification allows, so that its buffers have what its type, its
// length and its offset say; rows are looked up below its length alone.

/// The types that are understood, by Arrow's format strings.
enum ArrowCellType {
  case double, float
  case integer(byteCount: Int, isSigned: Bool)
  /// An integer of 128 bits, over a power of ten.
  case decimal(scale: Int)
  /// Texts, with places of 32 or 64 bits, or as views.
  case text, largeText, textView
  /// Days, or milliseconds.
  case day, millisecondDay
  /// So many to a day.
  case timestamp(perDay: Int64)

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
    case "tdD": self = .day
    case "tdm": self = .millisecondDay
    default:
      let units: [(String, Int64)] = [("tss:", 1), ("tsm:", 1000), ("tsu:", 1_000_000), ("tsn:", 1_000_000_000)]
      if let unit = units.first(where: { format.hasPrefix($0.0) }) {
        self = .timestamp(perDay: 86_400 * unit.1)
      } else if format.hasPrefix("d:") {
        let numbers = format.dropFirst(2).split(separator: ",").map { Int($0) }
        guard numbers.count == 2 || numbers.count == 3 && numbers[2] == 128, let scale = numbers[1],
          (0...30).contains(scale)
        else { return nil }
        self = .decimal(scale: scale)
      } else {
        return nil
      }
    }
  }
}

/// A column of a batch.
@safe
struct ArrowCells {
  private let type: ArrowCellType
  private let array: UnsafePointer<ArrowArray>
  private let offset: Int
  let count: Int

  init(_ array: UnsafePointer<ArrowArray>, _ type: ArrowCellType) {
    self.type = type
    unsafe self.array = array
    (offset, count) = unsafe (Int(array.pointee.offset), Int(array.pointee.length))
  }

  func isNull(_ row: Int) -> Bool {
    guard let bits = unsafe array.pointee.buffers[0] else { return false }
    let place = offset + row
    return unsafe bits.load(fromByteOffset: place / 8, as: UInt8.self) >> UInt8(place % 8) & 1 == 0
  }

  private func value<Value: BitwiseCopyable>(_ row: Int, _ type: Value.Type, buffer: Int = 1) -> Value {
    unsafe array.pointee.buffers[buffer]!.loadUnaligned(
      fromByteOffset: (offset + row) * MemoryLayout<Value>.stride, as: Value.self)
  }

  /// The whole number of a row; nil if it isn't one, or is too large.
  func integer(_ row: Int) -> Int64? {
    switch type {
    case .integer(let byteCount, let isSigned):
      switch (byteCount, isSigned) {
      case (1, true): Int64(value(row, Int8.self))
      case (1, false): Int64(value(row, UInt8.self))
      case (2, true): Int64(value(row, Int16.self))
      case (2, false): Int64(value(row, UInt16.self))
      case (4, true): Int64(value(row, Int32.self))
      case (4, false): Int64(value(row, UInt32.self))
      case (_, true): value(row, Int64.self)
      case (_, false): Int64(exactly: value(row, UInt64.self))
      }
    case .decimal(let scale):
      scale == 0 ? Int64(exactly: value(row, Int128.self)) : Int64(exactly: double(row))
    default: Int64(exactly: double(row))
    }
  }

  /// The number of a row; NaN if it isn't one.
  func double(_ row: Int) -> Double {
    switch type {
    case .double: value(row, Double.self)
    case .float: Double(value(row, Float.self))
    case .decimal(let scale): Double(value(row, Int128.self)) / Double("1e\(scale)")!
    case .integer(8, false): Double(value(row, UInt64.self))
    case .integer: integer(row).map { Double($0) } ?? .nan
    case .text, .largeText, .textView, .day, .millisecondDay, .timestamp: .nan
    }
  }

  /// The day of a row; nil if it isn't one, or a time that isn't midnight.
  func daysSince1970(_ row: Int) -> Int? {
    let (ticks, perDay): (Int64, Int64)
    switch type {
    case .day: return Int(value(row, Int32.self))
    case .millisecondDay: (ticks, perDay) = (value(row, Int64.self), 86_400_000)
    case .timestamp(let count): (ticks, perDay) = (value(row, Int64.self), count)
    default: return nil
    }
    let (day, rest) = ticks.quotientAndRemainder(dividingBy: perDay)
    return rest == 0 ? Int(day) : nil
  }

  /// The text of a row; nil if it has none.
  func text(_ row: Int) -> String? {
    switch type {
    case .text: text(Int(value(row, Int32.self)), Int(value(row + 1, Int32.self)), ofBuffer: 2)
    case .largeText: text(Int(value(row, Int64.self)), Int(value(row + 1, Int64.self)), ofBuffer: 2)
    case .textView: viewedText(row)
    default: nil
    }
  }

  private func text(_ start: Int, _ end: Int, ofBuffer buffer: Int) -> String? {
    guard start >= 0, end >= start else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: array.pointee.buffers[buffer].map { unsafe $0 + start }, count: end - start)
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// A view has the number of bytes, and either up to 12 of them or where they are.
  private func viewedText(_ row: Int) -> String? {
    let view = value(row, SIMD4<Int32>.self)
    let count = Int(view[0])
    guard count > 12 else {
      return unsafe withUnsafeBytes(of: view) { bytes in
        unsafe String(decoding: UnsafeRawBufferPointer(rebasing: bytes[4..<4 + Swift.max(0, count)]), as: UTF8.self)
      }
    }
    return text(Int(view[3]), Int(view[3]) + count, ofBuffer: 2 + Int(view[2]))
  }
}
