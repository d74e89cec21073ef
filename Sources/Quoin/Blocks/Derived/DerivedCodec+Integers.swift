extension DerivedCodec {
  static func writeIntegers<Value: BlockValue>(
    _ block: EncodedBlock, of type: Value.Type, from first: Int, to output: UnsafeMutablePointer<Float>,
    _ scratch: BlockScratch, _ patches: NarrowPatches
  ) throws(Damage) -> NarrowIntegers? {
    let source = try block.source()
    guard Value.self == Double.self,
      let integers = unsafe try source.writeIntegers(
        from: first, to: output, areIntegers: isOfIntegers(block.header), scratch, patches)
    else { return nil }
    var (least, most) = (Double.infinity, 0.0)
    forEachStretch(of: block) { rows, factor in
      if rows.upperBound <= first { return }
      (least, most) = (min(least, factor.value), max(most, factor.value))
      let narrow = Float(factor.value)
      // Sound: there is room for the rows from `first` on, and stretches lie inside the block.
      for row in max(first, rows.lowerBound)..<rows.upperBound { unsafe output[row - first] *= narrow }
    }
    guard least <= most else { return nil }
    return integers.multiplied(by: least...most, SignificantDigits(digits: block.header.exponent))
  }
}
