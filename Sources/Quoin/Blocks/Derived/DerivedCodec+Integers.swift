extension DerivedCodec {
  /// Multiplies the source's rows from `first` on, which are float32s, by the factors of their stretches, and says what they are then.
  static func multiply(
    _ integers: NarrowIntegers, of block: EncodedBlock, from first: Int, _ output: UnsafeMutablePointer<Float>
  ) -> NarrowIntegers? {
    var (least, most) = (Double.infinity, 0.0)
    forEachStretch(of: block) { rows, factor in
      if rows.upperBound <= first { return }
      // Where the values are missing, none is an integer.
      (least, most) = (factor.isMissing ? 0 : min(least, factor.value), max(most, factor.value))
      let narrow = Float(factor.value)
      // Sound: there is room for the rows from `first` on, and stretches lie inside the block.
      for row in max(first, rows.lowerBound)..<rows.upperBound { unsafe output[row - first] *= narrow }
    }
    guard least <= most else { return nil }
    return integers.multiplied(by: least...most, SignificantDigits(digits: block.header.exponent))
  }
}
