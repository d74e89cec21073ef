/// An attribute with the type of its values: `.high` finds Doubles, `.volume` finds Int64s. For the package's own loops; the
/// public interface takes an `Attribute`.
package struct TypedAttribute<Value: AttributeValue>: Hashable, Sendable {
  /// The attribute, without the type of its values.
  package let name: Attribute

  fileprivate init(_ name: Attribute) { self.name = name }
}

extension TypedAttribute where Value == Double {
  package static var open: Self { Self(.open) }
  package static var high: Self { Self(.high) }
  package static var low: Self { Self(.low) }
  package static var close: Self { Self(.close) }
  package static var exDividend: Self { Self(.exDividend) }
  package static var splitRatio: Self { Self(.splitRatio) }
  package static var adjustedOpen: Self { Self(.adjustedOpen) }
  package static var adjustedHigh: Self { Self(.adjustedHigh) }
  package static var adjustedLow: Self { Self(.adjustedLow) }
  package static var adjustedClose: Self { Self(.adjustedClose) }
  package static var adjustedVolume: Self { Self(.adjustedVolume) }

  /// The float64 attributes, in file order.
  package static let all: [Self] = Attribute.allCases.filter { !$0.isInteger }.map { Self($0) }

  /// The key of a float64 attribute; nil for the volume.
  package init?(name: Attribute) {
    guard !name.isInteger else { return nil }
    self.init(name)
  }
}

extension TypedAttribute where Value == Int64 {
  package static var volume: Self { Self(.volume) }

  /// The int64 attributes, in file order.
  package static let all: [Self] = Attribute.allCases.filter { $0.isInteger }.map { Self($0) }

  /// The key of an int64 attribute; nil for the others.
  package init?(name: Attribute) {
    guard name.isInteger else { return nil }
    self.init(name)
  }
}

/// An attribute's key with the type of its values, to tell the two kinds of columns apart.
enum AttributeKey {
  case double(TypedAttribute<Double>)
  case integer(TypedAttribute<Int64>)
}

extension Attribute {
  /// The attribute's typed key.
  var key: AttributeKey {
    if let key = TypedAttribute<Int64>(name: self) { return .integer(key) }
    guard let key = TypedAttribute<Double>(name: self) else {
      preconditionFailure("\(self) is neither float64 nor int64")
    }
    return .double(key)
  }
}
