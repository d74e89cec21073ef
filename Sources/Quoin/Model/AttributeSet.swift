/// A set of attributes: `[.high, .low]`. Its members come in file order.
public struct AttributeSet: SetAlgebra, Sequence, Hashable, Sendable {
  /// Bit `Attribute.rawValue` of each member.
  private var bits: UInt16 = 0

  /// The empty set.
  public init() {}

  /// The set of these attributes.
  public init(_ attributes: some Sequence<Attribute>) {
    for attribute in attributes { bits |= Self.bit(attribute) }
  }

  /// All attributes.
  public static let all = AttributeSet(Attribute.allCases)

  /// Whether the set has this attribute. Complexity: O(1).
  public func contains(_ attribute: Attribute) -> Bool { bits & Self.bit(attribute) != 0 }

  /// Whether the set is empty.
  public var isEmpty: Bool { bits == 0 }

  /// The members, in file order.
  package var names: [Attribute] { Attribute.allCases.filter { contains($0) } }

  /// An iterator over the members, in file order.
  public func makeIterator() -> IndexingIterator<[Attribute]> { names.makeIterator() }

  private static func bit(_ attribute: Attribute) -> UInt16 { 1 << UInt16(attribute.rawValue) }
}

extension AttributeSet {
  /// Adds an attribute, and says whether it is new.
  @discardableResult
  public mutating func insert(_ attribute: Attribute) -> (inserted: Bool, memberAfterInsert: Attribute) {
    defer { bits |= Self.bit(attribute) }
    return (!contains(attribute), attribute)
  }

  /// Removes an attribute; nil if it is no member.
  @discardableResult
  public mutating func remove(_ attribute: Attribute) -> Attribute? {
    defer { bits &= ~Self.bit(attribute) }
    return contains(attribute) ? attribute : nil
  }

  /// Adds an attribute; nil if it is new.
  @discardableResult
  public mutating func update(with attribute: Attribute) -> Attribute? {
    insert(attribute).inserted ? nil : attribute
  }

  /// Adds the members of another set.
  public mutating func formUnion(_ other: AttributeSet) { bits |= other.bits }

  /// Keeps what is a member of both sets.
  public mutating func formIntersection(_ other: AttributeSet) { bits &= other.bits }

  /// Keeps what is a member of one of the sets, but not of both.
  public mutating func formSymmetricDifference(_ other: AttributeSet) { bits ^= other.bits }

  /// The members of either set.
  public func union(_ other: AttributeSet) -> AttributeSet {
    var union = self
    union.formUnion(other)
    return union
  }

  /// The members of both sets.
  public func intersection(_ other: AttributeSet) -> AttributeSet {
    var intersection = self
    intersection.formIntersection(other)
    return intersection
  }

  /// The members of one of the sets, but not of both.
  public func symmetricDifference(_ other: AttributeSet) -> AttributeSet {
    var difference = self
    difference.formSymmetricDifference(other)
    return difference
  }
}
