import CQuoin
import Synchronization

// Sound throughout: a node is retained by the struct that it belongs to, as its private data, and goes with the struct's release
// callback, which is called once. Whoever moves a struct takes the callback along and leaves NULL, so a parent releases only those
// of its parts that are still there.

/// What an exported array or schema holds until it is released: its parts, the list of its buffers, and what keeps these.
@safe
final class ArrowNode<Struct>: @unchecked Sendable {
  let parts: UnsafeMutablePointer<Struct>
  let partPointers: UnsafeMutablePointer<UnsafeMutablePointer<Struct>?>
  let buffers: UnsafeMutablePointer<UnsafeRawPointer?>
  private let partCount: Int
  private let kept: [any AnyObject & Sendable]
  private let releasePart: (UnsafeMutablePointer<Struct>) -> Void

  /// - Parameters:
  ///   - empty: a struct that is released, which the parts are at first.
  ///   - kept: what the buffers, or texts, belong to.
  ///   - releasePart: releases a part, unless it is released.
  init(
    partCount: Int, _ empty: Struct, buffers: [UnsafeRawPointer?], keeping kept: [any AnyObject & Sendable],
    releasePart: @escaping (UnsafeMutablePointer<Struct>) -> Void
  ) {
    unsafe parts = .allocate(capacity: partCount)
    unsafe parts.initialize(repeating: empty, count: partCount)
    unsafe partPointers = .allocate(capacity: partCount)
    for index in 0..<partCount { unsafe (partPointers + index).initialize(to: parts + index) }
    unsafe self.buffers = .allocate(capacity: buffers.count)
    for index in unsafe buffers.indices { unsafe (self.buffers + index).initialize(to: buffers[index]) }
    (self.partCount, self.kept) = (partCount, kept)
    unsafe self.releasePart = releasePart
    Live.arrowCount.add(1, ordering: .relaxed)
  }

  deinit {
    for index in 0..<partCount { unsafe releasePart(parts + index) }
    unsafe parts.deallocate()
    unsafe partPointers.deallocate()
    unsafe buffers.deallocate()
    Live.arrowCount.subtract(1, ordering: .relaxed)
  }

  /// A reference for the private data of a struct.
  var retained: UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(self).toOpaque() }

  /// Gives back the reference that a struct has.
  static func release(_ privateData: UnsafeMutableRawPointer?) {
    if let privateData = unsafe privateData { unsafe Unmanaged<ArrowNode>.fromOpaque(privateData).release() }
  }
}

extension ArrowArray {
  /// An array of rows.
  ///
  /// - Parameters:
  ///   - childCount: how many of the node's parts are children; a further one is the dictionary.
  init(
    length: Int, nullCount: Int, bufferCount: Int, childCount: Int = 0, hasDictionary: Bool = false,
    _ node: ArrowNode<ArrowArray>
  ) {
    unsafe self.init(
      length: Int64(length), null_count: Int64(nullCount), offset: 0, n_buffers: Int64(bufferCount),
      n_children: Int64(childCount), buffers: node.buffers, children: childCount > 0 ? node.partPointers : nil,
      dictionary: hasDictionary ? node.parts + childCount : nil,
      release: { array in
        guard let array = unsafe array, unsafe array.pointee.release != nil else { return }
        unsafe array.pointee.release = nil
        unsafe ArrowNode<ArrowArray>.release(array.pointee.private_data)
      }, private_data: node.retained)
  }

  static func node(
    partCount: Int = 0, buffers: [UnsafeRawPointer?], keeping kept: [any AnyObject & Sendable] = []
  ) -> ArrowNode<ArrowArray> {
    unsafe ArrowNode(partCount: partCount, ArrowArray(), buffers: buffers, keeping: kept) { part in
      unsafe part.pointee.release?(part)
    }
  }
}

extension ArrowSchema {
  /// The schema of a field.
  ///
  /// - Parameters:
  ///   - texts: the format and the name.
  ///   - isNullable: whether a value may be null.
  ///   - childCount: how many of the node's parts are children; a further one is the dictionary.
  init(
    _ texts: (format: CText, name: CText), isNullable: Bool, childCount: Int = 0, hasDictionary: Bool = false,
    _ node: ArrowNode<ArrowSchema>
  ) {
    unsafe self.init(
      format: texts.format.start, name: texts.name.start, metadata: nil,
      flags: isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0,
      n_children: Int64(childCount), children: childCount > 0 ? node.partPointers : nil,
      dictionary: hasDictionary ? node.parts + childCount : nil,
      release: { schema in
        guard let schema = unsafe schema, unsafe schema.pointee.release != nil else { return }
        unsafe schema.pointee.release = nil
        unsafe ArrowNode<ArrowSchema>.release(schema.pointee.private_data)
      }, private_data: node.retained)
  }

  static func node(partCount: Int, _ texts: (format: CText, name: CText)) -> ArrowNode<ArrowSchema> {
    unsafe ArrowNode(partCount: partCount, ArrowSchema(), buffers: [], keeping: [texts.format, texts.name]) { part in
      unsafe part.pointee.release?(part)
    }
  }
}
