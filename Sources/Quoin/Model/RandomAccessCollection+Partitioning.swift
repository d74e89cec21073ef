extension RandomAccessCollection {
  /// The first index for whose element `belongs` is true, or the end, given that it is false for every element before and
  /// true for every element after. Complexity: O(log count) calls of `belongs`.
  package func partitioningIndex(where belongs: (Element) -> Bool) -> Index {
    var (low, count) = (startIndex, count)
    while count > 0 {
      let middle = index(low, offsetBy: count / 2)
      if belongs(self[middle]) {
        count /= 2
      } else {
        low = index(after: middle)
        count -= count / 2 + 1
      }
    }
    return low
  }

  /// The index of the first element that is equal to `element`, in a collection that ascends by it; nil if there is none.
  /// Complexity: O(log count).
  package func sortedIndex<Key: Comparable>(of element: Key, by key: (Element) -> Key) -> Index? {
    let index = partitioningIndex { key($0) >= element }
    return index < endIndex && key(self[index]) == element ? index : nil
  }
}
