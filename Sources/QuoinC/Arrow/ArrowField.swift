import CQuoin

/// What the values of a column are, in Arrow's terms.
enum ArrowType {
  case tickers, text, day, integer, double

  /// Arrow's name of the type; of the places, if there is a dictionary.
  var format: String {
    switch self {
    case .tickers: "i"
    case .text: "u"
    case .day: "tdD"
    case .integer: "l"
    case .double: "g"
    }
  }
}

/// A column of a stream.
struct ArrowField {
  let name: String
  let type: ArrowType

  /// Writes the schema of records with these columns.
  ///
  /// Sound: the caller has room for it.
  static func export(_ fields: [ArrowField], to schema: UnsafeMutablePointer<ArrowSchema>) {
    let texts = (format: CText("+s"), name: CText(""))
    let node = unsafe ArrowSchema.node(partCount: fields.count, texts)
    for (index, field) in fields.enumerated() { unsafe (node.parts + index).pointee = field.schema }
    unsafe schema.initialize(to: ArrowSchema(texts, isNullable: false, childCount: fields.count, node))
  }

  private var schema: ArrowSchema {
    let texts = (format: CText(type.format), name: CText(name))
    guard type == .tickers else {
      return unsafe ArrowSchema(texts, isNullable: true, ArrowSchema.node(partCount: 0, texts))
    }
    let node = unsafe ArrowSchema.node(partCount: 1, texts)
    let values = (format: CText(ArrowType.text.format), name: CText(""))
    unsafe node.parts.pointee = ArrowSchema(values, isNullable: true, ArrowSchema.node(partCount: 0, values))
    return unsafe ArrowSchema(texts, isNullable: true, hasDictionary: true, node)
  }
}
