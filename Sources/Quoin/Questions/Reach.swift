/// How far from a row the rows lie that an expression's value there depends on.
struct Reach: Equatable {
  /// The rows before it; nil for all of them.
  var back: Int? = 0
  /// The rows after it.
  var ahead = 0

  /// The reach of something that depends on both.
  func union(_ other: Reach) -> Reach {
    Reach(back: back.flatMap { back in other.back.map { max(back, $0) } }, ahead: max(ahead, other.ahead))
  }

  /// The reach, seen from `rows` rows later.
  func shifted(by rows: Int) -> Reach {
    Reach(back: back.map { max(0, $0 + rows) }, ahead: max(0, ahead - rows))
  }

  /// The reach of a function of `rows` rows, nil for all rows so far, each of which reaches as far as this.
  func window(_ rows: Int?) -> Reach { Reach(back: rows.flatMap { rows in back.map { $0 + rows - 1 } }, ahead: ahead) }
}
