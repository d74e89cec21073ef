/// The day that a bar has.
public enum BarLabel: String, CaseIterable, Hashable, Sendable {
  /// The day of the ticker's last row in the period, on which its close was paid.
  case lastRow = "last-row"
  /// The last day of the period in the calendar, as Quandl's `collapse` has it: a week ends on Sunday.
  case periodEnd = "period-end"
}
