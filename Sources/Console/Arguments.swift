import Quoin

extension TradingDay {
  /// The day in an argument.
  package init(argument: String, of option: String) throws {
    guard let day = TradingDay(argument) else {
      throw UsageError("\(option) '\(argument)' isn't a date; write it as YYYY-MM-DD, such as 2005-10-14")
    }
    self = day
  }
}
