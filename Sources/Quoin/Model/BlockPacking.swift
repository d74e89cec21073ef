/// How tightly a store packs its blocks: whether it takes more space or more time. Answers are the same, to the last bit.
public enum BlockPacking: String, CaseIterable, Hashable, Sendable {
  /// Nothing has to be unpacked before it is compared. Most blocks are those of `balanced`.
  case fast
  /// A block is compressed if it becomes so much smaller that a scan doesn't take longer. What a store does by itself.
  case balanced
  /// Every block takes the fewest bytes that Quoin knows how to reach. Questions take longer.
  case small
}
