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
