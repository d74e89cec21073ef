/// The attributes that each of some rows has in its source, which mostly are the same for all.
struct RowAttributes {
  private var common: AttributeSet?
  /// One a row once two rows differ; before that, none.
  private var each: [AttributeSet] = []
  private(set) var count = 0

  /// The attributes of row `row`.
  subscript(row: Int) -> AttributeSet { each.isEmpty ? common ?? .all : each[row] }

  mutating func append(_ attributes: AttributeSet, count added: Int) {
    if count == 0 { (common, each) = (attributes, []) }
    if each.isEmpty, attributes != common { spread() }
    if !each.isEmpty { each += repeatElement(attributes, count: added) }
    count += added
  }

  mutating func set(_ attributes: AttributeSet, at row: Int) {
    if self[row] == attributes { return }
    if each.isEmpty { spread() }
    each[row] = attributes
  }

  private mutating func spread() { each = Array(repeating: common ?? .all, count: count) }

  mutating func reverse() { each.reverse() }

  /// Keeps these rows, in this order.
  mutating func gather(_ rows: [Int]) {
    if !each.isEmpty { each = rows.map { each[$0] } }
    count = rows.count
  }

  /// The rows of each set of attributes, ascending; nil for all rows.
  var groups: [(attributes: AttributeSet, rows: [Int]?)] {
    guard let first = each.first else { return count == 0 ? [] : [(common ?? .all, nil)] }
    if each.allSatisfy({ $0 == first }) { return [(first, nil)] }
    var order: [AttributeSet] = []
    var rows: [AttributeSet: [Int]] = [:]
    for (row, attributes) in each.enumerated() {
      if rows[attributes] == nil { order.append(attributes) }
      rows[attributes, default: []].append(row)
    }
    return order.map { ($0, rows[$0]) }
  }
}
