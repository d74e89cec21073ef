extension Double {
  /// The number; missing if it isn't finite. Nothing that is computed is infinite.
  ///
  /// A finite number less itself is 0, and what isn't finite less itself is missing: two subtractions, which a loop over memory hides.
  @inline(__always)
  var ifFinite: Double { self - (self - self) }
}
