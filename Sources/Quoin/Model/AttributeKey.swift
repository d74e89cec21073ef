/// An attribute's key with the type of its values, to tell the two kinds of columns apart.
enum AttributeKey {
  case double(Attribute<Double>)
  case integer(Attribute<Int64>)
}

extension AttributeName {
  /// The attribute's typed key.
  var key: AttributeKey {
    if let key = Attribute<Int64>(name: self) { return .integer(key) }
    guard let key = Attribute<Double>(name: self) else { preconditionFailure("\(self) is neither float64 nor int64") }
    return .double(key)
  }
}
