import CQuoin
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// What comes from outside: addresses, texts, structs.
//
// Sound throughout: an address that may be one is followed as far as the header says that there is something.

/// The most of everything. Guards.
enum CallLimits {
  static let textByteCount = 1 << 20
  static let listCount = 1 << 22
  static let partCount = 1 << 20
  static let structByteCount = 1 << 12
  static let fieldCount = 1 << 10
}

extension UnsafeRawPointer {
  /// Whether a value may lie there: no numbers near zero, no places that such a value can't have.
  func isPlausible<Value>(for type: Value.Type) -> Bool {
    let address = UInt(bitPattern: self)
    return address >= 4096 && address <= .max - 4096 && address % UInt(MemoryLayout<Value>.alignment) == 0
  }
}

/// The pointer, if there may be a value.
func checked<Value>(_ pointer: UnsafePointer<Value>?, _ name: String) throws(Failure) -> UnsafePointer<Value> {
  guard let pointer = unsafe pointer else { throw Failure(.misuse, "\(name) is NULL") }
  guard unsafe UnsafeRawPointer(pointer).isPlausible(for: Value.self) else {
    throw Failure(.misuse, "\(name) is no address of what it should be")
  }
  return unsafe pointer
}

/// The pointer, if there may be room for a value.
func checked<Value>(
  _ pointer: UnsafeMutablePointer<Value>?, _ name: String
) throws(Failure) -> UnsafeMutablePointer<Value> {
  unsafe UnsafeMutablePointer(mutating: try checked(UnsafePointer(pointer), name))
}

/// The pointer, if there may be room for a value; nil for NULL.
func optional<Value>(
  _ pointer: UnsafeMutablePointer<Value>?, _ name: String
) throws(Failure) -> UnsafeMutablePointer<Value>? {
  if unsafe pointer == nil { return nil }
  return unsafe try checked(pointer, name)
}

/// The bytes of a text.
func textBytes(_ text: UnsafePointer<CChar>?, _ name: String) throws(Failure) -> UnsafeRawBufferPointer {
  let start = unsafe try checked(text, name)
  let count = unsafe strnlen(start, CallLimits.textByteCount + 1)
  guard count <= CallLimits.textByteCount else {
    throw Failure(.misuse, "\(name) has more than \(CallLimits.textByteCount) bytes")
  }
  return unsafe UnsafeRawBufferPointer(start: start, count: count)
}

/// A text; nil for NULL.
func text(_ text: UnsafePointer<CChar>?, _ name: String) throws(Failure) -> String? {
  if unsafe text == nil { return nil }
  return unsafe String(decoding: try textBytes(text, name), as: UTF8.self)
}

/// A list of texts, each as its bytes.
func texts(
  _ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int, _ name: String
) throws(Failure) -> [UnsafeRawBufferPointer] {
  let list = unsafe try checked(list, name)
  guard (0...CallLimits.listCount).contains(count) else {
    throw Failure(.misuse, "there are \(UInt(bitPattern: count)) \(name); \(CallLimits.listCount) is the most")
  }
  var texts: [UnsafeRawBufferPointer] = unsafe []
  for index in 0..<count {
    let text = unsafe try textBytes(list[index], "\(name)[\(index)]")
    unsafe texts.append(text)
  }
  return unsafe texts
}

/// A struct that begins with its size. Fields that the caller's version doesn't have are zero.
///
/// - Parameter none: a struct of zeros, which is also what NULL stands for.
func options<Options>(_ options: UnsafePointer<Options>?, _ none: Options, _ name: String) throws(Failure) -> Options {
  if unsafe options == nil { return none }
  let start = unsafe UnsafeRawPointer(try checked(options, name))
  let (size, known) = (unsafe start.load(as: Int.self), MemoryLayout<Options>.size)
  guard (MemoryLayout<Int>.size...CallLimits.structByteCount).contains(size), size % MemoryLayout<Int>.alignment == 0
  else { throw Failure(.misuse, "\(name)->size is \(UInt(bitPattern: size)); it has to be sizeof(\(name))") }
  let bytes = unsafe UnsafeRawBufferPointer(start: start, count: size)
  guard unsafe bytes.dropFirst(known).allSatisfy({ $0 == 0 }) else {
    throw Failure(.misuse, "\(name) has fields that version \(Release.version) doesn't know; set them to zero")
  }
  var result = none
  unsafe withUnsafeMutableBytes(of: &result) {
    unsafe $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(known)))
  }
  return result
}

/// An open store.
func openStore(_ store: OpaquePointer?) throws(Failure) -> OpenStore {
  guard let open = unsafe Live.stores[store] else { throw Failure(.misuse, "the store isn't open") }
  return open
}

/// A list of texts as one block: pointers, a NULL after the last one, and then the texts.
///
/// - Parameter count: where their number is written, unless it is NULL.
func list(
  _ texts: [[UInt8]], _ count: UnsafeMutablePointer<Int>? = nil
) throws(Failure) -> UnsafeMutablePointer<UnsafePointer<CChar>?> {
  unsafe try optional(count, "count")?.pointee = texts.count
  let pointerByteCount = (texts.count + 1) * MemoryLayout<Int>.stride
  let block = unsafe try Live.blocks.allocate(pointerByteCount + texts.reduce(0) { $0 + $1.count + 1 })
  let pointers = unsafe block.bindMemory(to: UnsafePointer<CChar>?.self, capacity: texts.count + 1)
  var next = unsafe (block + pointerByteCount).assumingMemoryBound(to: CChar.self)
  for (index, text) in texts.enumerated() {
    unsafe pointers[index] = UnsafePointer(next)
    for (place, byte) in text.enumerated() { unsafe next[place] = CChar(bitPattern: byte) }
    unsafe next[text.count] = 0
    unsafe next += text.count + 1
  }
  unsafe pointers[texts.count] = nil
  return unsafe pointers
}
