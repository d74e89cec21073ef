/// Byte planes: the first bytes of all elements, then the second bytes, and so on (the "shuffle" of Blosc and HDF5).
///
/// The high planes of numbers that lie close together repeat, which LZ4 can use; the low plane is noise that it copies.
enum BytePlanes {
  /// The planes of `elements`, each of `planeCount` bytes; the two buffers are of the same size, a multiple of that.
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

  /// The elements whose planes these are; the two buffers are of the same size, a multiple of `planeCount`.
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
