/// Byte planes: the first bytes of all elements, then the second bytes, and so on (the "shuffle" of Blosc and HDF5).
///
/// If numbers lie close together, their high planes repeat, which LZ4 can use. The low plane is noise, which it copies.
enum BytePlanes {
  /// Writes the planes of `elements`, which have `planeCount` bytes each. Both buffers have the same size, a multiple of that.
  static func split(
    _ elements: UnsafeRawBufferPointer, into planes: UnsafeMutableRawBufferPointer, planeCount: Int
  ) {
    guard planeCount > 0 else { return }
    let count = elements.count / planeCount
    for plane in 0..<planeCount {
      // Sound: both indices stay below count * planeCount, which is the size of both buffers.
      for index in 0..<count { unsafe planes[plane &* count &+ index] = elements[index &* planeCount &+ plane] }
    }
  }

  /// Writes the elements that have these planes. Both buffers have the same size, a multiple of `planeCount`.
  static func join(
    _ planes: UnsafeRawBufferPointer, into elements: UnsafeMutableRawBufferPointer, planeCount: Int
  ) {
    guard planeCount > 0 else { return }
    let count = planes.count / planeCount
    for plane in 0..<planeCount {
      // Sound: both indices stay below count * planeCount, which is the size of both buffers.
      for index in 0..<count { unsafe elements[index * planeCount + plane] = planes[plane * count + index] }
    }
  }
}
