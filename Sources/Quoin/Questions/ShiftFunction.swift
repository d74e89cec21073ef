/// A function of the value some rows before or after.
final class ShiftFunction: Function {
  let name: String
  let meaning: String
  let example: String
  let synonyms: [String]
  /// Of an expression and a number of rows, if one is given.
  let expression: @Sendable (QuoteExpression, Int?) -> QuoteExpression

  private init(
    _ name: String, _ meaning: String, example: String, synonyms: [String],
    _ expression: @escaping @Sendable (QuoteExpression, Int?) -> QuoteExpression
  ) {
    (self.name, self.meaning, self.example, self.synonyms) = (name, meaning, example, synonyms)
    self.expression = expression
  }

  static let all = [
    ShiftFunction(
      "prev", "The value so many rows before; of the row before without a number.", example: "prev(close, 5)",
      synonyms: ["lag", "shift", "ref", "delay", "ts_delay", "xprev", "previous"]
    ) { .prev($0, $1 ?? 1) },
    ShiftFunction(
      "next", "The value so many rows later. It looks ahead.", example: "next(close)", synonyms: ["lead"]
    ) { .next($0, $1 ?? 1) },
    ShiftFunction(
      "change", "The value divided by the one so many rows before, less 1.", example: "change(close)",
      synonyms: ["pct_change"]
    ) { .change($0, $1 ?? 1) },
    ShiftFunction(
      "diff", "The value less the one so many rows before.", example: "diff(close)", synonyms: ["delta", "ts_delta"]
    ) { .diff($0, $1 ?? 1) },
    ShiftFunction(
      "fill", "The value, or the newest one before it; at most so many rows old, if there is a number.",
      example: "fill(open, 5)", synonyms: ["ffill", "forward_fill", "fixnan"]
    ) { .fill($0, $1) },
  ]
}
